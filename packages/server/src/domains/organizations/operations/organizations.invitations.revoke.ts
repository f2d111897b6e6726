import { organizationsInvitationsRevokeOperation } from '@swath/contract/operations/organizations.invitations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireInvitation, revokeInvitation, toInvitation } from '../invitations/invitation.ts'
import { requireRoleAtLeast } from '../membership.ts'

export const handler = defineHandler(organizationsInvitationsRevokeOperation, async (call, { invitation_id }) => {
  const { role } = await requireInvitation(call, invitation_id)
  await requireRoleAtLeast(call, role)
  const row = await call.transaction((tx) => revokeInvitation(tx, call, invitation_id))
  return { invitation: toInvitation(row, call.clock.now()) }
})
