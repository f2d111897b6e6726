import { projectsGetOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProject } from '../access.ts'
import { toProject } from '../project.ts'

export const handler = defineHandler(projectsGetOperation, async (call, input) => ({
  project: toProject(await requireProject(call, input.project_id, 'read')),
}))
