import { Link } from '@tanstack/react-router'
import { Search, type LucideIcon } from 'lucide-react'
import { texts } from '../texts.ts'
import styles from './frame.module.css'

interface Place {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

/** The places of the console, in the order of the rail; a place is added with its screen. */
export const places: readonly Place[] = [{ path: '/explore', label: texts.frame.places.explore, icon: Search }]

export function Rail({ children }: { children: React.ReactNode }) {
  return (
    <nav className={styles['rail']} aria-label={texts.product}>
      <ul>
        {places.map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <Link to={path} className={styles['place']} activeProps={{ 'aria-current': 'page' }}>
              <Icon size={20} aria-hidden />
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  )
}
