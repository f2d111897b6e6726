import { useEffect } from 'react'
import { useMapHolder } from './map-context.tsx'
import type { LonLatBounds } from './view/target-bounds.ts'
import { readVisibleBounds } from './view/visible-bounds.ts'

const padding_px = 48
const max_zoom = 15
/** An area that is smaller than this part of the map is not seen. */
const min_share = 0.02

/** Moves the map to an area when it is shown first, unless the map shows it already. */
export function useFitBounds(bounds: LonLatBounds | null): void {
  const { map, isViewGiven } = useMapHolder()
  const key = bounds?.join(',') ?? null
  useEffect(() => {
    if (!map || key === null || isViewGiven()) return
    const [west, south, end, north] = key.split(',').map(Number) as [number, number, number, number]
    // Across the 180° meridian, longitudes go on.
    const east = end < west ? end + 360 : end
    const [left, bottom, right, top] = readVisibleBounds(map)
    const isInside = left <= west && right >= east && bottom <= south && top >= north
    const share = (east - west) / (right - left)
    if (isInside && share >= min_share) return
    map.fitBounds([west, south, east, north], { padding: padding_px, maxZoom: max_zoom, animate: false })
  }, [map, key, isViewGiven])
}
