import { readTsvFile } from '../../tsv-file.ts'
import type { Crs } from '../../types.ts'

type Json = Readonly<Record<string, unknown>>

const parameters = new Map(
  readTsvFile<'id' | 'name' | 'code' | 'key' | 'unit'>(new URL('./projjson-parameters.tsv', import.meta.url)).map(
    (row) => [row.id, row],
  ),
)

type ProjectionParameter = NonNullable<ReturnType<typeof parameters.get>>
type ProjectionMethod = Readonly<Record<'id' | 'name' | 'code' | 'parameters', string>>

/**
 * Methods by proj4 projection name, `_1sp` or `_ts` added for one standard parallel or a latitude of true scale; the code of EPSG is
 * empty for a method that has none.
 */
const methods: ReadonlyMap<string, ProjectionMethod> = new Map(
  readTsvFile<keyof ProjectionMethod>(new URL('./projjson-methods.tsv', import.meta.url)).map((row) => [row.id, row]),
)

/** Name, semi-major axis in metres and inverse flattening (0 for a sphere), by proj4 name. */
const ellipsoids: Readonly<Record<string, readonly [name: string, axis: number, flattening: number]>> = {
  WGS84: ['WGS 84', 6378137, 298.257223563],
  GRS80: ['GRS 1980', 6378137, 298.257222101],
  clrk66: ['Clarke 1866', 6378206.4, 294.978698213898],
  intl: ['International 1924', 6378388, 297],
  bessel: ['Bessel 1841', 6377397.155, 299.1528128],
  airy: ['Airy 1830', 6377563.396, 299.3249646],
  krass: ['Krassowsky 1940', 6378245, 298.3],
  aust_SA: ['Australian National Spheroid', 6378160, 298.25],
  sphere: ['Sphere', 6370997, 0],
}

const datums: Readonly<Record<string, readonly [name: string, ellipsoid: string]>> = {
  WGS84: ['World Geodetic System 1984', 'WGS84'],
  NAD83: ['North American Datum 1983', 'GRS80'],
  NAD27: ['North American Datum 1927', 'clrk66'],
}

const linearUnits: Readonly<Record<string, readonly [name: string, metres: number]>> = {
  'us-ft': ['US survey foot', 1200 / 3937],
  ft: ['foot', 0.3048],
  km: ['kilometre', 1000],
}

type Proj4Parameters = ReadonlyMap<string, string>

/** `+key=value` pairs by key; a key without a value is `true`. */
function parseProj4(text: string): Proj4Parameters {
  const pairs = text.split(/\s+/).filter((word) => word.startsWith('+'))
  return new Map(
    pairs.map((word): [string, string] => {
      const [key, value] = word.slice(1).split('=')
      return [key!, value ?? 'true']
    }),
  )
}

/** Expands UTM to the transverse Mercator parameters of its zone. */
function expandUtm(definition: Proj4Parameters): Proj4Parameters {
  if (definition.get('proj') !== 'utm') return definition
  const zone = Number(definition.get('zone'))
  return new Map([
    ...definition,
    ['proj', 'tmerc'],
    ['lon_0', String(zone * 6 - 183)],
    ['k_0', '0.9996'],
    ['x_0', '500000'],
    ['y_0', definition.has('south') ? '10000000' : '0'],
  ])
}

function findProjectionMethod(definition: Proj4Parameters): ProjectionMethod | undefined {
  const projection = definition.get('proj') ?? ''
  if (projection === 'lcc' && (definition.get('lat_2') ?? definition.get('lat_1')) === definition.get('lat_1'))
    return methods.get('lcc_1sp')
  if (projection === 'stere' && Math.abs(Number(definition.get('lat_0'))) !== 90) return undefined
  const hasTrueScale = definition.has('lat_ts') && (projection === 'merc' || projection === 'stere')
  return methods.get(hasTrueScale ? `${projection}_ts` : projection)
}

function parameterValue(definition: Proj4Parameters, { key, unit }: ProjectionParameter): number {
  const otherwise = unit === 'unity' ? 1 : 0
  // The scale factor has two keys: k_0 and k.
  const value = Number(definition.get(key) ?? (key === 'k_0' ? definition.get('k') : undefined) ?? otherwise)
  return Number.isFinite(value) ? value : otherwise
}

