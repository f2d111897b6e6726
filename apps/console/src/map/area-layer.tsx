import type { GeoJSONSource } from 'maplibre-gl'
import { useEffect } from 'react'
import { toAreaFeatures } from './area-features.ts'
import { resolveColour } from './base/base-style.ts'
import { useMap } from './map-context.tsx'
import { noFeatures } from './no-features.ts'

export interface AreaLayerProps {
  readonly id: string
  readonly geometry: GeoJSON.Geometry
  /** A colour token of the page. */
  readonly colour: `--${string}`
  /** A dashed outline, for an area without imagery yet; colour alone never carries a meaning. */
  readonly isDashed?: boolean
}

/** Below this zoom a scene is smaller than a dot. */
const dot_max_zoom = 6

/** One area, filled and outlined; a dot stands for each part where it is too small to be seen. */
export function AreaLayer({ id, geometry, colour, isDashed = false }: AreaLayerProps) {
  const map = useMap()

  useEffect(() => {
    if (!map) return
    const paint = resolveColour(colour)
    map.addSource(id, { type: 'geojson', data: noFeatures })
    map.addLayer({ id: `${id}-fill`, type: 'fill', source: id, paint: { 'fill-color': paint, 'fill-opacity': 0.15 } })
    map.addLayer({
      id: `${id}-line`,
      type: 'line',
      source: id,
      paint: { 'line-color': paint, 'line-width': 2, ...(isDashed ? { 'line-dasharray': [2, 2] } : {}) },
    })
    map.addLayer({
      id: `${id}-dots`,
      type: 'circle',
      source: id,
      maxzoom: dot_max_zoom,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-color': paint, 'circle-radius': 4 },
    })
    return () => {
      if (!map.style) return
      map.removeLayer(`${id}-dots`)
      map.removeLayer(`${id}-line`)
      map.removeLayer(`${id}-fill`)
      map.removeSource(id)
    }
  }, [map, id, colour, isDashed])

  useEffect(() => {
    void map?.getSource<GeoJSONSource>(id)?.setData(toAreaFeatures(geometry))
  }, [map, id, colour, isDashed, geometry])

  return null
}
