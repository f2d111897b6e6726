import { useEffect, useState } from 'react'
import type { MapMouseEvent } from 'maplibre-gl'
import { AreaLayer } from '../map/area-layer.tsx'
import { useMap } from '../map/map-context.tsx'
import { shapeArea, type AreaShape, type Corner } from './area.ts'

/** The area as it would be if the pointer were clicked now. */
export function DrawPreview({ shape, corners }: { shape: AreaShape; corners: readonly Corner[] }) {
  const map = useMap()
  const [pointer, setPointer] = useState<Corner | null>(null)
  useEffect(() => {
    if (!map) return
    const move = ({ lngLat }: MapMouseEvent): void => setPointer([lngLat.lng, lngLat.lat])
    map.on('mousemove', move)
    return () => void map.off('mousemove', move)
  }, [map])
  const area = pointer && shapeArea(shape, [...corners, pointer])
  return (
    area && <AreaLayer id="area-preview" geometry={area as unknown as GeoJSON.Geometry} colour="--accent" isDashed />
  )
}
