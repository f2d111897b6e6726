import type { FilterSpecification, GeoJSONSource, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { accentColour } from './base/base-style.ts'
import { markDrawing } from './drawing-state.ts'
import { drawingMetadata } from './layer-order.ts'
import { useMap } from './map-context.tsx'

type Position = readonly [lon: number, lat: number]

export interface DrawPathProps {
  readonly id: string
  /** An area is closed and filled. */
  readonly kind: 'line' | 'area' | 'point'
  readonly path: readonly Position[]
  /** While true, clicks on the map add corners; Enter adds one at the centre of the map. */
  readonly isDrawing: boolean
  readonly onChange: (path: readonly Position[]) => void
  /** A double click, or Escape. */
  readonly onFinish: () => void
}

const polygonsOnly: FilterSpecification = ['==', ['geometry-type'], 'Polygon']
const pointsOnly: FilterSpecification = ['==', ['geometry-type'], 'Point']
const cornerPaint = { 'circle-radius': 5, 'circle-stroke-color': '#ffffff', 'circle-stroke-width': 2 }

function toFeatures(kind: DrawPathProps['kind'], path: readonly Position[]): GeoJSON.FeatureCollection {
  const coordinates = path.map(([lon, lat]) => [lon, lat])
  const geometries: GeoJSON.Geometry[] = [{ type: 'MultiPoint', coordinates }]
  if (kind === 'line' && path.length > 1) geometries.push({ type: 'LineString', coordinates })
  if (kind === 'area' && path.length > 2)
    geometries.push({ type: 'Polygon', coordinates: [[...coordinates, coordinates[0]!]] })
  return {
    type: 'FeatureCollection',
    features: geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  }
}

/** Shows a line, an area or a point, and lets a person draw it with clicks or with the keyboard. */
export function DrawPath(props: DrawPathProps) {
  const { id, kind, path } = props
  const map = useMap()

  useEffect(() => {
    if (!map) return
    const colour = accentColour()
    map.addSource(id, { type: 'geojson', data: toFeatures('point', []) })
    const common = { source: id, metadata: drawingMetadata }
    map.addLayer({ ...common, id: `${id}-fill`, type: 'fill', filter: polygonsOnly, paint: { 'fill-color': colour, 'fill-opacity': 0.15 } }) // prettier-ignore
    map.addLayer({ ...common, id: `${id}-casing`, type: 'line', paint: { 'line-color': '#ffffff', 'line-width': 4 } })
    map.addLayer({ ...common, id: `${id}-line`, type: 'line', paint: { 'line-color': colour, 'line-width': 2 } })
    map.addLayer({ ...common, id: `${id}-corner`, type: 'circle', filter: pointsOnly, paint: { ...cornerPaint, 'circle-color': colour } }) // prettier-ignore
    return () => {
      if (!map.style) return
      for (const part of ['corner', 'line', 'casing', 'fill']) map.removeLayer(`${id}-${part}`)
      map.removeSource(id)
    }
  }, [map, id])

  useEffect(() => {
    void map?.getSource<GeoJSONSource>(id)?.setData(toFeatures(kind, path))
  }, [map, id, kind, path])

  useDrawing(props)
  return null
}

/** Corners by clicks and by the keyboard, while a person draws. */
function useDrawing({ kind, path, isDrawing, onChange, onFinish }: DrawPathProps): void {
  const map = useMap()
  const current = useRef({ path, onChange, onFinish })
  useEffect(() => {
    current.current = { path, onChange, onFinish }
  })
  useEffect(() => {
    if (!map || !isDrawing) return
    const add = ({ lng, lat }: { lng: number; lat: number }): void => {
      const { path: before, onChange: change } = current.current
      change(kind === 'point' ? [[lng, lat]] : [...before, [lng, lat]])
    }
    const click = ({ lngLat }: MapMouseEvent): void => add(lngLat.wrap())
    const finish = (event: MapMouseEvent): void => {
      event.preventDefault()
      // The second click of a double click has added its corner again.
      const { path: before, onChange: change } = current.current
      if (before.length > 1) change(before.slice(0, -1))
      current.current.onFinish()
    }
    const keys: Readonly<Record<string, () => void>> = {
      Enter: () => add(map.getCenter().wrap()),
      Backspace: () => current.current.onChange(current.current.path.slice(0, -1)),
      Escape: () => current.current.onFinish(),
    }
    const press = (event: KeyboardEvent): void => {
      const act = keys[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    const canvas = map.getCanvas()
    canvas.style.cursor = 'crosshair'
    markDrawing(map, true)
    map.on('click', click)
    if (kind !== 'point') map.on('dblclick', finish)
    canvas.addEventListener('keydown', press)
    return () => {
      canvas.style.cursor = ''
      markDrawing(map, false)
      map.off('click', click)
      map.off('dblclick', finish)
      canvas.removeEventListener('keydown', press)
    }
  }, [map, isDrawing, kind])
}
