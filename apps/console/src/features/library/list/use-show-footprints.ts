import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { fitGeometries } from '../../../map/fit-geometries.ts'
import { useMap } from '../../../map/map-context.tsx'

/**
 * Moves the map to the items of another place in the tree, and to those that are shown first; then, a view of the URL
 * stays if it shows any of them.
 */
export function useShowFootprints(key: string, footprints: GeoJSON.FeatureCollection): void {
  const map = useMap()
  const { v } = useSearch({ strict: false })
  const hasView = useRef(v !== undefined)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (!map || footprints.features.length === 0 || shown.current === key) return
    const isFirst = shown.current === null
    shown.current = key
    const view = map.getBounds()
    const isInView = ({ geometry }: GeoJSON.Feature): boolean => {
      if (!('coordinates' in geometry)) return false
      const [west, south, east, north] = coordinateExtent(geometry.coordinates)
      return west <= view.getEast() && east >= view.getWest() && south <= view.getNorth() && north >= view.getSouth()
    }
    if (isFirst && hasView.current && footprints.features.some(isInView)) return
    fitGeometries(map, footprints)
  }, [map, key, footprints])
}
