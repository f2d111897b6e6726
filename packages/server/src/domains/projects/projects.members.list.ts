import { projectsMembersList } from '@swath/contract/operations/projects.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject } from './access.ts'
import { memberOf } from './members.ts'
import { listProjectMembers } from './store.members.ts'

export const listMembersOfProject = handler(projectsMembersList, async (call, input) => {
  await requireProject(call, input.project_id, 'read')
  const rows = await listProjectMembers(call.db, call.organization, input.project_id)
  return { members: rows.map(memberOf), ...wholeWindow(rows) }
})
