import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, 64 hexadecimal digits.' })
const Position = Type.Integer({ minimum: 1, description: 'Numbered from 1 in each organization, without gaps.' })
const Text = Type.String()

/** Credits that were granted together. Granted = available + held + captured + expired + refunded. */
export const Lot = Type.Object({
  id: Uuid,
  kind: Type.String({ description: 'Origin of the credits, such as `purchase` or `grant_monthly`.' }),
  status: Type.Enum(['open', 'empty', 'expired']),
  priority: Type.Integer({ description: 'Lots with a lower number are spent first.' }),
  granted_credits: Count,
  available_credits: Count,
  held_credits: Count,
  captured_credits: Count,
  expired_credits: Count,
  refunded_credits: Count,
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
})

/** One journal entry; its postings sum to zero, and its hash covers its content and the hash of the previous entry. */
export const JournalEntry = Type.Object({
  organization_id: Uuid,
  position: Position,
  id: Uuid,
  kind: Type.String({ description: 'Kind of entry, such as `hold`, `capture` or `purchase`.' }),
  amount_credits: Type.Integer({ description: 'Change of the balance: negative for holds and captures.' }),
  available_after_credits: Type.Integer(),
  held_after_credits: Type.Integer(),
  reference_type: Text,
  reference_id: Text,
  hold_id: Nullable(Uuid),
  actor_kind: Text,
  actor_id: Text,
  operation: Text,
  request_id: Text,
  idempotency_key: Nullable(Text),
  note: Nullable(Text),
  created_at: Timestamp,
  postings: Type.Array(
    Type.Object({ account: Text, lot_id: Nullable(Uuid), amount_credits: Type.Integer({ description: 'Not zero.' }) }),
  ),
  hash: Hash,
})

/** One line of an exported journal. */
export const JournalExportLine = Type.Object({
  ...JournalEntry.properties,
  previous_hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The hash of the previous entry; 64 zeros for the first one.',
  }),
})

/** The result of verifying a journal from its first entry. */
export const LedgerVerificationResult = Type.Object({
  organization_id: Uuid,
  valid: Type.Boolean(),
  entries: Count,
  head: Type.Object({ position: Count, hash: Hash }),
  faults: Type.Array(
    Type.Object({
      position: Nullable(Type.Integer({ description: 'Null for a balance that differs from the sum of the journal.' })),
      entry_id: Nullable(Uuid),
      fault: Text,
    }),
    { maxItems: 100 },
  ),
})

const Quantity = Type.Number({ minimum: 0 })
const Rate = Type.Number({ minimum: 0, description: 'Credits per unit.' })

/** One priced line of a charge. */
export const ChargeLine = Type.Object({
  product: Text,
  description: Text,
  unit: Type.String({ description: 'Unit of the quantity, such as `km2`.' }),
  measured_quantity: Quantity,
  minimum_quantity: Quantity,
  charged_quantity: Quantity,
  list_rate_credits: Rate,
  rate_credits: Rate,
  priced_on: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'The date from which the price is valid.' }),
  discount_credits: Count,
  amount_credits: Count,
  settled_credits: Nullable(Count, { description: 'The charged part; null while nothing was charged.' }),
  commitment_id: Nullable(Uuid),
})

/** The computation of a charge, and the postings of its credits. */
export const ChargeExplanation = Type.Object({
  hold_id: Nullable(Uuid),
  billing_mode: Nullable(Type.Enum(['credit', 'card', 'enterprise'])),
  reference: Type.Object({ type: Text, id: Text }),
  operation: Nullable(Text),
  actor: Nullable(Type.String({ description: 'The principal that caused it.' })),
  created_at: Timestamp,
  lines: Type.Array(ChargeLine),
  total_credits: Type.Integer({ minimum: 0, description: 'The price.' }),
  gst_credits: Nullable(Count, {
    description: 'GST included in the charge; 0 while nothing was charged, null outside Australia.',
  }),
  hold: Nullable(Type.Object({ amount_credits: Count, at: Timestamp })),
  settlement: Nullable(
    Type.Object({
      outcome: Type.Enum(['settled', 'released', 'expired']),
      settled_credits: Count,
      released_credits: Count,
      at: Timestamp,
    }),
  ),
  entries: Type.Array(JournalEntry),
  sentence: Type.String({ description: 'The same as one sentence.' }),
})

export type Lot = Static<typeof Lot>
export type JournalEntry = Static<typeof JournalEntry>
export type JournalExportLine = Static<typeof JournalExportLine>
export type LedgerVerificationResult = Static<typeof LedgerVerificationResult>
export type ChargeLine = Static<typeof ChargeLine>
export type ChargeExplanation = Static<typeof ChargeExplanation>
