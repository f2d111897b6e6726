import type { Bundle } from '@swath/contract/schemas/clients/bundle.ts'
import type { Call } from '../../../engine/call.ts'
import { itemNotFound, requireItem } from '../access.ts'
import { findBundle, type BundleRow } from './store.bundles.ts'

export const toBundle = (organization: string, row: BundleRow): Bundle => ({
  id: row.id,
  accountId: organization,
  workspaceId: row.project_id,
  name: row.name,
  title: typeof row.title === 'string' ? row.title : null,
  tags: Array.isArray(row.tags) ? row.tags.filter((tag) => typeof tag === 'string') : [],
  size: row.size,
  contentType: 'application/zip',
  source: row.source,
  orderId: row.order_id,
  productId: row.data_product_id,
  collectionName: row.host_collection,
  producerName: row.producer,
  geospatialMetadataExtractionStatus: row.has_geometry ? 'SUCCESSFUL' : 'NOT_PROCESSED',
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** The item as a bundle, if the caller may read it. Throws what `requireItem` throws. */
export async function readBundle(call: Call, id: string): Promise<Bundle> {
  const item = await requireItem(call, id, 'read')
  const row = await findBundle(call.db, call.organization, item.id)
  if (!row) throw itemNotFound(id)
  return toBundle(call.organization, row)
}
