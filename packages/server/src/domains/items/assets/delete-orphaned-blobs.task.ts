import { defineTask } from '../../../engine/task.ts'
import { listBlobAssets } from './store.assets.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

/**
 * Deletes objects whose last asset was deleted. No asset can start to share them: copying an item locks it against
 * deletion.
 */
export const deleteOrphanedBlobsTask = defineTask(
  backgroundTaskTypes.deleteOrphanedBlobs,
  { limit: 5, delay_s: 60, backoff: true, expire_s: 600 },
  async (context, { organization_id, paths }) => {
    const referenced = await listBlobAssets(context.database.forOrganization(organization_id), organization_id, paths)
    const referencedPaths = new Set(referenced.map(({ object_path }) => object_path))
    for (const path of paths) {
      context.signal.throwIfAborted()
      if (!referencedPaths.has(path)) await context.blobs.delete(path)
    }
  },
)
