import { projectsGet } from '@swath/contract/operations/projects.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject } from './access.ts'
import { projectOf } from './project.ts'

export const getProject = handler(projectsGet, async (call, input) => ({
  project: projectOf(await requireProject(call, input.project_id, 'read')),
}))
