import { type AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { overlayPolygons } from '@swath/geo/polygon-clip.ts'
import type { Rings } from './area-shapefile.ts'
import { boxArea } from './area.ts'
import { countPositions, simplifyPolygons } from './simplify-area.ts'

export type AreaReading =
  | {
      readonly area: AreaGeometry
      readonly error: null
      /** Number of positions of the source, if the area has fewer. */
      readonly simplified_from: number | null
    }
  | { readonly area: null; readonly error: string }

export const max_text_bytes = 4_000_000
/** The server refuses areas with more. */
const max_positions = 990

/** Reads an area from GeoJSON, WKT, KML, four numbers of a box, or positions `lon,lat lon,lat …`. Never throws. */
export function readArea(text: string): AreaReading {
  if (text.length > max_text_bytes) return { area: null, error: 'too-large' }
  return toReading(readPolygons(text.trim()) ?? [])
}

/** Polygons as an area: simplified if there are too many positions, joined where they overlap. */
export function toReading(polygons: readonly Rings[]): AreaReading {
  if (polygons.length === 0) return { area: null, error: 'unknown-format' }
  const count = countPositions(polygons)
  const simple = simplifyPolygons(polygons, max_positions)
  const { geometry, error } = validatePolygons(simple)
  const area = geometry ?? joinPolygons(simple)
  if (!area) return { area: null, error: error!.reason }
  return { area, error: null, simplified_from: count > countPositions(simple) ? count : null }
}

const validatePolygons = (polygons: readonly Rings[]) =>
  validateAreaGeometry(
    polygons.length === 1
      ? { type: 'Polygon', coordinates: polygons[0] }
      : { type: 'MultiPolygon', coordinates: polygons },
  )

/** The union of polygons that overlap, such as neighbouring fields; null if one of them is not valid by itself. */
function joinPolygons(polygons: readonly Rings[]): AreaGeometry | null {
  if (polygons.length < 2) return null
  const areas = polygons.map((polygon) => validatePolygons([polygon]).geometry)
  if (!areas.every((area) => area !== null)) return null
  const union = overlayPolygons(areas, (present) => present.includes(true))
  return union && validateAreaGeometry(union).geometry
}

function readPolygons(text: string): Rings[] | null {
  if (text.startsWith('{')) return readGeoJson(text)
  if (/^(srid=\d+;)?\s*(multi)?polygon/i.test(text)) return readWkt(text)
  if (text.startsWith('<')) return readKml(text)
  return readNumbers(text)
}

function readGeoJson(text: string): Rings[] | null {
  try {
    return collectPolygons(JSON.parse(text) as unknown)
  } catch {
    return null
  }
}

interface GeoJsonLike {
  readonly type?: unknown
  readonly geometry?: unknown
  readonly features?: unknown
  readonly geometries?: unknown
  readonly coordinates?: unknown
}

/** The polygons of a geometry, a feature or a collection of either; heights are left out. */
function collectPolygons(value: unknown): Rings[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, geometry, features, geometries, coordinates } = value as GeoJsonLike
  if (type === 'Feature') return collectPolygons(geometry)
  if (Array.isArray(features)) return features.flatMap(collectPolygons)
  if (Array.isArray(geometries)) return geometries.flatMap(collectPolygons)
  if (type === 'Polygon') return [flatten(coordinates as Rings)]
  if (type === 'MultiPolygon') return (coordinates as Rings[]).map(flatten)
  return []
}

const flatten = (rings: Rings): Rings => rings.map((ring) => ring.map(([lon, lat]) => [lon!, lat!]))

const parsePositions = (text: string): number[][] =>
  text.split(',').map((position) => position.trim().split(/\s+/).slice(0, 2).map(Number))

/** Polygon and MultiPolygon of Well-Known Text (ISO 19125-1), with or without heights. */
function readWkt(text: string): Rings[] {
  const body = text.slice(text.indexOf('('))
  const polygons = /^[^(]*multi/i.test(text) ? splitGroups(body.slice(1)) : splitGroups(body)
  return polygons.map((polygon) => splitGroups(polygon.slice(1)).map((ring) => parsePositions(ring.slice(1, -1))))
}

/** The outermost groups in parentheses, parentheses included. */
function splitGroups(text: string): string[] {
  const groups: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(' && depth++ === 0) start = at
    if (text[at] === ')' && --depth === 0) groups.push(text.slice(start, at + 1))
    if (depth < 0) break
  }
  return groups
}

function readKml(text: string): Rings[] | null {
  const document = new DOMParser().parseFromString(text, 'application/xml')
  if (document.querySelector('parsererror')) return null
  const ringOf = (boundary: Element): number[][] =>
    (boundary.querySelector('coordinates')?.textContent ?? '')
      .trim()
      .split(/\s+/)
      .map((position) => position.split(',').slice(0, 2).map(Number))
  return [...document.querySelectorAll('Polygon')].map((polygon) =>
    [...polygon.querySelectorAll('outerBoundaryIs, innerBoundaryIs')].map(ringOf),
  )
}

/** Four numbers are west, south, east, north; more are pairs of longitude and latitude. */
function readNumbers(text: string): Rings[] | null {
  if (!/^[-+.,;\d\s]+$/.test(text)) return null
  const numbers = text
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map(Number)
  if (numbers.some(Number.isNaN)) return null
  const [west, south, east, north] = numbers
  if (numbers.length === 4) return collectPolygons(boxArea(west!, south!, east!, north!))
  if (numbers.length < 6 || numbers.length % 2 === 1) return null
  const ring = Array.from({ length: numbers.length / 2 }, (_, at) => numbers.slice(2 * at, 2 * at + 2))
  const [first, last] = [ring[0]!, ring.at(-1)!]
  return [[first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first]]]
}
