import type { GeoJSONSource, Map as MapLibreMap, MapLayerMouseEvent } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { isDrawingOn } from './drawing-state.ts'
import { createFootprintLayers } from './footprint-style.ts'
import { useMap } from './map-context.tsx'
import { noFeatures } from './no-features.ts'

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
  const listeners = useRef({ onHover, onSelect })
  useEffect(() => {
    listeners.current = { onHover, onSelect }
  })

  useEffect(() => {
    if (!map) return
    // The next effect fills them.
    map.addSource(id, { type: 'geojson', data: noFeatures, promoteId: 'id' })
    map.addSource(`${id}-dots`, { type: 'geojson', data: noFeatures, promoteId: 'id' })
    for (const layer of createFootprintLayers(id, isFilled)) map.addLayer(layer)
    const idOf = ({ features }: MapLayerMouseEvent): string | null => {
      const [feature] = features ?? []
      return feature && !isDrawingOn(map) ? String(feature.properties['id']) : null
    }
    const hover = (event: MapLayerMouseEvent): void => {
      const feature = idOf(event)
      listeners.current.onHover(feature)
      if (feature) map.getCanvas().style.cursor = 'pointer'
    }
    const leave = (): void => {
      listeners.current.onHover(null)
      if (!isDrawingOn(map)) map.getCanvas().style.cursor = ''
    }
    const select = (event: MapLayerMouseEvent): void => {
      const feature = idOf(event)
      if (feature !== null) listeners.current.onSelect(feature)
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

  useFeatureStates(id, hovered, selected)

  return null
}

const nothing: readonly string[] = []

/** Marks the hovered and the selected features; only changed states are passed to the map. */
function useFeatureStates(id: string, hovered: string | null, selected: ReadonlySet<string> | null): void {
  const map = useMap()
  useEffect(() => {
    if (!map || hovered === null) return
    setState(map, id, hovered, { hovered: true })
    return () => setState(map, id, hovered, { hovered: false })
  }, [map, id, hovered])
  const marked = useRef(nothing)
  useEffect(() => {
    if (!map) return
    for (const feature of marked.current) if (!selected?.has(feature)) setState(map, id, feature, { selected: false })
    for (const feature of selected ?? nothing) setState(map, id, feature, { selected: true })
    marked.current = [...(selected ?? nothing)]
  }, [map, id, selected])
}

/** Footprints and their dots. */
function setState(map: MapLibreMap, id: string, feature: string, state: Readonly<Record<string, boolean>>): void {
  if (!map.style) return
  for (const source of [id, `${id}-dots`])
    if (map.getSource(source)) map.setFeatureState({ source, id: feature }, { ...state })
}
