import { projectsUpdateOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProject } from '../access.ts'
import { changeProject } from '../change-project.ts'

export const handler = defineHandler(projectsUpdateOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'admin', { allowArchived: input.is_archived === false })
  return changeProject(call, input.project_id, input)
})
