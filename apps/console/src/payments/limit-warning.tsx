import { TriangleAlert } from 'lucide-react'
import type { SpendWindow } from '@swath/client/operations.ts'
import { paymentsTexts } from '../texts/payments.ts'
import { formatTime } from '../ui/format.ts'
import type { LimitFault } from './use-checkout.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

export const Warning = ({ children }: { children: string }) => (
  <p className={`${layout['iconAndText']} ${typography['warning']}`}>
    <TriangleAlert size={16} aria-hidden />
    {children}
  </p>
)

/** The spend limit that blocks the payment, and who can change it. */
export function LimitWarning({ fault, limits }: { fault: LimitFault; limits: SpendWindow | null }) {
  const frees = limits?.frees[0]?.at
  return (
    <Warning>
      {fault === 'order' ? paymentsTexts.overOrder : paymentsTexts.overWindow(frees ? formatTime(frees) : null)}
    </Warning>
  )
}
