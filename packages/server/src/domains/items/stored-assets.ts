import type { Queryable } from '../../platform/database/database.ts'
import { listBlobAssets, type BlobAsset } from './store.assets.ts'

/** The assets of an organization whose bytes lie with us; what is deleted is not among them. */
export const listStoredAssets = (db: Queryable, organization: string): Promise<BlobAsset[]> =>
  listBlobAssets(db, organization)
