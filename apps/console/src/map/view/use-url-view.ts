import type { Map as MapLibreMap } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { defaultView, formatView, type MapView } from '../map-view.ts'

/** The part of the map that the URL describes. */
function readView(map: MapLibreMap): MapView {
  const { lng, lat } = map.getCenter().wrap()
  return { lon: lng, lat, zoom: map.getZoom() }
}

/**
 * Synchronizes the map and the URL: every move of the map is reported, whoever made it, and the map moves to another
 * view in the URL. A link without a view leaves the map where it is, and the URL is completed.
 *
 * @param onMove writes the view into the URL; resolves when it is there.
 */
export function useUrlView(
  map: MapLibreMap | null,
  view: MapView | null,
  onMove: (view: MapView) => Promise<void> | void,
): void {
  const latest = useRef({ view, onMove })
  useEffect(() => {
    latest.current = { view, onMove }
  })
  /**
   * The number of views that are being written into the URL: the map does not move to the view that it has meanwhile.
   */
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
