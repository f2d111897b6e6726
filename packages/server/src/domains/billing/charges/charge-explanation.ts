import type { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import type { Charge } from '../../ledger/charges.ts'
import type { StoredJournalEntry } from '../../ledger/journal.ts'
import { describeEntry, describeCharge, describeFreeCharge } from './charge-description.ts'
import { computeGst } from '../../invoicing/documents/gst.ts'

type Line = ChargeExplanation['lines'][number]

/** Quantities and rates become numbers, exact enough to display; amounts are integer credits. */
const toLine = (line: Charge['lines'][number]): Line => ({
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

function toSettlement({ hold }: Charge): ChargeExplanation['settlement'] {
  const { outcome, settled_credits, released_credits, resolved_at } = hold
  if (outcome === null || settled_credits === null || released_credits === null || resolved_at === null) return null
  return { outcome, settled_credits, released_credits, at: resolved_at.toISOString() }
}

/** Explains a charge from its price to its settlement. `country` is the organization's, for GST. */
export function explainCharge(charge: Charge, country: string | null): ChargeExplanation {
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
export function explainEntry(entry: StoredJournalEntry, country: string | null): ChargeExplanation {
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
