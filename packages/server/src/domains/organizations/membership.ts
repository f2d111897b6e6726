import { isRoleAtLeast, organizationPermissions } from '@swath/contract/access.ts'
import type { Member } from '@swath/contract/schemas/member.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { findActiveMemberRole } from './store.members.ts'
import { findMembership, type MemberRow } from './store.ts'

/** A call, or the caller with a transaction in which the members are locked. */
type MembershipCall = Pick<Call, 'organization' | 'principal'> & { readonly db: SqlStatementRunner }

/**
 * The current role of the caller in its organization: a user's own role, for an API key the role of its issuer. Null for a
 * user who left; `owner` for a service.
 */
export async function getOrganizationRole(call: MembershipCall): Promise<OrganizationRole | null> {
  const { principal } = call
  if (principal.kind === 'service') return 'owner'
  if (principal.user === null) return null
  const member = await findMembership(call.db, call.organization, principal.user)
  return member?.role ?? null
}

/** Throws `forbidden` unless the caller may administer the organization; for operations that only sometimes require it. */
export async function requireOrganizationAdmin(call: MembershipCall): Promise<void> {
  const role = await getOrganizationRole(call)
  if (role !== null && organizationPermissions.administer.roles.includes(role)) return
  throw new Problem('forbidden', 'Only owners and admins of the organization may do this.')
}

/** Throws `forbidden` if the other role is higher than that of the caller: nobody grants one. */
export async function requireRoleAtLeast(call: MembershipCall, other: OrganizationRole): Promise<void> {
  const role = await getOrganizationRole(call)
  if (role !== null && isRoleAtLeast(role, other)) return
  throw new Problem('forbidden', `The role ${other} is higher than yours.`)
}

/**
 * Throws `forbidden` unless the caller may administer the organization and has at least the role that is to be given. Within the
 * transaction that gives it, `db` is that transaction: the caller may have lost the role meanwhile.
 */
export async function requireMayGiveRole(call: MembershipCall, role: OrganizationRole): Promise<void> {
  await requireOrganizationAdmin(call)
  await requireRoleAtLeast(call, role)
}

/**
 * Throws `forbidden` if the user is a member with a higher role than the caller: nobody acts on a higher role. Who has left or
 * was disabled has no role, so that an organization without its owner can manage what the owner has left. To be asked by every
 * operation whose contract says that it acts on members.
 *
 * @param user null for what belongs to nobody.
 */
export async function requireAuthorityOver(call: MembershipCall, user: string | null): Promise<void> {
  if (user === null || user === call.principal.user) return
  const role = await findActiveMemberRole(call.db, call.organization, user)
  if (role !== null) await requireRoleAtLeast(call, role)
}

/**
 * Requires a human for operations that give lasting power over the organization: members and keys. Throws
 * `user-required` for an API key, whatever its issuer may do, and for a token made from one.
 */
export function requireHuman(call: Pick<Call, 'principal'>, message: string): void {
  if (call.principal.kind !== 'human') throw new Problem('user-required', message)
}

/** Answers another organization than the caller's as one that does not exist. */
export function requireOwnOrganization(
  call: Pick<Call, 'organization'>,
  organization: string | null | undefined,
): void {
  if (organization !== null && organization !== undefined && organization.toLowerCase() !== call.organization) {
    throw new Problem('not-found', `No organization has the id "${organization}".`)
  }
}

/** The problem of a user who is not in the organization, whether or not the user exists. */
export const createUnknownMemberProblem = (user: string): Problem =>
  new Problem('not-found', `No member of the organization has the id "${user}".`)

/** The representation of a member. */
export const toOrganizationMember = (row: MemberRow): Member => ({
  user_id: row.user_id,
  email: row.email,
  name: row.name,
  role: row.role,
  per_order_limit_credits: row.per_order_limit_credits,
  spend_limit_credits: row.spend_limit_credits,
  created_at: row.created_at.toISOString(),
})
