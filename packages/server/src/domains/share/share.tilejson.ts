import { shareTilejson } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { invariant } from '../../engine/problem.ts'
import { attributionOf } from '../items/attribution.ts'
import { pictureOfItem } from '../rendering/item-picture.ts'
import { tileRangeOf, type TileRange } from '../rendering/zoom.ts'
import { openLink, type OpenLink } from './open-link.ts'
import { sessionOf } from './session.ts'
import { tileTemplate } from './share-addresses.ts'
import { rastersOf, targetOf, type Target } from './shown.ts'

export const describeSharedTiles = handler(shareTilejson, async (call, input) => {
  const opened = await openLink(call, input)
  const target = await targetOf(opened)
  const profile = input.profile ?? null
  const { name, description } = target.type === 'item' ? target.item : target.collection
  const attribution = target.type === 'item' ? attributionOf(target.item.properties) : null
  const { bounds, center, minzoom, maxzoom } = await rangeOf(opened, target, profile)
  const { token } = sessionOf(call, input.token, opened.link)
  return {
    tilejson: '3.0.0' as const,
    name,
    ...(description === null ? {} : { description }),
    ...(attribution === null ? {} : { attribution }),
    scheme: 'xyz' as const,
    tiles: [tileTemplate(call.baseUrl, token, profile)],
    minzoom,
    maxzoom,
    bounds,
    center: [...center, minzoom],
  }
})

async function rangeOf(opened: OpenLink, target: Target, profile: string | null): Promise<TileRange> {
  if (target.type === 'item') {
    const { asset } = await pictureOfItem(opened.inside, target.item, { profile })
    invariant(asset.raster !== null, 'a rendered asset is a raster')
    return tileRangeOf(asset.raster)
  }
  return (await rastersOf(opened)).map(tileRangeOf).reduce(around)
}

/** The union of both bounds and zoom ranges. */
function around(one: TileRange, other: TileRange): TileRange {
  const west = Math.min(one.bounds[0], other.bounds[0])
  const south = Math.min(one.bounds[1], other.bounds[1])
  const east = Math.max(one.bounds[2], other.bounds[2])
  const north = Math.max(one.bounds[3], other.bounds[3])
  return {
    bounds: [west, south, east, north],
    center: [(west + east) / 2, (south + north) / 2],
    minzoom: Math.min(one.minzoom, other.minzoom),
    maxzoom: Math.max(one.maxzoom, other.maxzoom),
  }
}
