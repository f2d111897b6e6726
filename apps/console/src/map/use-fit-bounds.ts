import { LngLatBounds, type Map as MapLibreMap } from 'maplibre-gl'
import { useEffect } from 'react'
import { useMap } from './map-context.tsx'

type Bounds = readonly [west: number, south: number, east: number, north: number]

const padding_px = 48
const max_zoom = 15
/** An area that is smaller than this part of the map is not seen. */
const min_share = 0.02

/** Moves the map to an area when it is shown first, unless the map shows it already. */
export function useFitBounds(bounds: Bounds | null): void {
  const map = useMap()
  const key = bounds?.join(',') ?? null
  useEffect(() => {
    if (!map || key === null) return
    const [west, south, east, north] = key.split(',').map(Number) as [number, number, number, number]
    const view = readUncoveredBounds(map)
    const isInside =
      view.getWest() <= west && view.getEast() >= east && view.getSouth() <= south && view.getNorth() >= north
    const share = (east - west) / (view.getEast() - view.getWest())
    if (isInside && share >= min_share) return
    map.fitBounds([west, south, east, north], { padding: padding_px, maxZoom: max_zoom, animate: false })
  }, [map, key])
}

/** What is seen of the map: on small screens a sheet covers its lower part. */
function readUncoveredBounds(map: MapLibreMap): LngLatBounds {
  const { top = 0, right = 0, bottom = 0, left = 0 } = map.getPadding()
  // A tilted map ends at the horizon.
  if (map.getPitch() > 0) return map.getBounds()
  const { clientWidth, clientHeight } = map.getContainer()
  return new LngLatBounds(map.unproject([left, clientHeight - bottom]), map.unproject([clientWidth - right, top]))
}
