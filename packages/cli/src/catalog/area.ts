import type { Client } from '@swath/client/client.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { readJson } from '../operations/flags.ts'

export interface SearchGeometry {
  readonly type: string
  readonly coordinates: unknown
}

type Bbox = readonly [west: number, south: number, east: number, north: number]

/** Where to look: a geometry, or a box of west, south, east and north in WGS 84 degrees. */
export type SearchArea = { readonly intersects: SearchGeometry } | { readonly bbox: Bbox }

export interface AreaOptions {
  /** GeoJSON, or a file of it. */
  readonly area?: string
  readonly bbox?: string
}

/** Half the side of the box around a settlement or a position, in degrees of latitude: 10 km. */
const place_margin_deg = 0.09

/** The area of the options, or else of the name of a place; null without any of them. */
export async function readSearchArea(
  context: CommandContext,
  client: Client,
  place: string | undefined,
  { area, bbox }: AreaOptions,
): Promise<SearchArea | null> {
  const given = [place, area, bbox].filter((value) => value !== undefined)
  if (given.length > 1) throw usageFailure('Name one area: a place, --area or --bbox.')
  if (bbox !== undefined) return { bbox: parseBbox(bbox) }
  if (area !== undefined) return { intersects: toGeometry(await readJson(context, area, '--area')) }
  return place === undefined ? null : { bbox: await findPlace(client, place) }
}

function parseBbox(text: string): Bbox {
  const numbers = text.split(',').map(Number)
  const [west = 0, south = 0, east = 0, north = 0] = numbers
  if (numbers.length !== 4 || numbers.some((number) => !Number.isFinite(number)))
    throw usageFailure('--bbox needs four numbers: west,south,east,north in degrees, such as 11.2,46.4,11.5,46.6.')
  return [west, south, east, north]
}

interface Place {
  readonly lon: number
  readonly lat: number
  readonly bbox: Bbox | null
}

async function findPlace(client: Client, query: string): Promise<Bbox> {
  const { places } = await client.call<{ places: Place[] }>('catalog.places.search', { query, limit: 1 })
  const [place] = places
  if (!place) throw new CommandFailure('notFound', `No place is called "${query}": name a larger one, or use --bbox or --area.`) // prettier-ignore
  if (place.bbox) return place.bbox
  const lon_margin = place_margin_deg / Math.max(0.1, Math.cos((place.lat * Math.PI) / 180))
  return [place.lon - lon_margin, place.lat - place_margin_deg, place.lon + lon_margin, place.lat + place_margin_deg]
}

interface GeojsonObject {
  readonly type?: string
  readonly geometry?: SearchGeometry | null
  readonly features?: readonly { readonly geometry: SearchGeometry | null }[]
  readonly coordinates?: unknown
}

/** The geometry of GeoJSON of any kind; several polygons become one multipolygon. */
export function toGeometry(value: unknown): SearchGeometry {
  const { type, geometry, features, coordinates } = (value ?? {}) as GeojsonObject
  if (type === 'Feature' && geometry) return geometry
  if (type === 'FeatureCollection' && features) return joinGeometries(features.flatMap((feature) => feature.geometry ?? [])) // prettier-ignore
  if (type !== undefined && Array.isArray(coordinates)) return { type, coordinates }
  throw usageFailure('The area is not GeoJSON: it needs a geometry, a feature or a feature collection.')
}

function joinGeometries(geometries: readonly SearchGeometry[]): SearchGeometry {
  if (geometries.length === 1) return geometries[0]!
  const polygons = geometries.flatMap(({ type, coordinates }) => (type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? (coordinates as unknown[]) : [])) // prettier-ignore
  if (polygons.length === 0) throw usageFailure('The area has no polygon.')
  return { type: 'MultiPolygon', coordinates: polygons }
}
