import { projectsArchiveOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProject } from '../access.ts'
import { changeProject } from '../change-project.ts'

export const handler = defineHandler(projectsArchiveOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'admin', { allowArchived: true })
  return changeProject(call, input.project_id, { ...input, is_archived: input.is_archived ?? true })
})
