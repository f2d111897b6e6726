import { projectsRemoveMemberOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { emitStoppedDelegations } from '../../organizations/delegations.ts'
import { requireProjectRole } from '../access.ts'
import {
  lockProjectMembers,
  requireProjectMember,
  requireOtherProjectOwner,
  requireOwnerToAssignOwner,
} from '../members.ts'
import { deleteProjectMember } from '../store.members.ts'

export const handler = defineHandler(projectsRemoveMemberOperation, async (call, input) => {
  const { project_id, user_id } = input
  const { role: caller } = await requireProjectRole(call, project_id, 'admin')

  await call.transaction(async (tx) => {
    await lockProjectMembers(tx, call, project_id)
    const member = await requireProjectMember(tx, call, project_id, user_id)
    requireOwnerToAssignOwner(caller, member.role)
    await requireOtherProjectOwner(tx, call, member)
    await deleteProjectMember(tx, call.organization, project_id, user_id)
    await emitStoppedDelegations(tx, call, { user: user_id })
  })
  return { ok: true }
})
