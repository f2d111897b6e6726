import type { Call, OrganizationRole } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { organizationRoleOf } from '../organizations/membership.ts'

const paying: ReadonlySet<OrganizationRole | null> = new Set(['owner', 'admin', 'billing'])

/** True for owners, admins and those of the role billing, who see all of the money; an API key is what its maker is. */
export const hasBillingRole = async (call: Pick<Call, 'organization' | 'principal' | 'db'>): Promise<boolean> =>
  paying.has(await organizationRoleOf(call))

/**
 * For what spends or gives back the organization's money, and its cards. Throws `forbidden` for everybody but owners,
 * admins and those of the role billing; an API key may what the person may who made it.
 */
export async function requireBillingRole(call: Pick<Call, 'organization' | 'principal' | 'db'>): Promise<void> {
  if (await hasBillingRole(call)) return
  throw new Problem('forbidden', 'Only owners, admins and the billing role of the organization may do this.')
}
