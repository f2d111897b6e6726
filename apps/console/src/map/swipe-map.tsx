import { Map as MapLibreMap } from 'maplibre-gl'
import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { paintBase } from './base/base-style.ts'
import { createStartStyle, followBaseMap } from './base/follow-base-map.ts'
import { MapProvider, useMap, useMapHolder } from './map-context.tsx'
import styles from './swipe-map.module.css'

export interface SwipeMapProps {
  readonly label: string
  /** 0 is the left edge, 1 the right one. */
  readonly split: number
  readonly onSplit: (split: number) => void
  /** Layers of the map to the right of the handle. */
  readonly children: ReactNode
}

const keyboard_step = 0.05
const clamp = (split: number): number => Math.min(1, Math.max(0, split))

/** A second map over the right part of the one map, moved with it, and a handle that moves the border between them. */
export function SwipeMap({ label, split, onSplit, children }: SwipeMapProps) {
  const map = useMap()
  if (!map) return null
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const handle = event.currentTarget
    const { left, width } = map.getContainer().getBoundingClientRect()
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => onSplit(clamp((clientX - left) / width))
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }
  const press = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowLeft') onSplit(clamp(split - keyboard_step))
    if (key === 'ArrowRight') onSplit(clamp(split + keyboard_step))
  }
  return createPortal(
    <>
      <MapProvider>
        <SecondMap main={map} split={split} />
        {children}
      </MapProvider>
      <div
        className={styles['handle']}
        style={{ left: `${split * 100}%` }}
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(split * 100)}
        tabIndex={0}
        onPointerDown={drag}
        onKeyDown={press}
      />
    </>,
    map.getContainer(),
  )
}

function SecondMap({ main, split }: { main: MapLibreMap; split: number }) {
  const container = useRef<HTMLDivElement>(null)
  const { setMap } = useMapHolder()
  useEffect(() => {
    const view = () => ({
      center: main.getCenter(),
      zoom: main.getZoom(),
      bearing: main.getBearing(),
      pitch: main.getPitch(),
    })
    const second = new MapLibreMap({
      container: container.current!,
      style: createStartStyle(null),
      interactive: false,
      attributionControl: false,
      maxPitch: main.getMaxPitch(),
      // So that the picture of the map can contain it.
      canvasContextAttributes: { preserveDrawingBuffer: true },
      ...view(),
    })
    // Its canvas shows the view of the first one: it is not another stop of the keyboard.
    second.getCanvas().removeAttribute('tabindex')
    const follow = (): void => void second.jumpTo(view())
    const themes = new MutationObserver(() => paintBase(second))
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    main.on('move', follow)
    second.on('load', () => setMap(second))
    const unfollow = followBaseMap(second)
    return () => {
      unfollow()
      main.off('move', follow)
      themes.disconnect()
      setMap(null)
      second.remove()
    }
  }, [main, setMap])
  return (
    <div
      ref={container}
      className={styles['second']}
      style={{ clipPath: `inset(0 0 0 ${split * 100}%)` }}
      aria-hidden
      data-swipe={split}
    />
  )
}
