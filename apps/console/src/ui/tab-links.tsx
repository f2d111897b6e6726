import { Link } from '@tanstack/react-router'
import styles from './tab-links.module.css'
import typography from './typography.module.css'

export interface Tab {
  /** A path of the router. */
  readonly to: string
  readonly label: string
}

/** Sub-screens of a place; each has a URL. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className={styles['tabs']} aria-label={label}>
      {tabs.map(({ to, label: name }) => (
        <Link
          className={`${typography['muted']} ${typography['oneLine']} ${typography['plain']}`}
          key={to}
          to={to}
          search={({ v }: { v?: string }) => (v ? { v } : {})}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
