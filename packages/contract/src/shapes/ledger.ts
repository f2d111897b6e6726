import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, 64 hexadecimal digits.' })
const Position = Type.Integer({ minimum: 1, description: 'Counted from 1 in each organization, without gaps.' })
const Text = Type.String()

/** Credits that came into the wallet together. Granted = available + held + captured + expired + refunded. */
export const Lot = Type.Object({
  id: Uuid,
  kind: Type.String({ description: 'How the credits came, such as `purchase` or `grant_monthly`.' }),
  status: Type.Enum(['open', 'empty', 'expired']),
  priority: Type.Integer({ description: 'Lots of a lower number are used first.' }),
  granted_credits: Count,
  available_credits: Count,
  held_credits: Count,
  captured_credits: Count,
  expired_credits: Count,
  refunded_credits: Count,
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
})

/** One entry of the journal; its postings sum to zero, and its hash follows from the entry before and what it says. */
export const JournalEntry = Type.Object({
  organization_id: Uuid,
  position: Position,
  id: Uuid,
  kind: Type.String({ description: 'Such as `hold`, `capture` or `purchase`.' }),
  amount_credits: Type.Integer({ description: 'As the wallet sees it: below zero for holds and captures.' }),
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
    Type.Object({ account: Text, lot_id: Nullable(Uuid), amount_credits: Type.Integer({ description: 'Never 0.' }) }),
  ),
  hash: Hash,
})

/** One line of an exported journal. */
export const JournalLine = Type.Object({
  ...JournalEntry.properties,
  previous_hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The hash of the entry before; 64 zeros before the first one.',
  }),
})

/** What was found when a journal was read from its beginning. */
export const LedgerVerdict = Type.Object({
  organization_id: Uuid,
  valid: Type.Boolean(),
  entries: Count,
  head: Type.Object({ position: Count, hash: Hash }),
  faults: Type.Array(
    Type.Object({
      position: Nullable(Type.Integer({ description: 'Null for a balance that the journal does not bear out.' })),
      entry_id: Nullable(Uuid),
      fault: Text,
    }),
    { maxItems: 100 },
  ),
})

const Quantity = Type.Number({ minimum: 0 })
const Rate = Type.Number({ minimum: 0, description: 'Credits for one unit.' })

/** What one piece of the work costs, as it was priced. */
export const ChargeLine = Type.Object({
  product: Text,
  description: Text,
  unit: Type.String({ description: 'Such as `km2`.' }),
  measured_quantity: Quantity,
  minimum_quantity: Quantity,
  charged_quantity: Quantity,
  list_rate_credits: Rate,
  rate_credits: Rate,
  priced_on: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'From this day on the price holds.' }),
  discount_credits: Count,
  amount_credits: Count,
  settled_credits: Nullable(Count, { description: 'What of it was charged; null while it was not.' }),
  commitment_id: Nullable(Uuid),
})

/** Why something costs what it costs, and what became of the credits. */
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
    description: 'The tax in what was charged; 0 while nothing was, null outside Australia.',
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
  sentence: Type.String({ description: 'The same in a line.' }),
})

export type Lot = Static<typeof Lot>
export type JournalEntry = Static<typeof JournalEntry>
export type JournalLine = Static<typeof JournalLine>
export type LedgerVerdict = Static<typeof LedgerVerdict>
export type ChargeLine = Static<typeof ChargeLine>
export type ChargeExplanation = Static<typeof ChargeExplanation>
