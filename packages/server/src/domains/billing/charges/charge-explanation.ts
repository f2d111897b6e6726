import type { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import type { ChargeWithEntries } from '../../ledger/charges.ts'
import type { StoredJournalEntry } from '../../ledger/journal.ts'
import { computeGst } from '../../invoicing/documents/gst.ts'
import type { HoldPaymentMethodClass } from '../../ledger/accounts.ts'
import type { CreditHoldRow } from '../../ledger/store.holds.ts'

interface ChargeDetails {
  readonly hold: CreditHoldRow
  readonly lines: ChargeExplanation['lines']
  readonly settlement: ChargeExplanation['settlement']
  readonly gst_credits: number | null
}

const phrasesByMode: Readonly<Record<HoldPaymentMethodClass, { held: string; charged: string }>> = {
  credit: { held: 'in the wallet', charged: 'from the wallet' },
  card: { held: 'on the card', charged: 'to the card' },
  enterprise: { held: 'for the monthly invoice', charged: 'to the monthly invoice' },
}

const formatCredits = (count: number): string => `${count} ${count === 1 ? 'credit' : 'credits'}`

const formatDay = (time: string): string => time.slice(0, 10)

const formatReference = ({ type, id }: { type: string; id: string }): string =>
  `${type.slice(0, 1).toUpperCase()}${type.slice(1)} ${id}`

/** Describes a charge in one sentence. */
function describeCharge(details: ChargeDetails): string {
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

const describeFreeCharge = (reference: { type: string; id: string }): string =>
  `${formatReference(reference)}: free of charge, nothing was held or charged.`

/** Describes an entry without a hold by its effect on the wallet. */
function describeEntry(entry: StoredJournalEntry): string {
  const walletChange = entry.postings
    .filter(({ account }) => account === 'wallet.available')
    .reduce((sum, { amount_credits }) => sum + amount_credits, 0)
  const description = `${entry.kind.replaceAll('_', ' ')} on ${formatDay(entry.created_at)}`
  if (walletChange > 0) return `${formatCredits(walletChange)} were added to the wallet: ${description}.`
  if (walletChange < 0) return `${formatCredits(-walletChange)} were deducted from the wallet: ${description}.`
  return `${formatCredits(Math.abs(entry.amount_credits))} were posted without a change to the wallet: ${description}.`
}

type Line = ChargeExplanation['lines'][number]

/** Quantities and rates become numbers, exact enough to display; amounts are integer credits. */
const toLine = (line: ChargeWithEntries['lines'][number]): Line => ({
  product: line.product,
  description: line.description,
  unit: line.unit,
  measured_quantity: Number(line.measured_quantity),
  minimum_quantity: Number(line.minimum_quantity),
  charged_quantity: Number(line.charged_quantity),
  list_rate_credits: Number(line.list_rate_credits),
  rate_credits: Number(line.rate_credits),
  priced_on: line.priced_on,
  discount_credits: line.discount_credits,
  amount_credits: line.amount_credits,
  settled_credits: line.settled_credits,
  commitment_id: line.commitment_id,
})

const toEntry = (entry: StoredJournalEntry): ChargeExplanation['entries'][number] => ({
  ...entry,
  postings: [...entry.postings],
})

function toSettlement({ hold }: ChargeWithEntries): ChargeExplanation['settlement'] {
  const { outcome, settled_credits, released_credits, resolved_at } = hold
  if (outcome === null || settled_credits === null || released_credits === null || resolved_at === null) return null
  return { outcome, settled_credits, released_credits, at: resolved_at.toISOString() }
}

/** Explains a charge from its price to its settlement. `country` is the organization's, for GST. */
export function explainCharge(charge: ChargeWithEntries, country: string | null): ChargeExplanation {
  const { hold, entries } = charge
  const lines = charge.lines.map(toLine)
  const settlement = toSettlement(charge)
  const gst_credits = computeGst(settlement?.settled_credits ?? 0, country)
  return {
    hold_id: hold.id,
    billing_mode: hold.mode,
    reference: { type: hold.reference_type, id: hold.reference_id },
    operation: entries[0]?.operation ?? null,
    actor: entries[0]?.actor_id ?? null,
    created_at: hold.created_at.toISOString(),
    lines,
    total_credits: hold.amount_credits,
    gst_credits,
    hold: { amount_credits: hold.amount_credits, at: hold.created_at.toISOString() },
    settlement,
    entries: entries.map(toEntry),
    sentence: describeCharge({ hold, lines, settlement, gst_credits }),
  }
}

/** Explains something free of charge, which has no hold and no journal entry. */
export const explainFreeCharge = (
  charge: {
    reference: { type: string; id: string }
    actor: string
    mode: ChargeExplanation['billing_mode']
    created_at: Date
  },
  country: string | null,
): ChargeExplanation => ({
  hold_id: null,
  billing_mode: charge.mode,
  reference: charge.reference,
  operation: null,
  actor: charge.actor,
  created_at: charge.created_at.toISOString(),
  lines: [],
  total_credits: 0,
  gst_credits: computeGst(0, country),
  hold: null,
  settlement: null,
  entries: [],
  sentence: describeFreeCharge(charge.reference),
})

/** Explains an entry without a hold, such as a purchase. Its charged amount is its posting to `revenue`. */
export function explainJournalEntry(entry: StoredJournalEntry, country: string | null): ChargeExplanation {
  const earned = entry.postings
    .filter(({ account }) => account === 'revenue')
    .reduce((sum, { amount_credits }) => sum + amount_credits, 0)
  const total_credits = Math.max(0, earned)
  return {
    hold_id: null,
    billing_mode: null,
    reference: { type: entry.reference_type, id: entry.reference_id },
    operation: entry.operation,
    actor: entry.actor_id,
    created_at: entry.created_at,
    lines: [],
    total_credits,
    gst_credits: computeGst(total_credits, country),
    hold: null,
    settlement: null,
    entries: [toEntry(entry)],
    sentence: describeEntry(entry),
  }
}
