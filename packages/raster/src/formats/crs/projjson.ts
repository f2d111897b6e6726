import type { Crs } from '../../types.ts'

type Json = Readonly<Record<string, unknown>>

interface ProjectionParameter {
  readonly name: string
  /** EPSG code of the parameter. */
  readonly code: number
  /** The key in the proj4 text, and its default value. */
  readonly key: string
  readonly default_value: number
  readonly unit: 'degree' | 'metre' | 'unity'
}

interface ProjectionMethod {
  readonly name: string
  /** EPSG code of the method; null if EPSG has none. */
  readonly code: number | null
  readonly parameters: readonly ProjectionParameter[]
}

const parameter = (
  name: string,
  code: number,
  key: string,
  unit: ProjectionParameter['unit'] = 'degree',
): ProjectionParameter => ({ name, code, key, unit, default_value: unit === 'unity' ? 1 : 0 })

const latitudeOfOrigin = parameter('Latitude of natural origin', 8801, 'lat_0')
const longitudeOfOrigin = parameter('Longitude of natural origin', 8802, 'lon_0')
const scale = parameter('Scale factor at natural origin', 8805, 'k_0', 'unity')
const falseOrigin = [
  parameter('False easting', 8806, 'x_0', 'metre'),
  parameter('False northing', 8807, 'y_0', 'metre'),
]
const standardParallel = parameter('Latitude of 1st standard parallel', 8823, 'lat_ts')

const atNaturalOrigin = [latitudeOfOrigin, longitudeOfOrigin, scale, ...falseOrigin]
const atFalseOrigin = [
  parameter('Latitude of false origin', 8821, 'lat_0'),
  parameter('Longitude of false origin', 8822, 'lon_0'),
  parameter('Latitude of 1st standard parallel', 8823, 'lat_1'),
  parameter('Latitude of 2nd standard parallel', 8824, 'lat_2'),
  parameter('Easting at false origin', 8826, 'x_0', 'metre'),
  parameter('Northing at false origin', 8827, 'y_0', 'metre'),
]

const method = (name: string, code: number | null, parameters: readonly ProjectionParameter[]): ProjectionMethod => ({
  name,
  code,
  parameters,
})

const lambertOneParallel = method('Lambert Conic Conformal (1SP)', 9801, atNaturalOrigin)
const mercatorTrueScale = method('Mercator (variant B)', 9805, [standardParallel, longitudeOfOrigin, ...falseOrigin])
const polarTrueScale = method('Polar Stereographic (variant B)', 9829, [
  parameter('Latitude of standard parallel', 8832, 'lat_ts'),
  parameter('Longitude of origin', 8833, 'lon_0'),
  ...falseOrigin,
])

/** By proj4 projection name. */
const methods: Readonly<Record<string, ProjectionMethod>> = {
  tmerc: method('Transverse Mercator', 9807, atNaturalOrigin),
  merc: method('Mercator (variant A)', 9804, atNaturalOrigin),
  lcc: method('Lambert Conic Conformal (2SP)', 9802, atFalseOrigin),
  aea: method('Albers Equal Area', 9822, atFalseOrigin),
  laea: method('Lambert Azimuthal Equal Area', 9820, [latitudeOfOrigin, longitudeOfOrigin, ...falseOrigin]),
  stere: method('Polar Stereographic (variant A)', 9810, atNaturalOrigin),
  sterea: method('Oblique Stereographic', 9809, atNaturalOrigin),
  sinu: method('Sinusoidal', null, [longitudeOfOrigin, ...falseOrigin]),
  cea: method('Lambert Cylindrical Equal Area', 9835, [standardParallel, longitudeOfOrigin, ...falseOrigin]),
  eqc: method('Equidistant Cylindrical', 1028, [standardParallel, latitudeOfOrigin, longitudeOfOrigin, ...falseOrigin]),
}

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

function findMethod(definition: Proj4Parameters): ProjectionMethod | null {
  const projection = definition.get('proj') ?? ''
  if (projection === 'lcc' && (definition.get('lat_2') ?? definition.get('lat_1')) === definition.get('lat_1'))
    return lambertOneParallel
  if (projection === 'merc' && definition.has('lat_ts')) return mercatorTrueScale
  if (projection === 'stere' && Math.abs(Number(definition.get('lat_0'))) !== 90) return null
  if (projection === 'stere' && definition.has('lat_ts')) return polarTrueScale
  return Object.hasOwn(methods, projection) ? methods[projection]! : null
}

function parameterValue(definition: Proj4Parameters, wanted: ProjectionParameter): number {
  // The scale factor has two keys: k_0 and k.
  const text = definition.get(wanted.key) ?? (wanted.key === 'k_0' ? definition.get('k') : undefined)
  const value = Number(text ?? wanted.default_value)
  return Number.isFinite(value) ? value : wanted.default_value
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
  const found = findMethod(definition)
  if (!found) return null
  // With a single standard parallel and no lat_0, lat_1 is the latitude of origin.
  const withOrigin =
    found === lambertOneParallel && !definition.has('lat_0')
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
      method: { name: found.name, ...(found.code === null ? {} : { id: { authority: 'EPSG', code: found.code } }) },
      parameters: found.parameters.map((wanted) => ({
        name: wanted.name,
        value: parameterValue(withOrigin, wanted),
        unit: wanted.unit,
        id: { authority: 'EPSG', code: wanted.code },
      })),
    },
    coordinate_system: {
      subtype: 'Cartesian',
      axis: [axis('Easting', 'E', 'east', unit), axis('Northing', 'N', 'north', unit)],
    },
  }
}
