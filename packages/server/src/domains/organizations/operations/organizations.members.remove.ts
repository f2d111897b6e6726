import { organizationsMembersRemoveOperation } from '@swath/contract/operations/organizations.members.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { endMembership } from '../../identity/memberships/end-membership.ts'
import { requireAuthorityOver } from '../membership.ts'

export const handler = defineHandler(organizationsMembersRemoveOperation, async (call, input) => {
  const user = input.user_id.toLowerCase()
  if (user === call.principal.user)
    throw new Problem('invalid-state', 'You cannot remove yourself; leave the organization instead.')
  await requireAuthorityOver(call, user)
  await call.unscoped.transaction((tx) => endMembership(tx, call, { user, kind: 'member.removed' }))
  return { user_id: user }
})
