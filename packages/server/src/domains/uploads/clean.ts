import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { getItemFolder } from '../items/item-folder.ts'
import { clearMultipartUploads } from './presigned-urls.ts'
import { getUploadBlobPrefix } from './object-paths.ts'
import { removeObjectsInFolder } from './remove-folder.ts'
import { findUpload } from './store.ts'
import { listUploadFiles } from './store.files.ts'
import { markUploadUrlsClosed } from './store.upload-urls.ts'

/** A PUT that began before its URL expired has ended after this long. */
const max_late_put_ms = 24 * 3_600_000

/**
 * Removes the objects of an ended session: received files and parts, and the output of files that were not ingested. False
 * if the session has not ended.
 */
export async function removeUploadObjects(
  db: DbConnection,
  blobs: BlobStore,
  organization: string,
  id: string,
): Promise<boolean> {
  const row = await findUpload(db, organization, id)
  if (!row || row.expires_at !== null || row.status === 'ingesting') return false
  for (const file of await listUploadFiles(db, organization, id)) {
    if (file.part_upload !== null) await blobs.abortMultipartUpload(file.object_path, file.part_upload)
    if (file.status !== 'ingested') await removeObjectsInFolder(blobs, getItemFolder(organization, file.id))
  }
  await blobs.abortAllMultipartUploads(getUploadBlobPrefix(organization, id))
  await removeObjectsInFolder(blobs, getUploadBlobPrefix(organization, id))
  await clearMultipartUploads({ db, organization }, id)
  return true
}

interface CleaningDependencies {
  readonly db: DbConnection
  readonly organization: string
  readonly blobs: BlobStore
  /** The clock of the process, by which URLs expire. */
  readonly clock: Clock
}

/** Removes the objects of an ended session after its last URL has expired. False if the session has not ended. */
export async function removeExpiredUploadObjects(
  { db, organization, blobs, clock }: CleaningDependencies,
  id: string,
): Promise<boolean> {
  if (!(await removeUploadObjects(db, blobs, organization, id))) return false
  const cleanAgainAt = new Date(clock.now().getTime() + max_late_put_ms)
  await db.transaction((tx) => markUploadUrlsClosed(tx, organization, id, cleanAgainAt))
  return true
}
