import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const walletTransactionReasons = [
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

/** One journal entry as a change of the balance. */
export const Transaction = Type.Object({
  id: Uuid,
  created_at: Timestamp,
  reason: Type.String({ description: 'The kind of entry, such as `hold`, `capture` or `purchase`.' }),
  amount_credits: Type.Integer({
    description:
      'Negative for a hold, which reserves available credits, and for a capture, which charges held credits.',
  }),
  balance_after_credits: Type.Integer({ description: 'Available credits afterwards; a capture does not change them.' }),
  operation: Nullable(Type.String({ description: 'The operation that caused it.' })),
  actor: Nullable(Type.String({ description: 'The principal that caused it.' })),
  reference: Nullable(Type.Object({ type: Type.String(), id: Type.String() })),
})

export type Transaction = Static<typeof Transaction>
