import { organizationsMembersAddOperation } from '@swath/contract/operations/organizations.members.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import { actorInOrganization } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { randomText } from '../../../platform/ids.ts'
import { admitMember } from '../../identity/memberships/admit-member.ts'
import { createUser, findUserByEmail } from '../../users/users.ts'
import { toOrganizationMember, requireMayGiveRole, requireOwnOrganization } from '../membership.ts'
import { findOrganization } from '../store.ts'

export const handler = defineHandler(organizationsMembersAddOperation, async (call, input) => {
  const organization_id = await resolveOrganization(call, input)
  const password = randomText(20)
  const password_hash = await call.passwords.hash(password, call.organization)

  // Unscoped: the user directory decides whether the email is free. Every write names this organization.
  return call.unscoped.transaction(async (tx) => {
    const now = call.clocks.forOrganization(organization_id).now()
    const newUser = { email: input.email, name: input.name ?? null, password_hash, password_temporary: true }
    const createdUser = await createUser(tx, { ...newUser, organization: organization_id }, now)
    // Only an operator adds an account that exists: whoever has its password need not be who has the mailbox, and an invitation asks.
    const user = createdUser ?? (call.principal.administrator ? await findUserByEmail(tx, input.email) : null)
    if (!user) throw new Problem('name-taken', 'The email belongs to an account; invite it instead.')
    // Hashing a password takes a while, in which the caller may have lost the role.
    if (organization_id === call.organization)
      await requireMayGiveRole({ organization: organization_id, principal: call.principal, db: tx }, input.role)
    const joining = { actor: actorInOrganization(call, organization_id), clocks: call.clocks }
    const { member } = await admitMember(tx, joining, { user: user.id, role: input.role, isFirst: true })
    if (!member) throw new Problem('name-taken', 'The email belongs to a user who is already in an organization.')
    return { member: toOrganizationMember(member), one_time_password: createdUser ? password : null }
  })
})

/**
 * The organization to join: the caller's own, for its owners and admins; or, for an administrator of the platform, any
 * other one, such as one that was just created for the user.
 */
async function resolveOrganization(
  call: Call,
  input: { organization_id?: string | null; role: OrganizationRole },
): Promise<string> {
  const { organization_id, role } = input
  const isOther = organization_id !== null && organization_id !== undefined && organization_id !== call.organization
  if (isOther && call.principal.administrator) {
    if (await findOrganization(call.unscoped, organization_id)) return organization_id
  }
  requireOwnOrganization(call, organization_id)
  await requireMayGiveRole(call, role)
  return call.organization
}
