import type { Crs } from '@swath/raster'

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  /** EPSG code of the parameter. */
  readonly code: number
  /** The key in the proj4 text, and its default value. */
  readonly key: string
  readonly otherwise: number
  readonly unit: 'degree' | 'metre' | 'unity'
}

interface Method {
  readonly name: string
  /** EPSG code of the method; null if EPSG has none. */
  readonly code: number | null
  readonly parameters: readonly Parameter[]
}

const parameter = (name: string, code: number, key: string, unit: Parameter['unit'], otherwise = 0): Parameter => ({
  name,
  code,
  key,
  unit,
  otherwise,
})

const latitudeOfOrigin = parameter('Latitude of natural origin', 8801, 'lat_0', 'degree')
const longitudeOfOrigin = parameter('Longitude of natural origin', 8802, 'lon_0', 'degree')
const scale = parameter('Scale factor at natural origin', 8805, 'k_0', 'unity', 1)
const falseEasting = parameter('False easting', 8806, 'x_0', 'metre')
const falseNorthing = parameter('False northing', 8807, 'y_0', 'metre')
const trueScale = parameter('Latitude of 1st standard parallel', 8823, 'lat_ts', 'degree')

const atNaturalOrigin = [latitudeOfOrigin, longitudeOfOrigin, scale, falseEasting, falseNorthing]
const atFalseOrigin = [
  parameter('Latitude of false origin', 8821, 'lat_0', 'degree'),
  parameter('Longitude of false origin', 8822, 'lon_0', 'degree'),
  parameter('Latitude of 1st standard parallel', 8823, 'lat_1', 'degree'),
  parameter('Latitude of 2nd standard parallel', 8824, 'lat_2', 'degree'),
  parameter('Easting at false origin', 8826, 'x_0', 'metre'),
  parameter('Northing at false origin', 8827, 'y_0', 'metre'),
]

const lambertOneParallel: Method = { name: 'Lambert Conic Conformal (1SP)', code: 9801, parameters: atNaturalOrigin }
const mercatorTrueScale: Method = {
  name: 'Mercator (variant B)',
  code: 9805,
  parameters: [trueScale, longitudeOfOrigin, falseEasting, falseNorthing],
}
const polarTrueScale: Method = {
  name: 'Polar Stereographic (variant B)',
  code: 9829,
  parameters: [
    parameter('Latitude of standard parallel', 8832, 'lat_ts', 'degree'),
    parameter('Longitude of origin', 8833, 'lon_0', 'degree'),
    falseEasting,
    falseNorthing,
  ],
}

