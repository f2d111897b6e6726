import { shareTilejsonOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { findItemAttribution } from '../../items/stac/attribution.ts'
import { resolveItemRendering } from '../../tiles/item-rendering.ts'
import { computeZoomRangeAndBounds, type TileJsonExtent } from '../../tiles/zoom.ts'
import { authorizeShareLink, type AuthorizedShareLink } from '../authorize-share-link.ts'
import { getOrIssueShareSession } from '../session.ts'
import { buildShareTileUrlTemplate } from '../share-urls.ts'
import { listSharedRasters, getSharedTarget, type SharedResource } from '../shared-target.ts'

export const handler = defineHandler(shareTilejsonOperation, async (call, input) => {
  const authorized = await authorizeShareLink(call, input)
  const target = await getSharedTarget(authorized)
  const profile = input.profile ?? null
  const { name, description } = target.type === 'item' ? target.item : target.collection
  const attribution = target.type === 'item' ? findItemAttribution(target.item.properties) : null
  const { bounds, center, minzoom, maxzoom } = await getTileRange(authorized, target, profile)
  const { token } = getOrIssueShareSession(call, input.token, authorized.link)
  return {
    tilejson: '3.0.0' as const,
    name,
    ...(description === null ? {} : { description }),
    ...(attribution === null ? {} : { attribution }),
    scheme: 'xyz' as const,
    tiles: [buildShareTileUrlTemplate(call.baseUrl, token, profile)],
    minzoom,
    maxzoom,
    bounds,
    center: [...center, minzoom],
  }
})

async function getTileRange(
  authorized: AuthorizedShareLink,
  target: SharedResource,
  profile: string | null,
): Promise<TileJsonExtent> {
  if (target.type === 'item') {
    const { asset } = await resolveItemRendering(authorized.ownerCall, target.item, { profile })
    assertInvariant(asset.raster !== null, 'a rendered asset is a raster')
    return computeZoomRangeAndBounds(asset.raster)
  }
  return (await listSharedRasters(authorized)).map(computeZoomRangeAndBounds).reduce(union)
}

/** The union of both bounds and zoom ranges. */
function union(left: TileJsonExtent, right: TileJsonExtent): TileJsonExtent {
  const west = Math.min(left.bounds[0], right.bounds[0])
  const south = Math.min(left.bounds[1], right.bounds[1])
  const east = Math.max(left.bounds[2], right.bounds[2])
  const north = Math.max(left.bounds[3], right.bounds[3])
  return {
    bounds: [west, south, east, north],
    center: [(west + east) / 2, (south + north) / 2],
    minzoom: Math.min(left.minzoom, right.minzoom),
    maxzoom: Math.max(left.maxzoom, right.maxzoom),
  }
}
