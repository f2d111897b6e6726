import { unionBounds } from '@swath/geo/bbox.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import type { Call } from '../../engine/call.ts'
import { isItemExpired, isRenderable } from '../items/access.ts'
import { findAssetsByItem } from '../items/assets/store.assets.ts'
import { findItems } from '../items/store.ts'
import { buildItemTileUrlTemplate } from '../tiles/tile-urls.ts'
import { computeZoomRangeAndBounds } from '../tiles/zoom.ts'
import type { JobRow } from './store.ts'

const tileFormat = 'png'

/** The tile URLs of the items of a job, as far as they still exist. */
export async function describeJobTiles(call: Call, job: JobRow) {
  const items = await findItems(call.db, call.organization, job.item_ids)
  const readable = new Set(
    items.filter((item) => item.deleted_at === null && !isItemExpired(item, call.clock.now())).map(({ id }) => id),
  )
  const assets = await findAssetsByItem(call.db, call.organization, [...readable])
  const ranges = job.item_ids.flatMap((id) => {
    const raster = assets.get(id)?.find((asset) => isRenderable(asset) && asset.roles.includes('data'))?.raster
    return raster ? [{ id, ...computeZoomRangeAndBounds(raster) }] : []
  })
  return {
    job_id: job.id,
    ready: job.status === 'completed' && ranges.length > 0,
    item_ids: ranges.map(({ id }) => id),
    bounds: ranges.length === 0 ? null : [...ranges.map(({ bounds }): Bounds => bounds).reduce(unionBounds)],
    minzoom: ranges.length === 0 ? null : Math.min(...ranges.map(({ minzoom }) => minzoom)),
    maxzoom: ranges.length === 0 ? null : Math.max(...ranges.map(({ maxzoom }) => maxzoom)),
    tiles: ranges.map(({ id }) => buildItemTileUrlTemplate(call.baseUrl, id, tileFormat, {})),
  }
}
