import Type, { type Static } from 'typebox'
import { AccountLanguage, AuthenticationMethods } from './people/account.ts'
import { OrganizationRole, SpendLimits } from './member.ts'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

export const principalKinds = ['human', 'api_key', 'service', 'worker'] as const

export const PrincipalKind = Type.Enum([...principalKinds])

/** The calling principal: its organization, scopes and spend limits. */
export const CurrentPrincipal = Type.Object({
  kind: PrincipalKind,
  user: Nullable(
    Type.Object({
      id: Uuid,
      email: Type.String(),
      name: Nullable(Type.String()),
      language: AccountLanguage,
      time_zone: Type.String({ description: 'IANA name.' }),
      created_at: Timestamp,
    }),
  ),
  sign_in: Nullable(
    Type.Object({
      methods: AuthenticationMethods,
      totp: Type.Boolean({ description: 'True if the user has an authenticator app.' }),
      passkeys: Count,
      recovery_codes: Type.Integer({ minimum: 0, description: 'Recovery codes that were not used.' }),
    }),
    { description: 'How the user of a session signed in and can sign in; null for other callers.' },
  ),
  organization: Nullable(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      slug: Type.String(),
      plan: Type.String(),
      enterprise_billing: Type.Boolean(),
      sandbox: Type.Optional(Type.Boolean()),
      role: Nullable(OrganizationRole),
      delete_at: Nullable(Timestamp, { description: 'When the organization is closed; null if it is kept.' }),
    }),
  ),
  scopes: Type.Array(Type.String()),
  caps: Nullable(Type.Omit(SpendLimits, ['user_id'])),
  wallet: Nullable(
    Type.Object({
      available_credits: Type.Integer(),
      held_credits: Count,
      play_money: Type.Optional(Type.Boolean({ description: 'True for a sandbox organization.' })),
    }),
  ),
})

/** An organization that a user is in. */
export const UserOrganization = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  plan: Type.String(),
  status: Type.Enum(['active', 'suspended']),
  role: OrganizationRole,
  sandbox: Type.Boolean({ description: 'For tests, with a clock of its own and play money.' }),
  current: Type.Boolean({ description: 'True for the organization that the token names.' }),
  default: Type.Boolean({ description: 'True for the one that a sign-in without `organization_id` is for.' }),
  delete_at: Nullable(Timestamp, { description: 'When the organization is closed; null if it is kept.' }),
  joined_at: Timestamp,
})

export type UserOrganization = Static<typeof UserOrganization>
export type PrincipalKind = Static<typeof PrincipalKind>
export type CurrentPrincipal = Static<typeof CurrentPrincipal>
