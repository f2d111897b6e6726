import type { DeliveryManifest } from '@swath/contract/schemas/order.ts'
import type { Call } from '../../../engine/call.ts'
import { toAsset } from '../item.ts'
import { findAssetsByItem } from './store.assets.ts'
import { listItemsOfOrder } from '../store.ts'

/** The items that an order has delivered so far as features, oldest first. Checks no permissions on the order. */
export async function createDeliveryManifest(
  call: Pick<Call, 'db' | 'organization' | 'baseUrl'>,
  order_id: string,
): Promise<DeliveryManifest['features']> {
  const items = await listItemsOfOrder(call.db, call.organization, order_id)
  const ids = items.map((item) => item.id)
  const assets = await findAssetsByItem(call.db, call.organization, ids)
  return items.map((item) => ({
    type: 'Feature' as const,
    id: item.stac_id,
    item_id: item.id,
    collection: item.collection_id,
    geometry: item.geometry,
    bbox: item.bbox,
    properties: {
      datetime: (item.datetime ?? item.start_datetime)?.toISOString() ?? null,
      gsd: item.gsd,
    },
    stac_extensions: item.stac_extensions,
    assets: Object.fromEntries(
      (assets.get(item.id) ?? []).map((row) => {
        const { id, media_type, roles, file_size_bytes, band_names, href, ready } = toAsset(row, call.baseUrl)
        return [row.key, { id, media_type, roles, file_size_bytes, band_names, href, ready }]
      }),
    ),
  }))
}
