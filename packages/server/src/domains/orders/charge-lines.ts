import { calculateCharge } from '../catalog/price.ts'
import type { HoldChargeLine } from '../ledger/holds.ts'
import type { CaptureQuote, QuotedCapture } from './quote.ts'

/** The charge lines of an order, one per capture in order. `today` is `YYYY-MM-DD`. */
export const toChargeLines = (quote: CaptureQuote, today: string): HoldChargeLine[] =>
  quote.captures.map((capture) => toChargeLine(capture, quote.shares.get(capture) ?? 0, today))

function toChargeLine(capture: QuotedCapture, amount_credits: number, today: string): HoldChargeLine {
  const { price, list_price, area_km2, scene, host } = capture
  const list_credits = calculateCharge(list_price, area_km2).credits
  return {
    product: list_price?.product ?? scene.collection,
    description: `${host.name}:${capture.id}`,
    unit: 'km2',
    measured_quantity: String(area_km2),
    charged_quantity: String(calculateCharge(price, area_km2).charged_km2),
    minimum_quantity: String(price?.minimum_km2 ?? 0),
    list_rate_credits: String(list_price?.rate_credits ?? 0),
    rate_credits: String(price?.rate_credits ?? 0),
    // A host without price dates is priced as of today.
    priced_on: list_price?.valid_from ?? today,
    // Several captures of one date share one minimum, which counts as a discount.
    discount_credits: Math.max(0, list_credits - amount_credits),
    amount_credits,
    commitment_id: capture.commitment_id,
  }
}
