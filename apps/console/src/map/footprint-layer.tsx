import type { ExpressionSpecification, GeoJSONSource, MapLayerMouseEvent } from 'maplibre-gl'
import { useEffect } from 'react'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { accentColour } from './base-style.ts'
import { useMap } from './map-context.tsx'

export interface FootprintLayerProps {
  readonly id: string
  /** Features with an `id` each, and a `colour` if that is not the usual one. */
  readonly footprints: GeoJSON.FeatureCollection
  /** The feature under the pointer, here or in the list. */
  readonly hovered: string | null
  /** Null where nothing can be selected. */
  readonly selected: ReadonlySet<string> | null
  readonly onHover: (id: string | null) => void
  readonly onSelect: (id: string) => void
  /** False draws outlines only, over pictures that should be seen as they are. */
  readonly isFilled?: boolean
}

const fillOpacity: ExpressionSpecification = ['case', ['boolean', ['feature-state', 'hovered'], false], 0.3, ['boolean', ['feature-state', 'selected'], false], 0.2, 0.06] // prettier-ignore
const lineWidth: ExpressionSpecification = ['case', ['boolean', ['feature-state', 'selected'], false], 2.5, ['boolean', ['feature-state', 'hovered'], false], 2, 1] // prettier-ignore
/** The middle of each footprint, which is seen where the footprint itself is too small. */
const toDots = ({ features }: GeoJSON.FeatureCollection): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: features.flatMap(({ properties, geometry }) => {
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return []
    const [west, south, east, north] = geometryBounds(geometry as unknown as AreaGeometry)
    return [
      {
        type: 'Feature',
        properties,
        geometry: { type: 'Point', coordinates: [(west + east) / 2, (south + north) / 2] },
      },
    ]
  }),
})

/** Footprints whose hover and selection are linked to a list. */
export function FootprintLayer(props: FootprintLayerProps) {
  const { id, footprints, hovered, selected, onHover, onSelect, isFilled = true } = props
  const map = useMap()

  useEffect(() => {
    if (!map) return
    const colour: ExpressionSpecification = ['coalesce', ['get', 'colour'], accentColour()]
    map.addSource(id, { type: 'geojson', data: footprints, promoteId: 'id' })
    map.addSource(`${id}-dots`, { type: 'geojson', data: toDots(footprints), promoteId: 'id' })
    map.addLayer({
      id: `${id}-fill`,
      type: 'fill',
      source: id,
      paint: {
        'fill-color': colour,
        'fill-opacity': isFilled ? fillOpacity : 0,
      },
    })
    map.addLayer({
      id: `${id}-line`,
      type: 'line',
      source: id,
      paint: {
        'line-color': colour,
        'line-width': lineWidth,
      },
    })
    map.addLayer({
      id: `${id}-dot`,
      type: 'circle',
      source: `${id}-dots`,
      // From here on footprints are large enough to be seen.
      maxzoom: 7,
      paint: {
        'circle-color': colour,
        'circle-radius': 5,
        'circle-opacity': 0.85,
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': 1,
      },
    })
    const hover = (event: MapLayerMouseEvent): void => onHover(String(event.features?.[0]?.properties['id'] ?? ''))
    const leave = (): void => onHover(null)
    const select = (event: MapLayerMouseEvent): void => {
      const [feature] = event.features ?? []
      if (feature) onSelect(String(feature.properties['id']))
    }
    const touched = [`${id}-fill`, `${id}-dot`]
    map.on('mousemove', touched, hover)
    map.on('mouseleave', touched, leave)
    map.on('click', touched, select)
    return () => {
      map.off('mousemove', touched, hover)
      map.off('mouseleave', touched, leave)
      map.off('click', touched, select)
      if (!map.style) return
      map.removeLayer(`${id}-dot`)
      map.removeSource(`${id}-dots`)
      map.removeLayer(`${id}-line`)
      map.removeLayer(`${id}-fill`)
      map.removeSource(id)
    }
    // The layers are made once; the effects below update them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [map, id])

  useEffect(() => {
    void map?.getSource<GeoJSONSource>(id)?.setData(footprints)
    void map?.getSource<GeoJSONSource>(`${id}-dots`)?.setData(toDots(footprints))
  }, [map, id, footprints])

  useEffect(() => {
    if (!map?.getSource(id)) return
    map.removeFeatureState({ source: id })
    for (const feature of selected ?? []) map.setFeatureState({ source: id, id: feature }, { selected: true })
    if (hovered) map.setFeatureState({ source: id, id: hovered }, { hovered: true })
  }, [map, id, footprints, hovered, selected])

  return null
}
