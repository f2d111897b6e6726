import { projectsAddMemberOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireProjectRole } from '../access.ts'
import {
  lockProjectMembers,
  toProjectMember,
  requireProjectMember,
  requireOwnerToAssignOwner,
  normalizeProjectRole,
} from '../members.ts'
import { insertProjectMember, isOrganizationMember } from '../store.members.ts'

export const handler = defineHandler(projectsAddMemberOperation, async (call, input) => {
  const { project_id, user_id } = input
  const role = normalizeProjectRole(input.role)
  const { role: caller } = await requireProjectRole(call, project_id, 'admin')
  requireOwnerToAssignOwner(caller, role)

  return call.transaction(async (tx) => {
    await lockProjectMembers(tx, call, project_id)
    if (!(await isOrganizationMember(tx, call.organization, user_id))) {
      throw new Problem('not-found', `No member of the organization has the id "${user_id}".`)
    }
    const isAdded = await insertProjectMember(tx, {
      organization_id: call.organization,
      project_id,
      user_id,
      role,
      created_at: call.clock.now(),
    })
    if (!isAdded)
      throw new Problem('invalid-state', 'The user is already a member of the project; change the role instead.')
    return toProjectMember(await requireProjectMember(tx, call, project_id, user_id))
  })
})
