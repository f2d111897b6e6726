import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const transactionReasons = [
  'purchase',
  'auto_topup',
  'grant_signup',
  'grant_monthly',
  'grant_manual',
  'hold',
  'hold_increase',
  'capture',
  'release',
  'hold_expired',
  'accrue',
  'unaccrue',
  'true_up',
  'invoice',
  'payment',
  'refund',
  'expire',
  'adjust',
  'dispute_hold',
  'dispute_lost',
  'dispute_won',
  'tax',
] as const

/** One line of the journal as the wallet saw it. */
export const Transaction = Type.Object({
  id: Uuid,
  created_at: Timestamp,
  reason: Type.String({ description: 'The kind of entry, such as `hold`, `capture` or `purchase`.' }),
  amount_credits: Type.Integer({
    description:
      'Below zero for a hold, which takes from what is available, and a capture, which charges what was held.',
  }),
  balance_after_credits: Type.Integer({ description: 'What is available afterwards; a capture leaves it as it was.' }),
  operation: Nullable(Type.String({ description: 'The operation that caused it.' })),
  actor: Nullable(Type.String({ description: 'The principal that caused it.' })),
  reference: Nullable(Type.Object({ type: Type.String(), id: Type.String() })),
})

export type Transaction = Static<typeof Transaction>
