import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'

type Position = readonly number[]

const width = 320
const max_height = 320
const margin = 4
/** Maximum positions of all outlines together; above it, their bounding boxes are drawn. */
const max_positions = 2000

function ringsOf(geometry: Geometry): (readonly Position[])[] {
  if (geometry.type === 'Polygon') return [...geometry.coordinates] as (readonly Position[])[]
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat() as (readonly Position[])[]
  return []
}

const cornersOf = (positions: readonly Position[]): Position[] => {
  const [west, south, east, north] = coordinateExtent(positions)
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
}

/** Renders the outlines of geometries in degrees, north up, as one SVG; an empty string if there are none. */
export function renderFootprintSvg(geometries: readonly (Geometry | null)[]): string {
  const outlines = geometries.flatMap((geometry) => (geometry ? ringsOf(geometry) : []))
  const count = outlines.reduce((sum, ring) => sum + ring.length, 0)
  const rings = count > max_positions ? outlines.slice(0, max_positions / 4).map(cornersOf) : outlines
  if (rings.length === 0) return ''
  const [west, south, east, north] = coordinateExtent(rings)
  // Degrees of longitude are scaled as at the middle latitude.
  const longitudeScale = Math.max(Math.cos((((south + north) / 2) * Math.PI) / 180), 0.01)
  const scale = Math.min(
    (width - 2 * margin) / Math.max((east - west) * longitudeScale, 1e-9),
    (max_height - 2 * margin) / Math.max(north - south, 1e-9),
  )
  const toSvgPoint = ([x = 0, y = 0]: Position): string =>
    `${(margin + (x - west) * longitudeScale * scale).toFixed(1)} ${(margin + (north - y) * scale).toFixed(1)}`
  const height = Math.ceil((north - south) * scale + 2 * margin)
  const paths = rings.map((ring) => `M${ring.map(toSvgPoint).join('L')}Z`).join('')
  return (
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Outline of what is shared">` +
    `<path fill-rule="evenodd" d="${paths}"/></svg>`
  )
}
