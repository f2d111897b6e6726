import { projectsAddMember } from '@swath/contract/operations/projects.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requirePerson } from '../organizations/membership.ts'
import { requireStanding } from './access.ts'
import { lockMembers, memberOf, requireMember, requireOwnerFor, roleOf } from './members.ts'
import { insertProjectMember, isInOrganization } from './store.members.ts'

export const addProjectMember = handler(projectsAddMember, async (call, input) => {
  requirePerson(call, 'Only a user can add members to a project.')
  const { project_id, user_id } = input
  const role = roleOf(input.role)
  const { role: caller } = await requireStanding(call, project_id, 'admin')
  requireOwnerFor(caller, role)

  return call.transaction(async (tx) => {
    await lockMembers(tx, call, project_id)
    if (!(await isInOrganization(tx, call.organization, user_id))) {
      throw new Problem('not-found', `No member of the organization has the id "${user_id}".`)
    }
    const added = await insertProjectMember(tx, {
      organization_id: call.organization,
      project_id,
      user_id,
      role,
      created_at: call.clock.now(),
    })
    if (!added)
      throw new Problem('invalid-state', 'The user is already a member of the project; change the role instead.')
    return memberOf(await requireMember(tx, call, project_id, user_id))
  })
})
