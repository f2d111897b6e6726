import { organizationsMembersSetRoleOperation } from '@swath/contract/operations/organizations.members.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { changeMemberRole, lockMemberForChange } from '../change-member.ts'
import { requireAuthorityOver, requireRoleAtLeast, toOrganizationMember } from '../membership.ts'

export const handler = defineHandler(organizationsMembersSetRoleOperation, async (call, { user_id, role }) => {
  await requireAuthorityOver(call, user_id)
  await requireRoleAtLeast(call, role)
  // Unscoped, because every process must be notified of a role that changes.
  const member = await call.unscoped.transaction(async (tx) => {
    const changed = await changeMemberRole(tx, call, await lockMemberForChange(tx, call, user_id), role)
    await publishPrincipalChange(tx, `user:${changed.user_id}`)
    return changed
  })
  return { member: toOrganizationMember(member) }
})
