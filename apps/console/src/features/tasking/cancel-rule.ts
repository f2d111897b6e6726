import { taskingTexts } from '../../texts/tasking.ts'
import { formatCredits, formatPercent, formatTime } from '../../ui/format.ts'
import type { ProductTerms } from './tasking-products.ts'

const words = taskingTexts.cancelRule

export interface CancelTerms {
  /** Null while the price is not known. */
  readonly price_credits: number | null
  /** Of the chosen pass; null without one. */
  readonly cancelBy: string | null
  /** The present of the organization. */
  readonly now_ms: number
}

/** When an order can be cancelled and what that costs, in words; `cancelBy` is the time for a known pass. */
export function describeCancelRule(
  { cancel_policy: { hours_before_acquisition, fee_pct } }: Pick<ProductTerms, 'cancel_policy'>,
  { price_credits, cancelBy, now_ms }: CancelTerms,
): string {
  if (hours_before_acquisition === null) return words.never
  if (cancelBy !== null && Date.parse(cancelBy) <= now_ms) return words.tooLate
  const fee_credits = price_credits === null ? null : Math.ceil((price_credits * fee_pct) / 100)
  const until = cancelBy ? words.untilTime(formatTime(cancelBy)) : words.untilHours(hours_before_acquisition)
  if (fee_pct === 0) return words.free(until)
  return words.fee(until, formatPercent(fee_pct), fee_credits === null ? null : formatCredits(fee_credits))
}
