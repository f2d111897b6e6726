import { projectsListOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toProjectReadAccess } from '../access.ts'
import { toProject } from '../project.ts'
import { listProjects } from '../store.ts'

export const handler = defineHandler(projectsListOperation, async (call, input) => {
  const { rows, total } = await listProjects(call.db, toProjectReadAccess(call), input)
  return toListPage('projects', { rows: rows.map(toProject), total }, input)
})
