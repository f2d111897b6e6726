import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import styles from './tab-links.module.css'

export interface Tab {
  /** A path of the router. */
  readonly to: string
  readonly label: string
}

/** Sub-screens of a place; each has an address. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname])
  return (
    <nav ref={nav} className={styles['tabs']} aria-label={label}>
      {tabs.map(({ to, label: name }) => (
        <Link
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
