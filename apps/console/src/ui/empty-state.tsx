import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** Says why there is nothing here and what to do about it. */
export function EmptyState({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <div className={styles['empty']} role="status">
      <Icon size={24} aria-hidden />
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  )
}
