import { TriangleAlert } from 'lucide-react'
import type { SpendWindow } from '@swath/client/operations.ts'
import { texts } from '../texts.ts'
import { formatTime } from '../ui/format.ts'
import styles from './payments.module.css'
import type { LimitFault } from './use-checkout.ts'

export const Warning = ({ children }: { children: string }) => (
  <p className={styles['warning']}>
    <TriangleAlert size={16} aria-hidden />
    {children}
  </p>
)

/** The spend limit that blocks the payment, and who can change it. */
export function LimitWarning({ fault, limits }: { fault: LimitFault; limits: SpendWindow | null }) {
  const frees = limits?.frees[0]?.at
  return (
    <Warning>
      {fault === 'order' ? texts.payments.overOrder : texts.payments.overWindow(frees ? formatTime(frees) : null)}
    </Warning>
  )
}
