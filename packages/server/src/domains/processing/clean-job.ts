import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { findReferencedBlobPaths } from '../items/assets/store.assets.ts'
import { getItemFolder } from '../items/item-folder.ts'
import { listObjectsInFolder, removeObjectsInFolder } from '../uploads/remove-folder.ts'
import { getJobUploadFolder, getRunFolder } from './job-plan.ts'
import type { JobRow } from './store.ts'
import { findPlannedJobItems } from './store.files.ts'

/**
 * Removes what an ended job has left in blob storage: files that were not registered, of the job or of a run whose process
 * was killed before another one completed it, and uploads of an outside worker. Does nothing for an open job.
 */
export async function removeUnregisteredJobFiles(
  db: DbConnection,
  blobs: BlobStore,
  organization: string,
  id: string,
): Promise<void> {
  const job = await findPlannedJobItems(db, organization, id)
  if (!job?.has_ended) return
  await removeObjectsInFolder(blobs, getJobUploadFolder(organization, id))
  for (const item of job.planned_item_ids) {
    const folder = getItemFolder(organization, item)
    await (job.is_completed
      ? removeUnregisteredFiles(db, blobs, organization, folder)
      : removeObjectsInFolder(blobs, folder))
  }
}

/** Removes the files of a folder that no asset refers to. */
async function removeUnregisteredFiles(
  db: DbConnection,
  blobs: BlobStore,
  organization: string,
  folder: string,
): Promise<void> {
  const paths = await listObjectsInFolder(blobs, folder)
  const registered = await findReferencedBlobPaths(db, organization, paths)
  for (const path of paths) if (!registered.has(path)) await blobs.delete(path)
}

/**
 * Removes what one run has stored, unless it was registered: a transaction that failed may have committed, if the connection
 * was lost meanwhile.
 */
export async function removeRunFiles(
  db: DbConnection,
  blobs: BlobStore,
  { organization_id, plan }: Pick<JobRow, 'organization_id' | 'plan'>,
  run: string,
): Promise<void> {
  for (const { id } of plan.items)
    await removeUnregisteredFiles(db, blobs, organization_id, getRunFolder(organization_id, id, run))
}
