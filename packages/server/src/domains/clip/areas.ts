import { boundsToPolygon, isValidBounds, unionBounds } from '@swath/geo/bbox.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { isUuid } from '../../platform/ids.ts'
import { listMosaics, type MosaicRow } from './store.ts'

/** The mosaics of an area by type, newest of each. Throws `not-found`. */
export async function requireAreaMosaics(call: Call, area: string): Promise<MosaicRow[]> {
  const mosaics = isUuid(area) ? await listMosaics(call.db, call.organization, area.toLowerCase()) : []
  if (mosaics.length > 0) return mosaics
  throw new Problem('not-found', `No area has the id "${area.slice(0, 100)}". See \`clip.areas.list\`.`)
}

/** The representations of the areas of mosaics. */
export const toClipAreas = (mosaics: readonly MosaicRow[]) =>
  [...Map.groupBy(mosaics, ({ area }) => area).values()].map(toClipArea)

/** The representation of an area, of which there is at least one mosaic. */
export function toClipArea(mosaics: readonly MosaicRow[]) {
  const { area, title, description } = mosaics[0]!
  const boxes = mosaics.flatMap(({ bbox }): Bounds[] => (bbox && isValidBounds(bbox) ? [bbox] : []))
  const geometry = boxes.length === 0 ? null : (boundsToPolygon(boxes.reduce(unionBounds)) as unknown as Geometry)
  return {
    area,
    title,
    description: description ?? '',
    geometry,
    mosaic_types: mosaics.map(({ mosaic_type }) => mosaic_type),
  }
}
