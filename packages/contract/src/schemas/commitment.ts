import Type, { type Static } from 'typebox'
import { Currency, Nullable, Timestamp, Uuid } from './primitives.ts'

export const commitmentStatuses = [
  'scheduled',
  'active',
  'on_track',
  'at_risk',
  'met',
  'closed_met',
  'closed_shortfall',
  'invoiced',
] as const

const Aud = Type.Number({ description: 'AUD.' })

/** One delivery that counts towards a commitment. */
export const CommitmentLine = Type.Object({
  at: Timestamp,
  product: Type.String(),
  order_id: Nullable(Uuid),
  quantity: Type.Number(),
  unit: Type.String(),
  rate_aud: Aud,
  amount_aud: Aud,
  commitment_id: Nullable(Uuid, { description: 'The commitment towards which it counts.' }),
})

/** The terms of a commitment with the totals that the server computes. */
export const Commitment = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  name: Type.String(),
  products: Type.Array(
    Type.Object({
      product: Type.String(),
      negotiated_rate_aud: Aud,
      unit: Type.String({ description: 'Unit of the rate, such as `km2`.' }),
    }),
  ),
  currency: Currency,
  period_start: Timestamp,
  period_end: Timestamp,
  committed_aud: Aud,
  carried_in_aud: Aud,
  delivered_aud: Aud,
  remaining_aud: Aud,
  overage_aud: Aud,
  shortfall_aud: Type.Number({
    description: 'Missing amount of the take-or-pay minimum; 0 until the period is closed.',
  }),
  pace: Nullable(
    Type.Number({ description: 'Delivered share of the minimum divided by the elapsed share of the period.' }),
  ),
  status: Type.Enum([...commitmentStatuses]),
  version: Type.Integer({ minimum: 1, description: 'Incremented by each amendment.' }),
  closed_at: Nullable(Timestamp),
  line_items: Type.Optional(Type.Array(CommitmentLine)),
})

/** The deliveries of one month, as they were charged. */
export const MonthlyStatement = Type.Object({
  organization_id: Uuid,
  period: Type.String({ description: 'A month, `YYYY-MM`.' }),
  currency: Currency,
  lines: Type.Array(CommitmentLine),
  total_aud: Aud,
  committed_aud: Type.Number({ description: 'The part that counts towards commitments.' }),
  closed: Type.Boolean({ description: 'A closed month no longer changes.' }),
})

export type Commitment = Static<typeof Commitment>
export type MonthlyStatement = Static<typeof MonthlyStatement>
