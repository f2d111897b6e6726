import type { Map as MapLibreMap } from 'maplibre-gl'
import type { LonLatBounds } from '../../map/view/target-bounds.ts'
import type { ViewItem } from './state/view-item.ts'

const padding_px = 32
const max_zoom = 17
/** An item that fills less of the view is a stamp in it. */
const min_part = 1 / 3

/** Shows the whole item. */
export function fitItem(map: MapLibreMap, { bbox }: ViewItem): void {
  if (!bbox) return
  const [west, south, east, north] = bbox
  // Across the 180° meridian, longitudes go on.
  map.fitBounds([west, south, east < west ? east + 360 : east, north], {
    padding: padding_px,
    maxZoom: max_zoom,
    animate: false,
  })
}

/** True if the item is in view and fills enough of it, in one direction at least. */
export function isInView(view: LonLatBounds, { bbox }: Pick<ViewItem, 'bbox'>): boolean {
  if (!bbox) return true
  const [west, south, east, north] = bbox
  const [left, bottom, right, top] = view
  const isTouching = west < right && east > left && south < top && north > bottom
  return isTouching && Math.max((east - west) / (right - left), (north - south) / (top - bottom)) >= min_part
}
