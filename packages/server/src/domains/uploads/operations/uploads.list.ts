import { uploadsListOperation } from '@swath/contract/operations/uploads.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { requireProject, listReadableProjectIds } from '../../projects/access.ts'
import { listUploads } from '../store.ts'
import { toUploads } from '../upload.ts'

export const handler = defineHandler(uploadsListOperation, async (call, input) => {
  const { project_id, status = null, limit, offset } = input
  if (project_id) await requireProject(call, project_id, 'read')
  const projects = project_id ? [project_id] : await listReadableProjectIds(call)
  const { rows, total } = await listUploads(call.db, call.organization, { projects, status, limit, offset })
  return toListPage('uploads', { rows: await toUploads(call.db, call.organization, rows), total }, input)
})
