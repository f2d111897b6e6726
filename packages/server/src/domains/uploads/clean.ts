import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Db } from '../../platform/database/database.ts'
import { endSendings } from './bucket-addresses.ts'
import { folderOfFile, folderOfUpload } from './object-paths.ts'
import { removeFolder } from './remove-folder.ts'
import { findUpload } from './store.ts'
import { listFiles } from './store.files.ts'

/**
 * Removes the objects of an ended session: received files and parts, and the output of files that were not ingested. False
 * if the session has not ended.
 */
export async function cleanUpload(db: Db, blobs: Blobs, organization: string, id: string): Promise<boolean> {
  const row = await findUpload(db, organization, id)
  if (!row || row.expires_at !== null || row.status === 'ingesting') return false
  for (const file of await listFiles(db, organization, id)) {
    if (file.part_upload !== null) await blobs.dropParts(file.object_path, file.part_upload)
    if (file.status !== 'ingested') await removeFolder(blobs, folderOfFile(organization, file.id))
  }
  await blobs.dropAllParts(folderOfUpload(organization, id))
  await removeFolder(blobs, folderOfUpload(organization, id))
  await endSendings({ db, organization }, id)
  return true
}
