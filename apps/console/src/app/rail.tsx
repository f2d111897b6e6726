import { Link } from '@tanstack/react-router'
import { Code2, FolderOpen, Search, ShoppingBag, Wallet, type LucideIcon } from 'lucide-react'
import { texts } from '../texts.ts'
import styles from './frame.module.css'

interface Place {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

/** The places of the console, in the order of the rail; a place is added with its screen. */
export const places: readonly Place[] = [
  { path: '/explore', label: texts.frame.places.explore, icon: Search },
  { path: '/orders', label: texts.frame.places.orders, icon: ShoppingBag },
  { path: '/library', label: texts.frame.places.library, icon: FolderOpen },
  { path: '/money', label: texts.frame.places.money, icon: Wallet },
  { path: '/build', label: texts.frame.places.build, icon: Code2 },
]

/** The map stays where it is when the place changes. */
const keepView = ({ v }: { v?: string }) => (v ? { v } : {})

export function Rail({ children }: { children: React.ReactNode }) {
  return (
    <nav className={styles['rail']} aria-label={texts.frame.product}>
      <ul>
        {places.map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <Link
              to={path}
              aria-label={label}
              search={keepView}
              className={styles['place']}
              activeProps={{ 'aria-current': 'page' }}
            >
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
