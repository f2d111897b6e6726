import { projectsDeleteOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import { tombstoneProjectContents } from '../../items/tombstone.ts'
import { countOpenOrders } from '../../orders/store.lists.ts'
import { countOpenJobs } from '../../processing/store.lists.ts'
import { cancelProjectUploads } from '../../uploads/cancel-uploads.ts'
import { requireProject } from '../access.ts'
import { lockProjectForUpdate, markProjectDeleted } from '../store.ts'

/** Records that must be closed before their project is deleted: their number, and a noun for the message. */
interface DeletionBlocker {
  readonly noun: string
  count(tx: Tx, organization: string, project_id: string): Promise<number>
}

/** Marks the records of a module in the project as deleted; returns the bytes that this frees. */
type ProjectCleanup = (tx: Tx, actor: Actor, project_id: string) => Promise<number>

const blockers: readonly DeletionBlocker[] = [
  { noun: 'orders', count: countOpenOrders },
  { noun: 'jobs', count: countOpenJobs },
]
const cleanups: readonly ProjectCleanup[] = [tombstoneProjectContents]

export const handler = defineHandler(projectsDeleteOperation, async (call, input) => {
  const { project_id } = input
  await requireProject(call, project_id, 'admin', { allowArchived: true })

  const storage_freed_bytes = await call.transaction(async (tx) => {
    const exists = await lockProjectForUpdate(tx, call.organization, project_id)
    if (!exists) throw new Problem('not-found', `No project has the id "${project_id}".`)
    for (const { noun, count } of blockers) {
      const open = await count(tx, call.organization, project_id)
      if (open > 0) throw new Problem('invalid-state', `The project has open ${noun} (${open}).`, { open })
    }
    let freed_bytes = 0
    for (const cleanUp of cleanups) freed_bytes += await cleanUp(tx, call, project_id)
    await cancelProjectUploads(tx, call, project_id)
    await markProjectDeleted(tx, call.organization, project_id, call.clock.now())
    return freed_bytes
  })
  return { deleted: true, project_id, storage_freed_bytes }
})
