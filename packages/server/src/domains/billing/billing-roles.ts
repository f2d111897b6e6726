import { organizationRolesByPermission, type OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { getOrganizationRole } from '../organizations/membership.ts'

const billingRoles: ReadonlySet<OrganizationRole | null> = new Set(organizationRolesByPermission.billing)

/** True for owners, admins and the billing role, who may read all billing data; an API key has the role of its creator. */
export const hasBillingRole = async (call: Pick<Call, 'organization' | 'principal' | 'db'>): Promise<boolean> =>
  billingRoles.has(await getOrganizationRole(call))

/**
 * Required for payments, refunds and cards. Throws `forbidden` for everyone but owners, admins and the billing role; an
 * API key has the permissions of its creator.
 */
export async function requireBillingRole(call: Pick<Call, 'organization' | 'principal' | 'db'>): Promise<void> {
  if (await hasBillingRole(call)) return
  throw new Problem('forbidden', 'Only owners, admins and the billing role of the organization may do this.')
}
