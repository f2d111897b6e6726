import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import {
  AnyObject,
  ClearIfNull,
  Count,
  KeepIfNull,
  Nullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDescription,
} from './primitives.ts'

/** The roles in an organization, from the highest. */
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

/** The amounts that count towards the spend limits of a member, and until when. */
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

const Line = Type.String({ minLength: 1, maxLength: 200 })
const OptionalLine = Type.Optional(Nullable(Line))

/** A postal address, as documents print it. */
export const BillingAddress = StrictObject({
  line1: Line,
  line2: OptionalLine,
  city: OptionalLine,
  region: WithDescription('State or territory.', OptionalLine),
  postal_code: OptionalLine,
})

export const Email = Type.String({ minLength: 3, maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$' })

const reference = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: '\\S' })

/** Fields that owners and admins may change; the billing role, all but the name. Issued documents do not change. */
export const organizationDetailFields = {
  name: KeepIfNull(reference(limits.max_name_length)),
  country: ClearIfNull(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 code; Australia if there is none.' }),
  ),
  abn: ClearIfNull(Type.String({ maxLength: 20, description: 'Australian Business Number, which is checked.' })),
  tax_number: ClearIfNull(reference(100)),
  billing_email: ClearIfNull(Email),
  billing_address: ClearIfNull(BillingAddress),
  purchase_order_number: ClearIfNull(
    Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Printed on the next documents.' }),
  ),
}

/** An organization as its documents name it. */
export const OrganizationDetails = Type.Object({
  id: Uuid,
  name: Type.String(),
  country: Nullable(Type.String()),
  abn: Nullable(Type.String()),
  tax_number: Nullable(Type.String()),
  billing_email: Nullable(Type.String()),
  billing_address: Nullable(AnyObject),
  purchase_order_number: Nullable(Type.String()),
})

export type OrganizationRole = Static<typeof OrganizationRole>
export type Member = Static<typeof Member>
export type OrganizationDetails = Static<typeof OrganizationDetails>
