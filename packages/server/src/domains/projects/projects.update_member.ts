import { projectsUpdateMember } from '@swath/contract/operations/projects.ts'
import { handler } from '../../engine/handler.ts'
import { requirePerson } from '../organizations/membership.ts'
import { requireStanding } from './access.ts'
import { lockMembers, memberOf, requireMember, requireOtherOwner, requireOwnerFor, roleOf } from './members.ts'
import { updateProjectMember } from './store.members.ts'

export const changeProjectMember = handler(projectsUpdateMember, async (call, input) => {
  requirePerson(call, 'Only a user can change roles in a project.')
  const { project_id, user_id } = input
  const role = roleOf(input.role)
  const { role: caller } = await requireStanding(call, project_id, 'admin')

  return call.transaction(async (tx) => {
    await lockMembers(tx, call, project_id)
    const member = await requireMember(tx, call, project_id, user_id)
    requireOwnerFor(caller, role, member.role)
    if (role !== 'owner') await requireOtherOwner(tx, call, member)
    await updateProjectMember(tx, {
      organization_id: call.organization,
      project_id,
      user_id,
      role,
      updated_at: call.clock.now(),
    })
    return memberOf({ ...member, role })
  })
})
