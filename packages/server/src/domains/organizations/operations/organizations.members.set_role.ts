import { organizationsMembersSetRoleOperation } from '@swath/contract/operations/organizations.members.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { changeMemberRole, lockMemberForChange } from '../change-member.ts'
import { requireAuthorityOver, requireMayGiveRole, requireRoleAtLeast, toOrganizationMember } from '../membership.ts'

export const handler = defineHandler(organizationsMembersSetRoleOperation, async (call, { user_id, role }) => {
  await requireAuthorityOver(call, user_id)
  await requireRoleAtLeast(call, role)
  // Unscoped, because every process must be notified of a role that changes.
  const member = await call.unscoped.transaction(async (tx) => {
    const locked = await lockMemberForChange(tx, call, user_id)
    // Again under the lock: who was demoted meanwhile would give the former role back.
    await requireMayGiveRole({ organization: call.organization, principal: call.principal, db: tx }, role)
    const changed = await changeMemberRole(tx, call, locked, role)
    await publishPrincipalChange(tx, `user:${changed.user_id}`)
    return changed
  })
  return { member: toOrganizationMember(member) }
})
