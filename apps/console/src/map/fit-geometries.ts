import { useEffect, useRef } from 'react'
import { useMapHolder } from './map-context.tsx'
import { LngLatBounds, type Map as MapLibreMap } from 'maplibre-gl'

const padding_px = 48

/** Moves the map so that all of the features are in view. */
export function fitGeometries(map: MapLibreMap, { features }: GeoJSON.FeatureCollection): void {
  const bounds = new LngLatBounds()
  const extend = (coordinates: unknown): void => {
    if (!Array.isArray(coordinates)) return
    if (typeof coordinates[0] === 'number') bounds.extend(coordinates as [number, number])
    else for (const part of coordinates) extend(part)
  }
  for (const { geometry } of features) if ('coordinates' in geometry) extend(geometry.coordinates)
  if (!bounds.isEmpty()) map.fitBounds(bounds, { padding: padding_px, maxZoom: 14 })
}

/** Moves the map to the features when they are first known; afterwards the person decides where to look. */
export function useFitOnce(key: string, features: GeoJSON.FeatureCollection): void {
  const { map, isViewGiven } = useMapHolder()
  const fitted = useRef<string | null>(null)
  useEffect(() => {
    if (!map || features.features.length === 0 || fitted.current === key) return
    fitted.current = key
    if (isViewGiven()) return
    fitGeometries(map, features)
  }, [map, key, features, isViewGiven])
}
