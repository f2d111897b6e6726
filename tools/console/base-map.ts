import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Feature, FeatureCollection, MultiLineString, Polygon, MultiPolygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/**
 * Writes the base map as GeoJSON: land and country borders of Natural Earth 1:50m (npm package `world-atlas`), and a
 * graticule. The browser loads them as it loads fonts; nothing comes from another server.
 */
export async function writeBaseMap(folder: string): Promise<void> {
  const require = createRequire(import.meta.url)
  const read = async (name: string): Promise<Topology> =>
    JSON.parse(await readFile(require.resolve(`world-atlas/${name}`), 'utf8')) as Topology
  const [land, countries] = [await read('land-50m.json'), await read('countries-50m.json')]
  const countryShapes = countries.objects['countries'] as GeometryCollection
  await mkdir(folder, { recursive: true })
  const write = (name: string, value: object) => writeFile(join(folder, name), JSON.stringify(value))
  await write('land.json', splitWideRings(feature(land, land.objects['land'] as GeometryCollection)))
  const borders: Feature<MultiLineString> = {
    type: 'Feature',
    properties: {},
    geometry: roundLines(mesh(countries, countryShapes, (left, right) => left !== right)),
  }
  await write('borders.json', borders)
  await write('graticule.json', graticule(15))
}

const round = (value: number): number => Math.round(value * 1000) / 1000

const roundLines = ({ coordinates }: MultiLineString): MultiLineString => ({
  type: 'MultiLineString',
  coordinates: coordinates.map((line) => line.map(([x, y]) => [round(x!), round(y!)])),
})

type Area = Feature<Polygon | MultiPolygon>

/**
 * Polygons as single features, so that the map's index can clip each. Natural Earth closes rings along the antimeridian
 * already; a ring that still jumps across it would be drawn over the whole map, and is continued beyond 180 degrees instead.
 */
function splitWideRings(collection: Area | FeatureCollection): FeatureCollection<Polygon> {
  const features = 'features' in collection ? (collection.features as Area[]) : [collection]
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
  )
  return {
    type: 'FeatureCollection',
    features: polygons.map((rings) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: rings.map(unwrapRing) },
    })),
  }
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
