import Type, { type Static } from 'typebox'
import { Count, Currency, Nullable, Timestamp, Uuid } from './primitives.ts'

/** The credits of an organization; its lots are listed in the order in which they are spent. */
export const Balance = Type.Object({
  organization_id: Uuid,
  available_credits: Type.Integer(),
  held_credits: Count,
  currency: Currency,
  play_money: Type.Optional(
    Type.Boolean({ description: 'True for a sandbox organization: the credits are worth nothing.' }),
  ),
  lots: Type.Array(
    Type.Object({
      id: Uuid,
      kind: Type.String({ description: 'Origin of the credits, such as `purchase` or `grant_monthly`.' }),
      remaining_credits: Count,
      expires_at: Nullable(Timestamp),
    }),
  ),
})

export type Balance = Static<typeof Balance>
