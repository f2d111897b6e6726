import type { OAuthClientGrant, OAuthClientType } from '@swath/contract/schemas/people/oauth-client.ts'
import { expandDelegatedScopes, humanScopes } from '@swath/contract/scopes.ts'
import { isUuid } from '../../../platform/ids.ts'

/** A program of others, which acts with what persons granted to it. */
export interface OAuthProgram {
  /** A UUID, or the URL of its document. */
  readonly id: string
  readonly name: string
  readonly type: OAuthClientType
  readonly redirect_uris: readonly string[]
  /** The most that it can get; concrete scopes. */
  readonly scopes: readonly string[]
  readonly grants: readonly OAuthClientGrant[]
  readonly home_url: string | null
  /** The organization that it belongs to; null for one that registered itself, or that a document describes. */
  readonly organization: string | null
  /** False for a client that only members of its organization use. */
  readonly open_to_all: boolean
  /** The SHA-256 of its secrets, with their expiry if they have one. */
  readonly secrets: readonly { readonly hash: string; readonly expires_at: Date | null }[]
}

/** The names that the token endpoint has for the grants. */
export const grantTypeNames: Readonly<Record<OAuthClientGrant, string>> = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
  client_credentials: 'client_credentials',
}

/** True for the id of a program of others. Those of the platform and of its configuration are names. */
export const isOAuthClientId = (id: string): boolean => isUuid(id) || id.startsWith('https:')

/** What a program gets that nobody chose scopes for: all that a user has, but not what makes credentials. */
export const defaultClientScopes: readonly string[] = expandDelegatedScopes(humanScopes)

/**
 * The concrete scopes that a request is for: those that it names, else all of the client. OpenID scopes alone ask for none. Null if
 * the client may have none of those that the request names.
 */
export function findWantedScopes(
  client: Pick<OAuthProgram, 'scopes'>,
  { openid, resources }: { readonly openid: boolean; readonly resources: readonly string[] | null },
): readonly string[] | null {
  if (resources === null) return openid ? [] : client.scopes
  const wanted = expandDelegatedScopes(resources)
  const allowed = client.scopes.filter((scope) => wanted.some((one) => one === scope))
  return allowed.length === 0 ? null : allowed
}
