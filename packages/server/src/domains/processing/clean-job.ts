import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { removeFolder } from '../uploads/remove-folder.ts'
import { itemFolder, jobFolder } from './job-plan.ts'
import { findPlannedFiles } from './store.files.ts'

/**
 * Removes what an ended job has left in blob storage: the files of items that were not registered, and uploads of an outside
 * worker. Does nothing for an open job.
 */
export async function removeResultFiles(
  db: DbConnection,
  blobs: BlobStore,
  organization: string,
  id: string,
): Promise<void> {
  const job = await findPlannedFiles(db, organization, id)
  if (!job?.has_ended) return
  await removeFolder(blobs, jobFolder(organization, id))
  if (job.is_completed) return
  for (const item of job.planned_item_ids) await removeFolder(blobs, itemFolder(organization, item))
}
