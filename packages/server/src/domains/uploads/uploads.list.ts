import { uploadsList } from '@swath/contract/operations/uploads.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject, visibleProjects } from '../projects/access.ts'
import { listUploads } from './store.ts'
import { uploadsOf } from './upload.ts'

export const listSessions = handler(uploadsList, async (call, input) => {
  const { project_id, status = null, limit, offset } = input
  if (project_id) await requireProject(call, project_id, 'read')
  const projects = project_id ? [project_id] : await visibleProjects(call)
  const { rows, total } = await listUploads(call.db, call.organization, { projects, status, limit, offset })
  return { uploads: await uploadsOf(call.db, call.organization, rows), limit, offset, total }
})