/** By proj4 projection name. */
const methods: Readonly<Record<string, Method>> = {
  tmerc: { name: 'Transverse Mercator', code: 9807, parameters: atNaturalOrigin },
  merc: { name: 'Mercator (variant A)', code: 9804, parameters: atNaturalOrigin },
  lcc: { name: 'Lambert Conic Conformal (2SP)', code: 9802, parameters: atFalseOrigin },
  aea: { name: 'Albers Equal Area', code: 9822, parameters: atFalseOrigin },
  laea: {
    name: 'Lambert Azimuthal Equal Area',
    code: 9820,
    parameters: [latitudeOfOrigin, longitudeOfOrigin, falseEasting, falseNorthing],
  },
  stere: { name: 'Polar Stereographic (variant A)', code: 9810, parameters: atNaturalOrigin },
  sterea: { name: 'Oblique Stereographic', code: 9809, parameters: atNaturalOrigin },
  sinu: { name: 'Sinusoidal', code: null, parameters: [longitudeOfOrigin, falseEasting, falseNorthing] },
  cea: {
    name: 'Lambert Cylindrical Equal Area',
    code: 9835,
    parameters: [trueScale, longitudeOfOrigin, falseEasting, falseNorthing],
  },
  eqc: {
    name: 'Equidistant Cylindrical',
    code: 1028,
    parameters: [trueScale, latitudeOfOrigin, longitudeOfOrigin, falseEasting, falseNorthing],
  },
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

type Definition = ReadonlyMap<string, string>

/** `+key=value` pairs by key; a key without a value is `true`. */
function readProj4(text: string): Definition {
  const pairs = text.split(/\s+/).filter((word) => word.startsWith('+'))
  return new Map(
    pairs.map((word): [string, string] => {
      const [key, value] = word.slice(1).split('=')
      return [key!, value ?? 'true']
    }),
  )
}

/** Expands UTM to the transverse Mercator parameters of its zone. */
function withoutUtm(given: Definition): Definition {
  if (given.get('proj') !== 'utm') return given
  const zone = Number(given.get('zone'))
  return new Map([
    ...given,
    ['proj', 'tmerc'],
    ['lon_0', String(zone * 6 - 183)],
    ['k_0', '0.9996'],
    ['x_0', '500000'],
    ['y_0', given.has('south') ? '10000000' : '0'],
  ])
}

function methodOf(given: Definition): Method | null {
  const projection = given.get('proj') ?? ''
  if (projection === 'lcc' && (given.get('lat_2') ?? given.get('lat_1')) === given.get('lat_1'))
    return lambertOneParallel
  if (projection === 'merc' && given.has('lat_ts')) return mercatorTrueScale
  if (projection === 'stere' && Math.abs(Number(given.get('lat_0'))) !== 90) return null
  if (projection === 'stere' && given.has('lat_ts')) return polarTrueScale
  return Object.hasOwn(methods, projection) ? methods[projection]! : null
}

function valueOf(given: Definition, wanted: Parameter): number {
  // The scale factor has two keys: k_0 and k.
  const text = given.get(wanted.key) ?? (wanted.key === 'k_0' ? given.get('k') : undefined)
  const value = Number(text ?? wanted.otherwise)
  return Number.isFinite(value) ? value : wanted.otherwise
}

/** A table lookup that is safe for arbitrary keys from a file. */
const rowOf = <Row>(table: Readonly<Record<string, Row>>, word: string | undefined): Row | undefined =>
  word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined

function ellipsoidOf(given: Definition): Json | null {
  const word = rowOf(datums, given.get('datum'))?.[1] ?? given.get('ellps')
  const known = rowOf(ellipsoids, word)
  const [name, axis, flattening] = known ?? [
    'unknown',
    Number(given.get('a') ?? given.get('R')),
    Number(given.get('rf') ?? 0),
  ]
  if (!Number.isFinite(axis)) return null
  const minor = Number(given.get('b'))
  if (!known && Number.isFinite(minor)) return { name, semi_major_axis: axis, semi_minor_axis: minor }
  return flattening === 0 ? { name, radius: axis } : { name, semi_major_axis: axis, inverse_flattening: flattening }
}

const axis = (name: string, abbreviation: string, direction: string, unit: unknown): Json => ({
  name,
  abbreviation,
  direction,
  unit,
})

function baseOf(given: Definition): Json | null {
  const ellipsoid = ellipsoidOf(given)
  if (!ellipsoid) return null
  const meridian = Number(given.get('pm') ?? 0)
  if (!Number.isFinite(meridian)) return null
  const datum = rowOf(datums, given.get('datum'))?.[0] ?? `unknown, on the ellipsoid ${String(ellipsoid['name'])}`
  return {
    type: 'GeographicCRS',
    name: given.get('datum') === 'WGS84' ? 'WGS 84' : 'unknown',
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

function unitOf(given: Definition): unknown {
  const known = rowOf(linearUnits, given.get('units'))
  const [name, metres] = known ?? ['unknown', Number(given.get('to_meter') ?? 1)]
  return metres === 1 ? 'metre' : { type: 'LinearUnit', name, conversion_factor: metres }
}

const schema = 'https://proj.org/schemas/v0.5/projjson.schema.json'

/** The CRS as PROJJSON 0.5, for files without an EPSG code; null for an unsupported projection. */
export function projjsonOf(crs: Pick<Crs, 'proj4' | 'name'>): Json | null {
  if (crs.proj4 === null) return null
  const given = withoutUtm(readProj4(crs.proj4))
  const base = baseOf(given)
  if (!base) return null
  const name = crs.name || 'unknown'
  if (given.get('proj') === 'longlat') return { $schema: schema, ...base, name }
  const found = methodOf(given)
  if (!found) return null
  // With a single standard parallel and no lat_0, lat_1 is the latitude of origin.
  const complete =
    found === lambertOneParallel && !given.has('lat_0')
      ? new Map([...given, ['lat_0', given.get('lat_1') ?? '0']])
      : given
  const unit = unitOf(given)
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
        value: valueOf(complete, wanted),
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
