import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { task } from '../../engine/task.ts'
import { listBlobAssets } from './store.assets.ts'
import { freeBlobsTask } from './tombstone.ts'

/**
 * Deletes objects whose last asset was deleted. No asset can start to share them: copying an item locks it against
 * deletion.
 */
export const freeBlobs = task(
  freeBlobsTask,
  Type.Object({ organization_id: Uuid, paths: Type.Array(Type.String()) }),
  { limit: 5, delay_s: 60, backoff: true, expire_s: 600 },
  async (job, { organization_id, paths }) => {
    const kept = await listBlobAssets(job.database.of(organization_id), organization_id, paths)
    const shared = new Set(kept.map(({ object_path }) => object_path))
    for (const path of paths) {
      job.signal.throwIfAborted()
      if (!shared.has(path)) await job.blobs.delete(path)
    }
  },
)
