import { organizationsInvitationsResendOperation } from '@swath/contract/operations/organizations.invitations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireInvitation, renewInvitation, toInvitation, withCountedInvitation } from '../invitations/invitation.ts'
import { requireRoleAtLeast } from '../membership.ts'

export const handler = defineHandler(organizationsInvitationsResendOperation, async (call, { invitation_id }) => {
  const { role, email } = await requireInvitation(call, invitation_id)
  await requireRoleAtLeast(call, role)
  const row = await withCountedInvitation(call, email, () =>
    call.transaction((tx) => renewInvitation(tx, call, invitation_id)),
  )
  return { invitation: toInvitation(row, call.clock.now()) }
})
