import { defineTask, createTaskActor } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { getOrganizationBlobPrefix } from '../../usage/stored-bytes.ts'
import { lockItems, listLiveItemIds } from '../store.item-lifecycle.ts'
import { tombstoneItems } from '../tombstone.ts'

const batch_size = 500

/**
 * Deletes the imagery of an organization that was closed: its items become tombstones in batches, each in a transaction of its
 * own, then every object of the organization is deleted, also those of uploads, jobs and reports. What was deleted stays so if
 * the task is repeated.
 */
export const purgeOrganizationTask = defineTask(
  backgroundTaskTypes.purgeOrganization,
  { limit: 10, delay_s: 60, backoff: true, expire_s: 3600 },
  async (context, { organization_id }) => {
    const actor = createTaskActor(context, organization_id)
    const db = context.database.forOrganization(organization_id, 'background')
    const purgeBatch = (): Promise<number> =>
      db.transaction(async (tx) => {
        const ids = await listLiveItemIds(tx, organization_id, batch_size)
        await lockItems(tx, organization_id, ids)
        await tombstoneItems(tx, actor, ids)
        return ids.length
      })
    while ((await purgeBatch()) > 0) context.signal.throwIfAborted()
    for await (const { path } of context.blobs.list(`${getOrganizationBlobPrefix(organization_id)}/`)) {
      context.signal.throwIfAborted()
      await context.blobs.delete(path)
    }
  },
)
