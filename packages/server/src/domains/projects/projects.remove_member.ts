import { projectsRemoveMember } from '@swath/contract/operations/projects.ts'
import { handler } from '../../engine/handler.ts'
import { requirePerson } from '../organizations/membership.ts'
import { requireStanding } from './access.ts'
import { lockMembers, requireMember, requireOtherOwner, requireOwnerFor } from './members.ts'
import { deleteProjectMember } from './store.members.ts'

export const removeProjectMember = handler(projectsRemoveMember, async (call, input) => {
  requirePerson(call, 'Only a user can remove members from a project.')
  const { project_id, user_id } = input
  const { role: caller } = await requireStanding(call, project_id, 'admin')

  await call.transaction(async (tx) => {
    await lockMembers(tx, call, project_id)
    const member = await requireMember(tx, call, project_id, user_id)
    requireOwnerFor(caller, member.role)
    await requireOtherOwner(tx, call, member)
    await deleteProjectMember(tx, call.organization, project_id, user_id)
  })
  return { ok: true }
})
