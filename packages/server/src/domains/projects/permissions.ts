import { organizationPermissions, type OrganizationPermission } from '@swath/contract/access.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { getOrganizationRole } from '../organizations/membership.ts'
import { findFirstWritableProject } from './access.ts'

type PermissionCall = Pick<Call, 'organization' | 'principal' | 'db'>

/**
 * True if the current role of the caller grants a permission in its organization; an API key has the permissions of its
 * issuer.
 */
export async function hasOrganizationPermission(
  call: PermissionCall,
  permission: OrganizationPermission,
): Promise<boolean> {
  const { roles, includesProjectWriters = false } = organizationPermissions[permission]
  const role = await getOrganizationRole(call)
  if (role === null) return false
  return roles.includes(role) || (includesProjectWriters && (await findFirstWritableProject(call)) !== null)
}

/** Throws `forbidden` for those to whom the contract does not grant the permission. */
export async function requireOrganizationPermission(
  call: PermissionCall,
  permission: OrganizationPermission,
): Promise<void> {
  if (await hasOrganizationPermission(call, permission)) return
  const { roles, includesProjectWriters = false } = organizationPermissions[permission]
  const others = includesProjectWriters ? ', and who may write in one of its projects,' : ''
  throw new Problem(
    'forbidden',
    `Only the organization's members with the role ${formatChoice(roles)}${others} may do this.`,
  )
}

const formatChoice = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
