import type { SavedSearch } from '@swath/client/operations.ts'

/** The areas of saved searches; those of the whole world have none. */
export const toSearchAreas = (searches: readonly SavedSearch[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: searches.flatMap(({ id, filters }) => {
    const { bbox, intersects } = filters as { bbox?: readonly number[] | null; intersects?: unknown }
    const geometry = intersects ? (intersects as GeoJSON.Geometry) : bbox ? toBox(bbox) : null
    return geometry ? [{ type: 'Feature' as const, properties: { id }, geometry }] : []
  }),
})

/** A box of four numbers, or of six with heights. One across the antimeridian goes on beyond 180 degrees. */
function toBox(bbox: readonly number[]): GeoJSON.Polygon | null {
  const [west, south, east, north] = bbox.length === 6 ? [bbox[0], bbox[1], bbox[3], bbox[4]] : bbox
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null
  const end = east < west ? east + 360 : east
  return { type: 'Polygon', coordinates: [[[west, south], [end, south], [end, north], [west, north], [west, south]]] } // prettier-ignore
}
