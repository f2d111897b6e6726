import Type, { type Static } from 'typebox'
import { AnyObject, ClearIfNull, KeepIfNull, Nullable, StrictObject, Uuid, WithDescription } from './primitives.ts'
import { limits } from '../limits.ts'

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

/** What owners and admins change of an organization; the billing role all but its name. Documents keep what was true. */
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

export type OrganizationDetails = Static<typeof OrganizationDetails>
