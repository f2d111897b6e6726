import { projectsMembersListOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireProject } from '../access.ts'
import { toProjectMember } from '../members.ts'
import { listProjectMembers } from '../store.members.ts'

export const handler = defineHandler(projectsMembersListOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'read')
  const rows = await listProjectMembers(call.db, call.organization, input.project_id)
  return toCompleteList('members', rows.map(toProjectMember))
})
