import { projectsDelete } from '@swath/contract/operations/projects.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { entombProject } from '../items/tombstone.ts'
import { countOpenOrders } from '../orders/open-orders.ts'
import { cancelUploads } from '../uploads/cancel-uploads.ts'
import { requireProject } from './access.ts'
import { lockProject, markProjectDeleted } from './store.ts'

/** Records that must be closed before their project is deleted: their number, and a noun for the message. */
interface Blocker {
  readonly noun: string
  count(tx: Tx, organization: string, project_id: string): Promise<number>
}

/** Marks the records of a module in the project as deleted; returns the bytes that this frees. */
type Clearing = (tx: Tx, actor: Actor, project_id: string) => Promise<number>

const blockers: readonly Blocker[] = [{ noun: 'orders', count: countOpenOrders }]
const clearings: readonly Clearing[] = [entombProject]

export const deleteProject = handler(projectsDelete, async (call, input) => {
  const { project_id } = input
  await requireProject(call, project_id, 'admin', { allowArchived: true })

  const storage_freed_bytes = await call.transaction(async (tx) => {
    const found = await lockProject(tx, call.organization, project_id)
    if (!found) throw new Problem('not-found', `No project has the id "${project_id}".`)
    for (const { noun, count } of blockers) {
      const open = await count(tx, call.organization, project_id)
      if (open > 0) throw new Problem('invalid-state', `The project has open ${noun} (${open}).`, { open })
    }
    let freed = 0
    for (const clear of clearings) freed += await clear(tx, call, project_id)
    await cancelUploads(tx, call, project_id)
    await markProjectDeleted(tx, call.organization, project_id, call.clock.now())
    return freed
  })
  return { deleted: true, project_id, storage_freed_bytes }
})
