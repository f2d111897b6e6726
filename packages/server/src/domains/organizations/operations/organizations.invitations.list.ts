import { organizationsInvitationsListOperation } from '@swath/contract/operations/organizations.invitations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toInvitation } from '../invitations/invitation.ts'
import { listInvitations } from '../invitations/store.invitations.ts'

export const handler = defineHandler(organizationsInvitationsListOperation, async (call, input) => {
  const { state = null, limit, offset } = input
  const now = call.clock.now()
  const { rows, total } = await listInvitations(call.db, call.organization, { state, now, limit, offset })
  return toListPage('invitations', { rows: rows.map((row) => toInvitation(row, now)), total }, input)
})
