import type { LucideIcon } from 'lucide-react'
import styles from './badge.module.css'
import typography from './typography.module.css'

export type Tone = 'neutral' | 'active' | 'good' | 'warning' | 'bad'

/** A state as icon, word and colour: never by colour alone. */
export function Badge({ icon: Icon, tone, children }: { icon: LucideIcon; tone: Tone; children: string }) {
  return (
    <span className={`${styles['badge']} ${typography[tone]}`}>
      <Icon size={14} aria-hidden />
      {children}
    </span>
  )
}
