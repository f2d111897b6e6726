import { projectsListOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toProjectReader } from '../access.ts'
import { toProject } from '../project.ts'
import { listProjects } from '../store.ts'

export const listVisibleProjects = defineHandler(projectsListOperation, async (call, input) => {
  const { include_archived, limit, offset } = input
  const { projects, total } = await listProjects(call.db, toProjectReader(call), { include_archived, limit, offset })
  return { projects: projects.map(toProject), limit, offset, total }
})
