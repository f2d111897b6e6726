import type { Actor } from '../../engine/actor.ts'
import type { Call } from '../../engine/call.ts'
import { getOrganizationBlobPrefix, recordStoredBytes, type StoredBytesChange } from '../usage/stored-bytes.ts'
import { getReportFolder } from './save-report.ts'
import { deleteReportRow } from './store.reports.ts'

/** The folder of reports before paths named the organization; such files were not counted as its storage. */
const earlierFolder = (id: string): string => `reports/${id}`

/** Deletes the files of a report and its row. The files first: a row without files is found again, files without a row never. */
export async function deleteReport(actor: Actor, { db, blobs }: Pick<Call, 'db' | 'blobs'>, id: string): Promise<void> {
  const { organization } = actor
  for (const folder of [getReportFolder(organization, id), earlierFolder(id)])
    for await (const { path } of blobs.list(`${folder}/`)) await blobs.delete(path)
  await db.transaction(async (tx) => {
    const files = await deleteReportRow(tx, organization, id)
    const counted = files.filter(({ blob_path }) => blob_path.startsWith(`${getOrganizationBlobPrefix(organization)}/`))
    const removals = counted.map(({ blob_path, size_bytes }): StoredBytesChange => ({
      asset_id: null,
      object_path: blob_path,
      bytes_delta: -size_bytes,
      cause: 'deleted',
    }))
    await recordStoredBytes(tx, actor, removals)
  })
}
