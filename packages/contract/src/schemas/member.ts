import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

export const organizationRoles = ['owner', 'admin', 'billing', 'member'] as const

export const OrganizationRole = Type.Enum([...organizationRoles])

const CreditLimit = Nullable(Type.Integer({ minimum: 0 }))

/** A member of an organization with its spend limits; null is unlimited, 0 permits no spending. */
export const Member = Type.Object({
  user_id: Uuid,
  email: Type.String(),
  name: Nullable(Type.String()),
  role: OrganizationRole,
  per_order_limit_credits: CreditLimit,
  spend_limit_credits: Nullable(Type.Integer({ minimum: 0, description: 'Credits in any 30 days.' })),
  created_at: Timestamp,
})

export const SpendLimits = Type.Object({
  user_id: Uuid,
  per_order_limit_credits: CreditLimit,
  spend_limit_credits: CreditLimit,
})

/** What counts towards the spend limits of a member, and until when. */
export const SpendWindow = Type.Object({
  ...SpendLimits.properties,
  window_days: Type.Literal(30),
  window_used_credits: Type.Integer({
    minimum: 0,
    description: 'Credits held now and charged in the last 30 days.',
  }),
  remaining_credits: Nullable(Count, { description: 'What remains of the 30-day limit; null if there is none.' }),
  frees: Type.Array(Type.Object({ at: Timestamp, credits: Count }), {
    maxItems: 100,
    description: 'When credits that count now stop counting, earliest first.',
  }),
})

export type OrganizationRole = Static<typeof OrganizationRole>
export type Member = Static<typeof Member>
