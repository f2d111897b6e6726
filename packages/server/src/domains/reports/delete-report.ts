import type { Call } from '../../engine/call.ts'
import { reportFolder } from './save-report.ts'
import { deleteReportRow } from './store.reports.ts'

/** Deletes the files of a report and its row. The files first: a row without files is found again, files without a row never. */
export async function deleteReport(
  { db, organization, blobs }: Pick<Call, 'db' | 'organization' | 'blobs'>,
  id: string,
): Promise<void> {
  for await (const { path } of blobs.list(`${reportFolder(id)}/`)) await blobs.delete(path)
  await deleteReportRow(db, organization, id)
}
