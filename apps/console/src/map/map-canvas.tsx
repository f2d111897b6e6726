import { Map as MapLibreMap, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useRef, useState } from 'react'
import { BaseMapControl } from './base/base-map-control.ts'
import { createStartStyle, followBaseMap } from './base/follow-base-map.ts'
import { type MapView, defaultView } from './map-view.ts'
import styles from './map.module.css'
import { useMapHolder } from './map-context.tsx'
import { frameTexts } from '../texts/frame.ts'
import { paintBase } from './base/base-style.ts'
import { useRedrawFailedTiles } from './redraw-failed-tiles.ts'
import { useUrlView } from './view/use-url-view.ts'

/** False until the page has been drawn with what asks, so that costly parts begin in a task of their own. */
function useAfterPaint(): boolean {
  const [hasPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // A hidden page has no frames, and nobody waits for them.
    const start = (): void => void (timer = setTimeout(() => setPainted(true)))
    const frame = document.hidden ? 0 : requestAnimationFrame(start)
    if (document.hidden) start()
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return hasPainted
}

setWorkerUrl(workerUrl)

export interface MapCanvasProps {
  /** Initial view of the map; later changes of the URL are followed. */
  readonly view: MapView | null
  /** Called when the map has moved, whoever moved it; resolves when the URL says so. */
  readonly onMove: (view: MapView) => Promise<void> | void
  /** Changes when the theme changes. */
  readonly theme: string
}

/**
 * MapLibre logs nothing once it has a listener. A failed request has a status: the browser has logged it, and the layer
 * or the banner informs the person.
 */
function reportMapError(error: object): void {
  if (!('status' in error)) reportError(error)
}

/** The map, begun after the page around it has been drawn: to set it up takes as long as all the rest. */
export const MapCanvas = (props: MapCanvasProps) => useAfterPaint() && <MapLibreCanvas {...props} />

function MapLibreCanvas({ view, onMove, theme }: MapCanvasProps) {
  const container = useRef<HTMLDivElement>(null)
  const { map, setMap, createdMap, setCreatedMap } = useMapHolder()
  useUrlView(createdMap, view, onMove)
  useRedrawFailedTiles(createdMap)

  useEffect(() => {
    const { lon, lat, zoom } = view ?? defaultView
    const created = new MapLibreMap({
      container: container.current!,
      style: createStartStyle({ lon, lat, zoom }),
      center: [lon, lat],
      zoom,
      attributionControl: { compact: true },
      maxPitch: 60,
      dragRotate: false,
      fadeDuration: 0,
    })
    setCreatedMap(created)
    created.addControl(new NavigationControl({ showCompass: false }), 'top-right')
    created.addControl(new BaseMapControl(), 'top-right')
    created.addControl(new ScaleControl(), 'bottom-right')
    created.on('load', () => {
      // Read by `npm run bench -- console`.
      performance.mark('swath:map')
      setMap(created)
    })
    created.on('error', ({ error }) => reportMapError(error))
    const setBusy = (isBusy: boolean): void => container.current?.setAttribute('aria-busy', String(isBusy))
    created.on('dataloading', () => setBusy(true))
    created.on('idle', () => setBusy(false))
    const unfollow = followBaseMap(created)
    return () => {
      unfollow()
      setMap(null)
      setCreatedMap(null)
      created.remove()
    }
    // The map is made once: it must not be lost when the panel changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  useEffect(() => {
    if (map) paintBase(map)
  }, [map, theme])

  return <div ref={container} className={styles['map']} role="application" aria-label={frameTexts.map} />
}