/** A table lookup that is safe for arbitrary keys from a file. */
const lookUp = <Row>(table: Readonly<Record<string, Row>>, word: string | undefined): Row | undefined =>
  word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined

function toEllipsoid(definition: Proj4Parameters): Json | null {
  const word = lookUp(datums, definition.get('datum'))?.[1] ?? definition.get('ellps')
  const entry = lookUp(ellipsoids, word)
  const [name, axis, flattening] = entry ?? [
    'unknown',
    Number(definition.get('a') ?? definition.get('R')),
    Number(definition.get('rf') ?? 0),
  ]
  if (!Number.isFinite(axis)) return null
  const minor = Number(definition.get('b'))
  if (!entry && Number.isFinite(minor)) return { name, semi_major_axis: axis, semi_minor_axis: minor }
  return flattening === 0 ? { name, radius: axis } : { name, semi_major_axis: axis, inverse_flattening: flattening }
}

const axis = (name: string, abbreviation: string, direction: string, unit: unknown): Json => ({
  name,
  abbreviation,
  direction,
  unit,
})

function toGeographicCrs(definition: Proj4Parameters): Json | null {
  const ellipsoid = toEllipsoid(definition)
  if (!ellipsoid) return null
  const meridian = Number(definition.get('pm') ?? 0)
  if (!Number.isFinite(meridian)) return null
  const datum = lookUp(datums, definition.get('datum'))?.[0] ?? `unknown, on the ellipsoid ${String(ellipsoid['name'])}`
  return {
    type: 'GeographicCRS',
    name: definition.get('datum') === 'WGS84' ? 'WGS 84' : 'unknown',
    datum: {
      type: 'GeodeticReferenceFrame',
      name: datum,
      ellipsoid,
      ...(meridian === 0 ? {} : { prime_meridian: { name: 'unknown', longitude: meridian } }),
    },
    coordinate_system: {
      subtype: 'ellipsoidal',
      axis: [axis('Longitude', 'lon', 'east', 'degree'), axis('Latitude', 'lat', 'north', 'degree')],
    },
  }
}

function toLinearUnit(definition: Proj4Parameters): unknown {
  const entry = lookUp(linearUnits, definition.get('units'))
  const [name, metres] = entry ?? ['unknown', Number(definition.get('to_meter') ?? 1)]
  return metres === 1 ? 'metre' : { type: 'LinearUnit', name, conversion_factor: metres }
}

const schema = 'https://proj.org/schemas/v0.5/projjson.schema.json'

/** The CRS as PROJJSON 0.5, for files without an EPSG code; null for an unsupported projection. */
export function toProjjson(crs: Pick<Crs, 'proj4' | 'name'>): Json | null {
  if (crs.proj4 === null) return null
  const definition = expandUtm(parseProj4(crs.proj4))
  const base = toGeographicCrs(definition)
  if (!base) return null
  const name = crs.name || 'unknown'
  if (definition.get('proj') === 'longlat') return { $schema: schema, ...base, name }
  const found = findProjectionMethod(definition)
  if (!found) return null
  // With a single standard parallel and no lat_0, lat_1 is the latitude of origin.
  const withOrigin =
    found.id === 'lcc_1sp' && !definition.has('lat_0')
      ? new Map([...definition, ['lat_0', definition.get('lat_1') ?? '0']])
      : definition
  const unit = toLinearUnit(definition)
  return {
    $schema: schema,
    type: 'ProjectedCRS',
    name,
    base_crs: base,
    conversion: {
      name: 'unknown',
      method: {
        name: found.name,
        ...(found.code === '' ? {} : { id: { authority: 'EPSG', code: Number(found.code) } }),
      },
      parameters: found.parameters.split(' ').map((id) => {
        const parameter = parameters.get(id)!
        const { name, unit, code } = parameter
        const value = parameterValue(withOrigin, parameter)
        return { name, value, unit, id: { authority: 'EPSG', code: Number(code) } }
      }),
    },
    coordinate_system: {
      subtype: 'Cartesian',
      axis: [axis('Easting', 'E', 'east', unit), axis('Northing', 'N', 'north', unit)],
    },
  }
}
