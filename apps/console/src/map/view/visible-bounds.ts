import { LngLatBounds, type Map as MapLibreMap } from 'maplibre-gl'
import type { LonLatBounds } from './target-bounds.ts'

/**
 * Returns the visible bounds of the map: on small screens a sheet covers its lower part. Longitudes may exceed ±180.
 */
export function readVisibleBounds(map: MapLibreMap): LonLatBounds {
  const { top = 0, right = 0, bottom = 0, left = 0 } = map.getPadding()
  const { clientWidth, clientHeight } = map.getContainer()
  // A tilted map ends at the horizon.
  const bounds =
    map.getPitch() > 0
      ? map.getBounds()
      : new LngLatBounds(map.unproject([left, clientHeight - bottom]), map.unproject([clientWidth - right, top]))
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]
}
