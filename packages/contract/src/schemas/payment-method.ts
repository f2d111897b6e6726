import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

/** A saved card; `payment_method_id` is its id at the payment processor. */
export const PaymentMethod = Type.Object({
  id: Uuid,
  payment_method_id: Type.String(),
  kind: Type.String({ description: 'Kind of payment method, such as `card`.' }),
  brand: Nullable(Type.String()),
  last4: Nullable(Type.String()),
  exp_month: Nullable(Type.Integer()),
  exp_year: Nullable(Type.Integer()),
  isDefault: Type.Boolean(),
  created_at: Timestamp,
})

export type PaymentMethod = Static<typeof PaymentMethod>
