import { projectsUpdateMemberOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { emitStoppedDelegations } from '../../organizations/delegations.ts'
import { requireProjectRole } from '../access.ts'
import {
  lockProjectMembers,
  toProjectMember,
  requireProjectMember,
  requireOtherProjectOwner,
  requireOwnerToAssignOwner,
  normalizeProjectRole,
} from '../members.ts'
import { updateProjectMember } from '../store.members.ts'

export const handler = defineHandler(projectsUpdateMemberOperation, async (call, input) => {
  const { project_id, user_id } = input
  const role = normalizeProjectRole(input.role)
  const { role: caller } = await requireProjectRole(call, project_id, 'admin')

  return call.transaction(async (tx) => {
    await lockProjectMembers(tx, call, project_id)
    const member = await requireProjectMember(tx, call, project_id, user_id)
    requireOwnerToAssignOwner(caller, role, member.role)
    if (role !== 'owner') await requireOtherProjectOwner(tx, call, member)
    await updateProjectMember(tx, {
      organization_id: call.organization,
      project_id,
      user_id,
      role,
      updated_at: call.clock.now(),
    })
    await emitStoppedDelegations(tx, call, { user: user_id })
    return toProjectMember({ ...member, role })
  })
})
