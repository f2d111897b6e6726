import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const organizationRoles = ['owner', 'admin', 'billing', 'member'] as const

export const OrganizationRole = Type.Enum([...organizationRoles])

const cap = Nullable(Type.Integer({ minimum: 0 }))

/** A person of an organization with the caps on what they may spend; null is unlimited, 0 is nothing. */
export const Member = Type.Object({
  user_id: Uuid,
  email: Type.String(),
  name: Nullable(Type.String()),
  role: OrganizationRole,
  per_order_limit_credits: cap,
  spend_limit_credits: Nullable(Type.Integer({ minimum: 0, description: 'Over any 30 days.' })),
  created_at: Timestamp,
})

export const SpendLimits = Type.Object({
  user_id: Uuid,
  per_order_limit_credits: cap,
  spend_limit_credits: cap,
})

export type OrganizationRole = Static<typeof OrganizationRole>
export type Member = Static<typeof Member>
