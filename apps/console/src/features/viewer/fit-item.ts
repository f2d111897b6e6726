import type { Map as MapLibreMap } from 'maplibre-gl'
import type { ViewItem } from './state/view-item.ts'

const padding_px = 32
const max_zoom = 17
/** An item that is smaller than this part of the view cannot be seen. */
const min_part = 0.05

/** Shows the whole item, and keeps that view in the address. */
export function fitItem(map: MapLibreMap, { bbox }: ViewItem): void {
  if (!bbox) return
  const options = { padding: padding_px, maxZoom: max_zoom, animate: false }
  // The address follows moves that a person made; this is one of them.
  map.fitBounds([...bbox], options, { originalEvent: new Event('fit') })
}

/** True if the item is in view and large enough to be seen. */
export function isInView(map: MapLibreMap, { bbox }: ViewItem): boolean {
  if (!bbox) return true
  const [west, south, east, north] = bbox
  const view = map.getBounds()
  const isTouching =
    west < view.getEast() && east > view.getWest() && south < view.getNorth() && north > view.getSouth()
  return isTouching && east - west > (view.getEast() - view.getWest()) * min_part
}
