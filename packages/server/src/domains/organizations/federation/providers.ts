import type { IdentityProvider } from '@swath/contract/schemas/people/federation.ts'
import type { OpenIdClient } from '../../../platform/integrations/openid/openid-types.ts'
import { assertInvariant, Problem } from '../../../engine/problem.ts'
import type { MasterSecretSigner } from '../../../platform/crypto/signer.ts'
import type { ProviderRow } from './store.providers.ts'

export const createNoProviderProblem = (): Problem =>
  new Problem('not-found', 'The organization has no provider; set one first.')

/** Where a provider sends browsers back to. */
export const toRedirectUri = (baseUrl: string, organization: string): string =>
  `${baseUrl}/realms/public/broker/${organization}/endpoint`

/** Where a provider reports that somebody signed out. */
export const toBackchannelLogoutUri = (baseUrl: string, organization: string): string =>
  `${baseUrl}/realms/public/broker/${organization}/backchannel-logout`

/** The client that the platform is at the provider. */
export const toOpenIdClient = (
  { issuer, client_id, sealed_client_secret, scopes }: ProviderRow,
  signer: MasterSecretSigner,
): OpenIdClient => ({
  issuer,
  client_id,
  client_secret: sealed_client_secret === null ? null : openClientSecret(sealed_client_secret, signer),
  scopes,
})

const secretPurpose = 'provider-secrets'

export const sealClientSecret = (secret: string, signer: MasterSecretSigner): string =>
  signer.encrypt(secretPurpose, secret)

function openClientSecret(sealed: string, signer: MasterSecretSigner): string {
  const secret = signer.decrypt(secretPurpose, sealed)
  assertInvariant(secret !== null, 'the secret of a provider was sealed with another key')
  return secret
}

export interface ProviderPlace {
  readonly organization: string
  readonly baseUrl: string
}

/** The representation of a provider, without the secret of its client. */
export const toIdentityProvider = (row: ProviderRow, { organization, baseUrl }: ProviderPlace): IdentityProvider => ({
  id: row.id,
  issuer: row.issuer,
  client_id: row.client_id,
  has_client_secret: row.sealed_client_secret !== null,
  scopes: [...row.scopes],
  domains: [...row.domains],
  roles_claim: row.roles_claim,
  mappings: row.mappings.map((mapping) => ({ ...mapping, projects: [...mapping.projects] })),
  default_role: row.default_role,
  mode: row.mode,
  email_trust: row.email_trust,
  just_in_time: row.just_in_time,
  emergency_access: [...row.emergency_access],
  redirect_uri: toRedirectUri(baseUrl, organization),
  backchannel_logout_uri: toBackchannelLogoutUri(baseUrl, organization),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
