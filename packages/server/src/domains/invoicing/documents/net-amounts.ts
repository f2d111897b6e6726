import type { BillingDocument } from './billing-document.ts'
import { roundHalfEven, toSafeInteger } from '../../ledger/rounding.ts'
import { hasDocumentGst } from './tax-category.ts'

/** The amounts of a document without its GST, in cents. */
export interface NetAmounts {
  /** One for each line; their sum is `total_cents`. */
  readonly line_cents: readonly number[]
  readonly total_cents: number
  readonly gst_cents: number
}

/**
 * Takes the GST out of the lines. GST is rounded once per document, so each line gets the difference of the rounded sums up
 * to it: the net lines add up to the net total to the cent.
 */
export function computeNetAmounts(document: BillingDocument): NetAmounts {
  const gst_cents = hasDocumentGst(document) ? (document.gst_cents ?? 0) : 0
  const total_cents = document.total_cents - gst_cents
  let sum_cents = 0
  let net_sum_cents = 0
  const line_cents = document.lines.map(({ amount_cents }) => {
    sum_cents += amount_cents
    const next_cents = shareOf(total_cents, sum_cents, document.total_cents)
    const net_cents = next_cents - net_sum_cents
    net_sum_cents = next_cents
    return net_cents
  })
  return { line_cents, total_cents, gst_cents }
}

const shareOf = (total: number, part: number, whole: number): number =>
  toSafeInteger(roundHalfEven(BigInt(total) * BigInt(part), BigInt(whole)))
