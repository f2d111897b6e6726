import type { Map as MapLibreMap } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { defaultView, formatView, type MapView } from '../map-view.ts'

/** The part of the map that the address describes. */
function readView(map: MapLibreMap): MapView {
  const { lng, lat } = map.getCenter().wrap()
  return { lon: lng, lat, zoom: map.getZoom() }
}

/**
 * Keeps the map and the address the same: every move of the map is reported, whoever made it, and another view in the address is
 * gone to. A link that names no view leaves the map where it is, and the address is completed.
 *
 * @param onMove puts the view into the address; resolves when it is there.
 */
export function useAddressView(
  map: MapLibreMap | null,
  view: MapView | null,
  onMove: (view: MapView) => Promise<void> | void,
): void {
  const latest = useRef({ view, onMove })
  useEffect(() => {
    latest.current = { view, onMove }
  })
  /** Views that are on their way into the address: what it says meanwhile is not gone to. */
  const reports = useRef(0)
  const text = view && formatView(view)

  useEffect(() => {
    if (!map) return
    const report = (): void => {
      const shown = readView(map)
      if (formatView(shown) === formatView(latest.current.view ?? defaultView)) return
      reports.current++
      void Promise.resolve(latest.current.onMove(shown)).finally(() => reports.current--)
    }
    map.on('moveend', report)
    return () => void map.off('moveend', report)
  }, [map])

  useEffect(() => {
    if (!map || reports.current > 0 || map.isMoving()) return
    const shown = readView(map)
    const wanted = latest.current.view
    if (formatView(shown) === formatView(wanted ?? defaultView)) return
    if (wanted) map.jumpTo({ center: [wanted.lon, wanted.lat], zoom: wanted.zoom })
    else void latest.current.onMove(shown)
  }, [map, text])
}
