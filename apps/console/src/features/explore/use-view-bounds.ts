import { useCallback, useEffect, useState } from 'react'
import { useMapHolder } from '../../map/map-context.tsx'
import type { Map as MapLibreMap } from 'maplibre-gl'

type Bounds = readonly [west: number, south: number, east: number, north: number]

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value))

function readBounds(map: MapLibreMap): Bounds {
  const bounds = map.getBounds()
  return [
    clamp(bounds.getWest(), 180),
    clamp(bounds.getSouth(), 90),
    clamp(bounds.getEast(), 180),
    clamp(bounds.getNorth(), 90),
  ]
}

const world: Bounds = [-180, -90, 180, 90]

/**
 * The part of the world that is searched: the view of the map when it was last taken, first when the map is created, so that the
 * search does not wait until it is drawn; all of it where the browser has no map.
 */
export function useViewBounds(): { bounds: Bounds | null; hasMoved: boolean; take: () => void } {
  const { createdMap: map, hasFailed } = useMapHolder()
  const [bounds, setBounds] = useState<Bounds | null>(null)
  const [hasMoved, setMoved] = useState(false)
  const take = useCallback(() => {
    if (!map) return
    setBounds(readBounds(map))
    setMoved(false)
  }, [map])
  useEffect(() => {
    if (!map) return
    take()
    const move = ({ originalEvent }: { originalEvent?: unknown }): void => {
      if (originalEvent) setMoved(true)
    }
    map.on('moveend', move)
    return () => void map.off('moveend', move)
  }, [map, take])
  return { bounds: hasFailed ? world : bounds, hasMoved, take }
}
