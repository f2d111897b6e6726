import type { DeliveryManifest } from '@swath/contract/shapes/order.ts'
import type { Call } from '../../engine/call.ts'
import { assetHref } from './item.ts'
import { stacItemOf } from './stac-feature.ts'
import { assetsOfItems, type AssetRow } from './store.assets.ts'
import { listItemsOfOrder } from './store.ts'

type Feature = DeliveryManifest['features'][number]

/** The items that an order delivered, with their files, as the features of its manifest. */
export async function orderManifest(call: Call, order_id: string): Promise<Feature[]> {
  const items = await listItemsOfOrder(call.db, call.organization, order_id)
  const assets = await assetsOfItems(
    call.db,
    call.organization,
    items.map((item) => item.id),
  )
  return items.map((item) => {
    const own = assets.get(item.id) ?? []
    return {
      type: 'Feature',
      id: item.stac_id,
      item_id: item.id,
      collection: item.collection_id,
      geometry: item.geometry,
      bbox: item.bbox,
      properties: { datetime: item.datetime?.toISOString() ?? null, gsd: item.gsd },
      stac_extensions: stacItemOf(item, own, call.baseUrl).stac_extensions ?? [],
      assets: Object.fromEntries(own.map((asset) => [asset.key, manifestAsset(asset, call.baseUrl)])),
    }
  })
}

const manifestAsset = (asset: AssetRow, base: string) => ({
  id: asset.id,
  media_type: asset.media_type,
  roles: asset.roles,
  file_size_bytes: asset.file_size_bytes,
  band_names: asset.band_names,
  href: assetHref(base, asset.item_id, asset.id),
  ready: asset.ready,
})
