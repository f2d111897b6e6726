import type { Principal } from './call.ts'
import { Problem } from './problem.ts'

/** The calling API key, for entities that are created with it and end with it; null for a user. */
export const getCallingApiKeyId = ({ kind, id }: Principal): string | null => (kind === 'api_key' ? id : null)

/** The organization of a caller; throws `no-organization` if there is none. */
export function requireOrganization({ organization }: Principal): string {
  if (organization === null) throw new Problem('no-organization', 'You do not belong to an organization.')
  return organization
}
