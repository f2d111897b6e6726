import { findScopeBeyond } from '@swath/contract/scopes.ts'
import type { Principal } from './call.ts'
import { Problem } from './problem.ts'

/**
 * True for a user who signed in: no program of others, no personal access token, no token in a URL, no operator who reads as the user.
 */
export const isInteractiveUser = (principal: Principal): boolean =>
  principal.kind === 'human' &&
  principal.program === undefined &&
  principal.personal_token === undefined &&
  principal.operations === undefined &&
  principal.restriction === undefined &&
  principal.impersonator === undefined

/** True for an interactive user whom no provider of an organization signed in: that one speaks for the organization alone. */
export const isAccountOwner = (principal: Principal): boolean =>
  isInteractiveUser(principal) && principal.provider_organization === undefined

/** The calling API key, for entities that are created with it and end with it; null for a user. */
export const getCallingApiKeyId = ({ kind, id }: Principal): string | null => (kind === 'api_key' ? id : null)

/** The organization of a caller; throws `no-organization` if there is none. */
export function requireOrganization({ organization }: Principal): string {
  if (organization === null) throw new Problem('no-organization', 'You do not belong to an organization.')
  return organization
}

/** Throws `insufficient-scope` if a credential that the caller makes would have a scope that the token of the caller lacks. */
export function requireHeldScopes(
  { scopes: held }: Pick<Principal, 'scopes'>,
  granted: readonly string[],
  credential: string,
): void {
  const missing = findScopeBeyond(granted, held)
  if (missing === undefined) return
  throw new Problem('insufficient-scope', `Your token has not the scope ${missing}, which ${credential} would have.`, {
    required_scope: missing,
  })
}
