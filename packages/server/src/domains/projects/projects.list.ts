import { projectsList } from '@swath/contract/operations/projects.ts'
import { handler } from '../../engine/handler.ts'
import { readerOf } from './access.ts'
import { projectOf } from './project.ts'
import { listProjects } from './store.ts'

export const listVisibleProjects = handler(projectsList, async (call, input) => {
  const { include_archived, limit, offset } = input
  const { projects, total } = await listProjects(call.db, readerOf(call), { include_archived, limit, offset })
  return { projects: projects.map(projectOf), limit, offset, total }
})
