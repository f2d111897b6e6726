import Type, { type Static } from 'typebox'
import { limits } from '../../limits.ts'
import { OrganizationRole } from '../member.ts'
import { Nullable, StrictObject, Timestamp, Uuid, WithDefault, WithDescription } from '../primitives.ts'
import { ProjectMembership, ProjectMembershipInputs } from './invitation.ts'

/** `lost`: it was verified, and the record has been missing for days. */
export const organizationDomainStates = ['pending', 'verified', 'lost'] as const

export const DomainName = Type.String({
  minLength: 3,
  maxLength: 253,
  description: 'A domain of e-mail addresses, in any letter case, also with characters of other scripts.',
})

/** A domain of an organization. Its addresses belong to the organization once it is verified. */
export const OrganizationDomain = Type.Object({
  domain: Type.String({ description: 'In lower case, with other scripts in their ASCII form (`xn--…`).' }),
  state: Type.Enum([...organizationDomainStates]),
  record_name: Type.String({ description: 'The name of the TXT record that proves the domain.' }),
  record_value: Type.String({ description: 'Its value.' }),
  created_at: Timestamp,
  verified_at: Nullable(Timestamp),
  checked_at: Nullable(Timestamp, { description: 'When the record was last looked for.' }),
  problem: Nullable(Type.String(), { description: 'Why the last check did not find the record.' }),
})

export const providerModes = ['optional', 'required'] as const
export const emailTrusts = ['verified_claim', 'domain'] as const

/** A role that a provider may give; ownership is given by owners alone. */
export const ProvidedRole = Type.Enum(['admin', 'billing', 'member'])

const MappedValue = Type.String({
  minLength: 1,
  maxLength: limits.max_name_length,
  description: 'A value of the claim, or the name of a group of SCIM.',
})

/** What a group of the provider gives its members. */
export const ProviderMappingInput = StrictObject({
  value: MappedValue,
  role: WithDefault(Nullable(ProvidedRole, { description: 'Null gives no role.' }), null),
  projects: Type.Optional(ProjectMembershipInputs),
})

export const ProviderMapping = Type.Object({
  value: Type.String(),
  role: Nullable(OrganizationRole),
  projects: Type.Array(ProjectMembership),
})

/** The OpenID Connect provider of an organization. The secret of the client is never returned. */
export const IdentityProvider = Type.Object({
  id: Uuid,
  issuer: Type.String(),
  client_id: Type.String(),
  has_client_secret: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  domains: Type.Array(Type.String()),
  roles_claim: Nullable(Type.String()),
  mappings: Type.Array(ProviderMapping),
  default_role: OrganizationRole,
  mode: Type.Enum([...providerModes]),
  email_trust: Type.Enum([...emailTrusts]),
  just_in_time: Type.Boolean(),
  emergency_access: Type.Array(Uuid),
  redirect_uri: Type.String({ description: 'The URI to register with the provider.' }),
  backchannel_logout_uri: Type.String({
    description: 'The URI to which the provider reports that somebody signed out.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The settings of a provider; those that are absent get their default. */
export const identityProviderFields = {
  issuer: Type.String({
    minLength: 8,
    maxLength: 500,
    description: 'The https URL that its discovery document is below.',
  }),
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  client_secret: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 2000 }), {
      description:
        'Stored encrypted and never returned. Null keeps the current one, if issuer and client stay the same.',
    }),
  ),
  scopes: WithDescription(
    'What the provider is asked for; `openid` always.',
    WithDefault(
      Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[!#-\\[\\]-~]+$' }), {
        minItems: 1,
        maxItems: 20,
      }),
      ['openid', 'email', 'profile'],
    ),
  ),
  domains: Type.Array(DomainName, {
    minItems: 1,
    maxItems: limits.max_organization_domains,
    description: 'Verified domains of the organization whose addresses sign in with the provider.',
  }),
  roles_claim: WithDefault(
    Nullable(Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'The claim with roles or groups. Null: signing in changes no role.',
    }),
    null,
  ),
  mappings: WithDescription(
    'What each value of the claim, or group of SCIM, gives.',
    WithDefault(Type.Array(ProviderMappingInput, { maxItems: limits.max_provider_mappings }), []),
  ),
  default_role: WithDescription('The role of members to whom no value gives one.', WithDefault(ProvidedRole, 'member')),
  mode: WithDescription(
    '`required` refuses passwords for addresses of the domains.',
    WithDefault(Type.Enum([...providerModes]), 'optional'),
  ),
  email_trust: WithDescription(
    '`domain` trusts addresses without `email_verified`, for providers that do not send it.',
    WithDefault(Type.Enum([...emailTrusts]), 'verified_claim'),
  ),
  just_in_time: WithDefault(
    Type.Boolean({ description: 'Whether somebody who signs in for the first time becomes a member.' }),
    true,
  ),
  emergency_access: Type.Optional(
    Nullable(Type.Array(Uuid, { maxItems: 20 }), {
      description: 'Owners who keep their password in the mode `required`; all owners if it is empty. Null keeps them.',
    }),
  ),
}

/** What a test of a provider found. */
export const ProviderTest = Type.Object({
  ok: Type.Boolean(),
  issuer: Type.String(),
  authorization_endpoint: Nullable(Type.String()),
  token_endpoint: Nullable(Type.String()),
  has_userinfo: Type.Boolean(),
  has_backchannel_logout: Type.Boolean(),
  key_count: Type.Integer({ minimum: 0, description: 'Keys that it signs with.' }),
  problems: Type.Array(Type.String()),
})

/** A token of a directory that provisions people. The token itself is shown once. */
export const ScimToken = Type.Object({
  id: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token, to identify it.' }),
  created_by: Uuid,
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
})

export type OrganizationDomain = Static<typeof OrganizationDomain>
export type OrganizationDomainState = (typeof organizationDomainStates)[number]
export type IdentityProvider = Static<typeof IdentityProvider>
export type ProviderMapping = Static<typeof ProviderMapping>
export type ProviderTest = Static<typeof ProviderTest>
export type ProvidedRole = Static<typeof ProvidedRole>
export type ScimToken = Static<typeof ScimToken>
