import type { ExpressionSpecification, GeoJSONSource } from 'maplibre-gl'
import { useEffect } from 'react'
import { accentColour } from './base/base-style.ts'
import { useMap } from './map-context.tsx'
import { noFeatures } from './no-features.ts'

export interface LineLayerProps {
  readonly id: string
  /** Lines with an `id` property each. */
  readonly lines: GeoJSON.FeatureCollection
  /** The lines to stress. */
  readonly stressed: ReadonlySet<string>
}

/** Thin lines, of which some are stressed, such as the ground tracks of satellites. */
export function LineLayer({ id, lines, stressed }: LineLayerProps) {
  const map = useMap()
  useEffect(() => {
    if (!map) return
    map.addSource(id, { type: 'geojson', data: noFeatures })
    map.addLayer({
      id,
      type: 'line',
      source: id,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': accentColour(), 'line-dasharray': [4, 3] },
    })
    return () => {
      if (!map.style) return
      map.removeLayer(id)
      map.removeSource(id)
    }
  }, [map, id])
  useEffect(() => {
    void map?.getSource<GeoJSONSource>(id)?.setData(lines)
  }, [map, id, lines])
  useEffect(() => {
    if (!map?.getLayer(id)) return
    const isStressed: ExpressionSpecification = ['in', ['get', 'id'], ['literal', [...stressed]]]
    map.setPaintProperty(id, 'line-width', ['case', isStressed, 2, 1])
    map.setPaintProperty(id, 'line-opacity', ['case', isStressed, 1, 0.25])
  }, [map, id, stressed])
  return null
}
