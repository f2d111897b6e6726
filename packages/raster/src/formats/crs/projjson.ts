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

const projectionParameter = ({
  name,
  code,
  key,
  unit,
  default_value = 0,
}: {
  readonly name: string
  readonly code: number
  readonly key: string
  readonly unit: ProjectionParameter['unit']
  readonly default_value?: number
}): ProjectionParameter => ({
  name,
  code,
  key,
  unit,
  default_value,
})

const latitudeOfOrigin = projectionParameter({
  name: 'Latitude of natural origin',
  code: 8801,
  key: 'lat_0',
  unit: 'degree',
})
const longitudeOfOrigin = projectionParameter({
  name: 'Longitude of natural origin',
  code: 8802,
  key: 'lon_0',
  unit: 'degree',
})
const scale = projectionParameter({
  name: 'Scale factor at natural origin',
  code: 8805,
  key: 'k_0',
  unit: 'unity',
  default_value: 1,
})
const falseEasting = projectionParameter({ name: 'False easting', code: 8806, key: 'x_0', unit: 'metre' })
const falseNorthing = projectionParameter({ name: 'False northing', code: 8807, key: 'y_0', unit: 'metre' })
const standardParallel = projectionParameter({
  name: 'Latitude of 1st standard parallel',
  code: 8823,
  key: 'lat_ts',
  unit: 'degree',
})

const atNaturalOrigin = [latitudeOfOrigin, longitudeOfOrigin, scale, falseEasting, falseNorthing]
const atFalseOrigin = [
  projectionParameter({ name: 'Latitude of false origin', code: 8821, key: 'lat_0', unit: 'degree' }),
  projectionParameter({ name: 'Longitude of false origin', code: 8822, key: 'lon_0', unit: 'degree' }),
  projectionParameter({ name: 'Latitude of 1st standard parallel', code: 8823, key: 'lat_1', unit: 'degree' }),
  projectionParameter({ name: 'Latitude of 2nd standard parallel', code: 8824, key: 'lat_2', unit: 'degree' }),
  projectionParameter({ name: 'Easting at false origin', code: 8826, key: 'x_0', unit: 'metre' }),
  projectionParameter({ name: 'Northing at false origin', code: 8827, key: 'y_0', unit: 'metre' }),
]

const lambertOneParallel: ProjectionMethod = {
  name: 'Lambert Conic Conformal (1SP)',
  code: 9801,
  parameters: atNaturalOrigin,
}
const mercatorTrueScale: ProjectionMethod = {
  name: 'Mercator (variant B)',
  code: 9805,
  parameters: [standardParallel, longitudeOfOrigin, falseEasting, falseNorthing],
}
const polarTrueScale: ProjectionMethod = {
  name: 'Polar Stereographic (variant B)',
  code: 9829,
  parameters: [
    projectionParameter({ name: 'Latitude of standard parallel', code: 8832, key: 'lat_ts', unit: 'degree' }),
    projectionParameter({ name: 'Longitude of origin', code: 8833, key: 'lon_0', unit: 'degree' }),
    falseEasting,
    falseNorthing,
  ],
}

/** By proj4 projection name. */
const methods: Readonly<Record<string, ProjectionMethod>> = {
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
    parameters: [standardParallel, longitudeOfOrigin, falseEasting, falseNorthing],
  },
  eqc: {
    name: 'Equidistant Cylindrical',
    code: 1028,
    parameters: [standardParallel, latitudeOfOrigin, longitudeOfOrigin, falseEasting, falseNorthing],
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
  const method = findMethod(definition)
  if (!method) return null
  // With a single standard parallel and no lat_0, lat_1 is the latitude of origin.
  const withOrigin =
    method === lambertOneParallel && !definition.has('lat_0')
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
      method: { name: method.name, ...(method.code === null ? {} : { id: { authority: 'EPSG', code: method.code } }) },
      parameters: method.parameters.map((wanted) => ({
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
