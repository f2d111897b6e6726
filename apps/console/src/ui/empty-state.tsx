import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import typography from './typography.module.css'
import layout from './layout.module.css'

/** Says why there is nothing here and what to do about it. */
export function EmptyState({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <div className={`${layout['stack8']} ${styles['empty']}`} role="status">
      <Icon size={24} aria-hidden />
      <p className={`${typography['medium']} ${typography['normal']}`}>{title}</p>
      {children}
    </div>
  )
}
