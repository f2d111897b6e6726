import { intersectScopes, isPrivilegedScope, isRequestableScope, openIdScopes } from '@swath/contract/scopes.ts'
import type { Principal } from '../../engine/call.ts'
import { getFormField, OAuthProblem } from './oauth.ts'

/** The scopes of a request for tokens. */
export interface RequestedScopes {
  /** True if the client asked for an ID token. */
  readonly openid: boolean
  /** The scopes of resources; null if the request names none. */
  readonly resources: readonly string[] | null
}

/** Scopes of OpenID Connect core 5.4 whose claims nobody has here: clients may ask for them in vain. */
const scopesWithoutClaims: readonly string[] = ['address', 'phone']

/** Reads the parameter `scope` (RFC 6749 3.3); the text of an error for scopes that do not exist. */
export function parseRequestedScopes(text: string | null): RequestedScopes | { readonly error: string } {
  const names = (text ?? '').split(' ').filter((name) => name !== '')
  const resources = names.filter((name) => !openIdScopes.includes(name) && !scopesWithoutClaims.includes(name))
  const unknown = resources.find((name) => !isRequestableScope(name))
  if (unknown !== undefined) return { error: `There is no scope "${unknown.slice(0, 100)}".` }
  return { openid: names.includes('openid'), resources: resources.length === 0 ? null : [...new Set(resources)] }
}

/**
 * The scopes of a new session: those that the principal has and the client asked for. Without any in the request all that are
 * not privileged, and those that are stored on an API key, which somebody asked for when it was made. Empty if the principal has
 * none of them.
 */
export function chooseSessionScopes(
  { kind, scopes }: Pick<Principal, 'kind' | 'scopes'>,
  requested: readonly string[] | null,
): readonly string[] {
  if (requested !== null) return intersectScopes(requested, scopes)
  return kind === 'api_key' ? scopes : scopes.filter((scope) => !isPrivilegedScope(scope))
}

/** The principal with no more than the scopes of its token. Without those of administrators it is not one. */
export function narrowPrincipal(principal: Principal, token_scopes: readonly string[] | null): Principal {
  if (token_scopes === null) return principal
  const scopes = intersectScopes(token_scopes, principal.scopes)
  const administrator = principal.administrator && scopes.includes('admin:*')
  return {
    ...principal,
    scopes,
    administrator,
    ...(principal.kind === 'api_key' ? { key_scopes: principal.scopes } : {}),
  }
}

export const createInvalidScopeProblem = (description: string): OAuthProblem =>
  new OAuthProblem('invalid_scope', description)

/** The scopes of resources that the form asks for; null for none. Throws `invalid_scope` for one that does not exist. */
export function readRequestedScopes(form: URLSearchParams): readonly string[] | null {
  const requested = parseRequestedScopes(getFormField(form, 'scope'))
  if ('error' in requested) throw createInvalidScopeProblem(requested.error)
  return requested.resources
}

/** Throws `invalid_scope` for a principal that has none of the requested scopes. */
export function requireSessionScopes(principal: Principal, requested: readonly string[] | null): readonly string[] {
  const scopes = chooseSessionScopes(principal, requested)
  if (scopes.length === 0 && requested !== null) throw createInvalidScopeProblem('You have none of these scopes.')
  return scopes
}
