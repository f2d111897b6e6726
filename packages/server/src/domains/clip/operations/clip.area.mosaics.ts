import { clipAreaMosaicsOperation } from '@swath/contract/operations/clip.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { findAssetsByItem } from '../../items/assets/store.assets.ts'
import { requireAreaMosaics } from '../areas.ts'

export const handler = defineHandler(clipAreaMosaicsOperation, async (call, { area }) => {
  const mosaics = await requireAreaMosaics(call, area)
  const ids = mosaics.map(({ item_id }) => item_id)
  const assets = await findAssetsByItem(call.db, call.organization, ids)
  const rows = mosaics.map(({ mosaic_type, item_name, item_id, datetime, gsd }) => ({
    mosaic_type,
    title: item_name,
    datetime: datetime?.toISOString() ?? null,
    gsd,
    band_names: assets.get(item_id)?.find(({ raster }) => raster !== null)?.band_names ?? [],
  }))
  return toCompleteList('mosaics', rows)
})
