import type { GeoJSONSource } from 'maplibre-gl'
import { useEffect } from 'react'
import { resolveColour } from './base/base-style.ts'
import { useMap } from './map-context.tsx'
import { noFeatures } from './no-features.ts'

export interface NumberLayerProps {
  readonly id: string
  /** Points with a `label` each. */
  readonly points: GeoJSON.FeatureCollection
}

/** Without glyphs of a server, MapLibre draws letters with the fonts of the page. */
const font = ['Inter Variable']

/** Short labels above everything else, such as the numbers of pictures. */
export function NumberLayer({ id, points }: NumberLayerProps) {
  const map = useMap()
  useEffect(() => {
    if (!map) return
    map.addSource(id, { type: 'geojson', data: noFeatures })
    map.addLayer({
      id,
      type: 'symbol',
      source: id,
      layout: {
        'text-field': ['get', 'label'],
        'text-font': font,
        'text-size': 15,
        'text-anchor': 'bottom',
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: {
        'text-color': resolveColour('--text'),
        'text-halo-color': resolveColour('--surface-raised'),
        'text-halo-width': 2,
      },
    })
    return () => {
      if (!map.style) return
      map.removeLayer(id)
      map.removeSource(id)
    }
  }, [map, id])
  useEffect(() => {
    void map?.getSource<GeoJSONSource>(id)?.setData(points)
  }, [map, id, points])
  return null
}
