import { organizationsTransferOwnershipOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { transferOwnership } from '../change-member.ts'
import { createUnknownMemberProblem, requireAuthorityOver, toOrganizationMember } from '../membership.ts'
import { lockOwnersAndMembers } from '../store.members.ts'

export const handler = defineHandler(organizationsTransferOwnershipOperation, async (call, input) => {
  const { organization, principal } = call
  const user = input.user_id.toLowerCase()
  await requireAuthorityOver(call, user)
  // Unscoped, because every process must be notified of the roles that change.
  const members = await call.unscoped.transaction(async (tx) => {
    const locked = await lockOwnersAndMembers(tx, organization, [user, principal.id])
    const [from, to] = [principal.id, user].map((id) => locked.find(({ user_id }) => user_id === id))
    if (!to) throw createUnknownMemberProblem(input.user_id)
    if (from?.role !== 'owner') throw new Problem('invalid-state', 'You do not own the organization any more.')
    if (to.role === 'owner' || to.disabled_at !== null)
      throw new Problem('invalid-state', 'The member owns the organization already, or is disabled.')
    for (const { user_id } of [from, to]) await publishPrincipalChange(tx, `user:${user_id}`)
    return transferOwnership(tx, call, { from, to })
  })
  return {
    owner: toOrganizationMember(members.owner),
    former_owner: toOrganizationMember(members.former_owner),
  }
})
