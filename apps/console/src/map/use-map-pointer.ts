import type { MapMouseEvent } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { useMap } from './map-context.tsx'

export interface MapPointer {
  readonly lon: number
  readonly lat: number
  /** The position is the centre of the map, which the keyboard moves. */
  readonly isCentre: boolean
}

/**
 * The position that a person points at on the map: the cursor, or the centre while the map is moved with the keyboard.
 * Updated once the pointer has rested for a moment; null outside of the map.
 */
export function useMapPointer(rest_ms: number): MapPointer | null {
  const map = useMap()
  const [pointer, setPointer] = useState<MapPointer | null>(null)
  useEffect(() => {
    if (!map) return
    let timer = 0
    const tell = (position: MapPointer | null): void => {
      clearTimeout(timer)
      timer = window.setTimeout(() => setPointer(position), position ? rest_ms : 0)
    }
    const move = ({ lngLat }: MapMouseEvent): void => {
      const { lng, lat } = lngLat.wrap()
      tell({ lon: lng, lat, isCentre: false })
    }
    const leave = (): void => tell(null)
    let isByKeyboard = false
    const centre = (): void => {
      const { lng, lat } = map.getCenter().wrap()
      if (isByKeyboard) tell({ lon: lng, lat, isCentre: true })
    }
    const press = ({ key }: KeyboardEvent): void => {
      isByKeyboard = key.startsWith('Arrow') || key === 'Enter' || isByKeyboard
      centre()
    }
    const point = (): void => {
      isByKeyboard = false
    }
    const canvas = map.getCanvas()
    map.on('mousemove', move)
    map.on('mouseout', leave)
    map.on('moveend', centre)
    canvas.addEventListener('keydown', press)
    canvas.addEventListener('pointerdown', point)
    return () => {
      clearTimeout(timer)
      map.off('mousemove', move)
      map.off('mouseout', leave)
      map.off('moveend', centre)
      canvas.removeEventListener('keydown', press)
      canvas.removeEventListener('pointerdown', point)
    }
  }, [map, rest_ms])
  return pointer
}
