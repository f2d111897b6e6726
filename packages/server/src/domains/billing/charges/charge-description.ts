import type { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import type { PaymentMode } from '../../ledger/accounts.ts'
import type { HoldRow } from '../../ledger/store.holds.ts'
import type { StoredJournalEntry } from '../../ledger/journal.ts'

interface ChargeDetails {
  readonly hold: HoldRow
  readonly lines: ChargeExplanation['lines']
  readonly settlement: ChargeExplanation['settlement']
  readonly gst_credits: number | null
}

const phrasesByMode: Readonly<Record<PaymentMode, { held: string; charged: string }>> = {
  credit: { held: 'in the wallet', charged: 'from the wallet' },
  card: { held: 'on the card', charged: 'to the card' },
  enterprise: { held: 'for the monthly invoice', charged: 'to the monthly invoice' },
}

const formatCredits = (count: number): string => `${count} ${count === 1 ? 'credit' : 'credits'}`

const formatDay = (time: string): string => time.slice(0, 10)

const formatReference = ({ type, id }: { type: string; id: string }): string =>
  `${type.slice(0, 1).toUpperCase()}${type.slice(1)} ${id}`

/** Describes a charge in one sentence. */
export function describeCharge(details: ChargeDetails): string {
  const name = formatReference({ type: details.hold.reference_type, id: details.hold.reference_id })
  return `${name}: ${describeOutcome(details)}.`
}

function describeOutcome({ hold, lines, settlement, gst_credits }: ChargeDetails): string {
  const { amount_credits: held, mode } = hold
  const { held: heldIn, charged: chargedTo } = phrasesByMode[mode]
  const description = describeLines(lines)
  if (settlement === null) return `${formatCredits(held)} are held ${heldIn}${description}, and nothing was charged yet`
  const day = formatDay(settlement.at)
  const { settled_credits: settled, released_credits: released } = settlement
  if (settlement.outcome === 'expired')
    return `nothing was charged and the hold of ${formatCredits(held)} expired on ${day}`
  if (settled === 0) return `nothing was charged and the hold of ${formatCredits(held)} was released on ${day}`
  const tax = gst_credits ? `, including ${gst_credits} GST` : ''
  const rest = released > 0 ? `; ${released} of the ${formatCredits(held)} held were released` : ''
  return `${formatCredits(settled)} were charged ${chargedTo} on ${day}${description}${tax}${rest}`
}

/** Describes a single line in full; for several lines, only their number. */
function describeLines(lines: ChargeDetails['lines']): string {
  const [line, ...more] = lines
  if (!line) return ''
  if (more.length > 0) return ` for ${lines.length} lines`
  const { charged_quantity, measured_quantity, unit, product, rate_credits, priced_on, discount_credits } = line
  const minimumNote = charged_quantity > measured_quantity ? ` (the minimum; ${measured_quantity} measured)` : ''
  const discount = discount_credits > 0 ? `, ${discount_credits} below the list price` : ''
  return ` for ${charged_quantity} ${unit} of ${product}${minimumNote} at ${rate_credits} per ${unit}, the price on ${priced_on}${discount}`
}

export const describeFreeCharge = (reference: { type: string; id: string }): string =>
  `${formatReference(reference)}: free of charge, nothing was held or charged.`

/** Describes an entry without a hold by its effect on the wallet. */
export function describeEntry(entry: StoredJournalEntry): string {
  const walletChange = entry.postings
    .filter(({ account }) => account === 'wallet.available')
    .reduce((sum, { amount_credits }) => sum + amount_credits, 0)
  const description = `${entry.kind.replaceAll('_', ' ')} on ${formatDay(entry.created_at)}`
  if (walletChange > 0) return `${formatCredits(walletChange)} were added to the wallet: ${description}.`
  if (walletChange < 0) return `${formatCredits(-walletChange)} were deducted from the wallet: ${description}.`
  return `${formatCredits(Math.abs(entry.amount_credits))} were posted without a change to the wallet: ${description}.`
}
