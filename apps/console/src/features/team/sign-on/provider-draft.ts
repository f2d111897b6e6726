import type { IdentityProvider, InputOf, ProjectMembership } from '@swath/client/operations.ts'

type ProviderInput = InputOf<'organizations.provider.set'>

export const providedRoles = ['admin', 'billing', 'member'] as const
export type MappedRole = (typeof providedRoles)[number]

/** What a group gives; an empty role is none. */
export interface MappingDraft {
  readonly value: string
  readonly role: MappedRole | ''
  readonly projects: readonly ProjectMembership[]
}

/** What a person has entered of a provider. */
export interface ProviderDraft {
  readonly issuer: string
  readonly clientId: string
  /** Empty: the stored one is kept. */
  readonly clientSecret: string
  /** Separated by spaces. */
  readonly scopes: string
  readonly domains: readonly string[]
  readonly mode: IdentityProvider['mode']
  readonly emergency: readonly string[]
  readonly trust: IdentityProvider['email_trust']
  readonly isJustInTime: boolean
  readonly rolesClaim: string
  readonly defaultRole: MappedRole
  readonly mappings: readonly MappingDraft[]
}

const toMappedRole = (role: string | null): MappedRole | '' => providedRoles.find((known) => known === role) ?? ''

/** The beginning of the form: the provider, or the defaults with all verified domains. */
export const createProviderDraft = (provider: IdentityProvider | null, verified: readonly string[]): ProviderDraft => ({
  issuer: provider?.issuer ?? '',
  clientId: provider?.client_id ?? '',
  clientSecret: '',
  scopes: (provider?.scopes ?? ['openid', 'email', 'profile']).join(' '),
  domains: provider?.domains ?? verified,
  mode: provider?.mode ?? 'optional',
  emergency: provider?.emergency_access ?? [],
  trust: provider?.email_trust ?? 'verified_claim',
  isJustInTime: provider?.just_in_time ?? true,
  rolesClaim: provider?.roles_claim ?? '',
  defaultRole: toMappedRole(provider?.default_role ?? null) || 'member',
  mappings: (provider?.mappings ?? []).map(({ value, role, projects }) => ({
    value,
    role: toMappedRole(role),
    projects,
  })),
})

const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

export const isProviderComplete = ({ issuer, clientId, scopes, domains, mappings }: ProviderDraft): boolean =>
  issuer.trim() !== '' &&
  clientId.trim() !== '' &&
  splitWords(scopes).length > 0 &&
  domains.length > 0 &&
  mappings.every(({ value }) => value.trim() !== '')

/**
 * The settings of a draft.
 *
 * @param isOwner only owners say who keeps a password; those of another person stay as they are.
 */
export function toProviderInput(draft: ProviderDraft, isOwner: boolean): ProviderInput {
  const { clientSecret, rolesClaim, mappings } = draft
  return {
    issuer: draft.issuer.trim(),
    client_id: draft.clientId.trim(),
    client_secret: clientSecret === '' ? null : clientSecret,
    scopes: splitWords(draft.scopes),
    domains: [...draft.domains],
    roles_claim: rolesClaim.trim() === '' ? null : rolesClaim.trim(),
    mappings: mappings.map(({ value, role, projects }) => ({
      value: value.trim(),
      role: role === '' ? null : role,
      projects: [...projects],
    })),
    default_role: draft.defaultRole,
    mode: draft.mode,
    email_trust: draft.trust,
    just_in_time: draft.isJustInTime,
    emergency_access: isOwner ? [...draft.emergency] : null,
  }
}
