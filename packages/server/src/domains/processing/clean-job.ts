import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { findAssetsByItem } from '../items/assets/store.assets.ts'
import { itemFolder } from '../items/item-folder.ts'
import { removeFolder } from '../uploads/remove-folder.ts'
import { jobFolder, runFolder } from './job-plan.ts'
import type { JobRow } from './store.ts'
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
  const ids = plan.items.map(({ id }) => id)
  const assets = await findAssetsByItem(db, organization_id, ids)
  for (const id of ids) {
    const folder = runFolder(organization_id, id, run)
    const isRegistered = assets.get(id)?.some(({ blob_path }) => blob_path?.startsWith(`${folder}/`))
    if (!isRegistered) await removeFolder(blobs, folder)
  }
}
