import type { Queryable } from '../../../platform/database/database.ts'
import { listBlobAssets, type BlobAsset } from './store.assets.ts'

/** The assets of an organization in blob storage, except deleted ones. */
export const listStoredAssets = (db: Queryable, organization: string): Promise<BlobAsset[]> =>
  listBlobAssets(db, organization)
