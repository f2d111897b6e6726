import type { GeoJSONSource, MapLayerMouseEvent } from 'maplibre-gl'
import { useEffect } from 'react'
import { accentColour } from './base-style.ts'
import { useMap } from './map-context.tsx'

export interface FootprintLayerProps {
  readonly id: string
  /** Features with an `id` each. */
  readonly footprints: GeoJSON.FeatureCollection
  /** The feature under the pointer, here or in the list. */
  readonly hovered: string | null
  readonly selected: ReadonlySet<string>
  readonly onHover: (id: string | null) => void
  readonly onSelect: (id: string) => void
}

/** Footprints whose hover and selection are linked to a list. */
export function FootprintLayer({ id, footprints, hovered, selected, onHover, onSelect }: FootprintLayerProps) {
  const map = useMap()

  useEffect(() => {
    if (!map) return
    const colour = accentColour()
    map.addSource(id, { type: 'geojson', data: footprints, promoteId: 'id' })
    map.addLayer({
      id: `${id}-fill`,
      type: 'fill',
      source: id,
      paint: {
        'fill-color': colour,
        'fill-opacity': ['case', ['boolean', ['feature-state', 'hovered'], false], 0.3, ['boolean', ['feature-state', 'selected'], false], 0.2, 0.06], // prettier-ignore
      },
    })
    map.addLayer({
      id: `${id}-line`,
      type: 'line',
      source: id,
      paint: {
        'line-color': colour,
        'line-width': ['case', ['boolean', ['feature-state', 'selected'], false], 2.5, 1],
      },
    })
    const hover = (event: MapLayerMouseEvent): void => onHover(String(event.features?.[0]?.properties['id'] ?? ''))
    const leave = (): void => onHover(null)
    const select = (event: MapLayerMouseEvent): void => {
      const [feature] = event.features ?? []
      if (feature) onSelect(String(feature.properties['id']))
    }
    map.on('mousemove', `${id}-fill`, hover)
    map.on('mouseleave', `${id}-fill`, leave)
    map.on('click', `${id}-fill`, select)
    return () => {
      map.off('mousemove', `${id}-fill`, hover)
      map.off('mouseleave', `${id}-fill`, leave)
      map.off('click', `${id}-fill`, select)
      if (!map.style) return
      map.removeLayer(`${id}-line`)
      map.removeLayer(`${id}-fill`)
      map.removeSource(id)
    }
    // The layers are made once; the effects below update them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [map, id])

  useEffect(() => {
    void map?.getSource<GeoJSONSource>(id)?.setData(footprints)
  }, [map, id, footprints])

  useEffect(() => {
    if (!map?.getSource(id)) return
    map.removeFeatureState({ source: id })
    for (const feature of selected) map.setFeatureState({ source: id, id: feature }, { selected: true })
    if (hovered) map.setFeatureState({ source: id, id: hovered }, { hovered: true })
  }, [map, id, footprints, hovered, selected])

  return null
}
