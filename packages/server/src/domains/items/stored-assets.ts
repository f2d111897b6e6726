import type { Queryable } from '../../platform/database/database.ts'
import { listBlobAssets, type BlobAsset } from './store.assets.ts'

export type { BlobAsset } from './store.assets.ts'

/** The assets of an organization whose bytes lie with us, or the named one alone; what is deleted is not among them. */
export const listStoredAssets = (
  db: Queryable,
  organization: string,
  asset_id: string | null = null,
): Promise<BlobAsset[]> => listBlobAssets(db, organization, asset_id)
