import type { ChargeExplanation } from '@swath/contract/shapes/ledger.ts'
import type { Mode } from '../../ledger/accounts.ts'
import type { HoldRow } from '../../ledger/holds.ts'
import type { JournalEntry } from '../../ledger/journal.ts'

interface Told {
  readonly hold: HoldRow
  readonly lines: ChargeExplanation['lines']
  readonly settlement: ChargeExplanation['settlement']
  readonly gst_credits: number | null
}

const ways: Readonly<Record<Mode, { held: string; charged: string }>> = {
  credit: { held: 'in the wallet', charged: 'from the wallet' },
  card: { held: 'on the card', charged: 'to the card' },
  enterprise: { held: 'for the monthly invoice', charged: 'to the monthly invoice' },
}

const credits = (count: number): string => `${count} ${count === 1 ? 'credit' : 'credits'}`

const dayOf = (time: string): string => time.slice(0, 10)

const nameOf = ({ type, id }: { type: string; id: string }): string =>
  `${type.slice(0, 1).toUpperCase()}${type.slice(1)} ${id}`

/** Describes a charge in one sentence. */
export function chargeSentence(told: Told): string {
  const name = nameOf({ type: told.hold.reference_type, id: told.hold.reference_id })
  return `${name}: ${fateOf(told)}.`
}

function fateOf({ hold, lines, settlement, gst_credits }: Told): string {
  const { amount_credits: held, mode } = hold
  const { held: where, charged: whither } = ways[mode]
  const what = workOf(lines)
  if (settlement === null) return `${credits(held)} are held ${where}${what}, and nothing was charged yet`
  const day = dayOf(settlement.at)
  const { settled_credits: settled, released_credits: released } = settlement
  if (settlement.outcome === 'expired') return `nothing was charged and the hold of ${credits(held)} expired on ${day}`
  if (settled === 0) return `nothing was charged and the hold of ${credits(held)} was released on ${day}`
  const tax = gst_credits ? `, including ${gst_credits} GST` : ''
  const rest = released > 0 ? `; ${released} of the ${credits(held)} held were released` : ''
  return `${credits(settled)} were charged ${whither} on ${day}${what}${tax}${rest}`
}

/** Describes a single line in full; for several lines, only their number. */
function workOf(lines: Told['lines']): string {
  const [line, ...more] = lines
  if (!line) return ''
  if (more.length > 0) return ` for ${lines.length} lines`
  const { charged_quantity, measured_quantity, unit, product, rate_credits, priced_on, discount_credits } = line
  const least = charged_quantity > measured_quantity ? ` (the minimum; ${measured_quantity} measured)` : ''
  const discount = discount_credits > 0 ? `, ${discount_credits} below the list price` : ''
  return ` for ${charged_quantity} ${unit} of ${product}${least} at ${rate_credits} per ${unit}, the price on ${priced_on}${discount}`
}

export const freeSentence = (reference: { type: string; id: string }): string =>
  `${nameOf(reference)}: free of charge, nothing was held or charged.`

/** Describes an entry without a hold by its effect on the wallet. */
export function bookingSentence(entry: JournalEntry): string {
  const moved = entry.postings
    .filter(({ account }) => account === 'wallet.available')
    .reduce((sum, { amount_credits }) => sum + amount_credits, 0)
  const what = `${entry.kind.replaceAll('_', ' ')} on ${dayOf(entry.created_at)}`
  if (moved > 0) return `${credits(moved)} were added to the wallet: ${what}.`
  if (moved < 0) return `${credits(-moved)} were deducted from the wallet: ${what}.`
  return `${credits(Math.abs(entry.amount_credits))} were posted without a change to the wallet: ${what}.`
}
