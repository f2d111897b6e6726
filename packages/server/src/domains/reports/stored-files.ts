import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { listBlobAssets } from '../items/assets/store.assets.ts'
import type { StoredObjectFile } from '../usage/reconciliation/drift.ts'
import { listReportFilePaths } from './store.reports.ts'

/** Everything that an organization has in blob storage and is counted as its storage: files of items and of reports. */
export async function listStoredFiles(db: SqlStatementRunner, organization: string): Promise<StoredObjectFile[]> {
  const paths = await listReportFilePaths(db, organization)
  const reports = paths.map((object_path) => ({ asset_id: null, object_path }))
  return [...(await listBlobAssets(db, organization)), ...reports]
}
