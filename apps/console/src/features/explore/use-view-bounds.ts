import type { Map as MapLibreMap } from 'maplibre-gl'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useMapHolder } from '../../map/map-context.tsx'
import type { MapView } from '../../map/map-view.ts'
import type { PlaceMove } from '../../map/places.ts'
import { areNear, targetBounds, type LonLatBounds } from '../../map/view/target-bounds.ts'

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value))

function readBounds(map: MapLibreMap): LonLatBounds {
  const bounds = map.getBounds()
  return [
    clamp(bounds.getWest(), 180),
    clamp(bounds.getSouth(), 90),
    clamp(bounds.getEast(), 180),
    clamp(bounds.getNorth(), 90),
  ]
}

const world: LonLatBounds = [-180, -90, 180, 90]

interface ViewBounds {
  readonly bounds: LonLatBounds | null
  /** The map shows something else than is searched. */
  readonly hasMoved: boolean
  /** Searches the shown part of the map. */
  readonly take: () => void
  /**
   * Searches the part that the map will show, without waiting for the end of its flight, which another move may
   * interrupt.
   */
  readonly takeTarget: (view: MapView) => void
}

/**
 * The part of the world that is searched: the view of the map when it was last taken, first when the map is created, so that the
 * search does not wait until it is drawn; all of it where the browser has no map.
 */
export function useViewBounds(): ViewBounds {
  const { createdMap: map, hasFailed } = useMapHolder()
  const [bounds, setBounds] = useState<LonLatBounds | null>(null)
  const [hasMoved, setMoved] = useState(false)
  const taken = useRef<LonLatBounds | null>(null)
  const search = useCallback((next: LonLatBounds) => {
    taken.current = next
    setBounds(next)
    setMoved(false)
  }, [])
  const take = useCallback(() => {
    if (map) search(readBounds(map))
  }, [map, search])
  const takeTarget = useCallback(
    (view: MapView) => {
      if (!map) return
      const { clientWidth: width, clientHeight: height } = map.getContainer()
      search(targetBounds(view, { width, height, covered: map.getPadding().bottom ?? 0 }))
    },
    [map, search],
  )
  useEffect(() => {
    if (!map) return
    take()
    const move = ({ originalEvent, isToPlace }: PlaceMove & { readonly originalEvent?: unknown }): void => {
      if (originalEvent || isToPlace) setMoved(taken.current === null || !areNear(taken.current, readBounds(map)))
    }
    map.on('moveend', move)
    return () => void map.off('moveend', move)
  }, [map, take])
  return { bounds: hasFailed ? world : bounds, hasMoved, take, takeTarget }
}
