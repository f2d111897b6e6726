import { organizationsInvitationsCreateOperation } from '@swath/contract/operations/organizations.invitations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readProjectMemberships } from '../../projects/project-memberships.ts'
import { createInvitation, toInvitation, withCountedInvitation } from '../invitations/invitation.ts'
import { requireRoleAtLeast } from '../membership.ts'

export const handler = defineHandler(
  organizationsInvitationsCreateOperation,
  async (call, { email, role, projects }) => {
    await requireRoleAtLeast(call, role)
    const memberships = await readProjectMemberships(call.db, call.organization, projects ?? [])
    const invitation = { email, role, projects: memberships }
    const row = await withCountedInvitation(call, email, () =>
      call.transaction((tx) => createInvitation(tx, call, invitation)),
    )
    return { invitation: toInvitation(row, call.clock.now()) }
  },
)
