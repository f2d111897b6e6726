import { degreesToMetres, metresToDegrees } from '@swath/geo/web-mercator.ts'
import { LRUCache } from 'lru-cache'
import proj4 from 'proj4'
import { RasterFailure } from '../../failures.ts'
import type { Crs } from '../../types.ts'
import { findBuiltInTransform } from './own-projections.ts'
import { readProj4Number } from './proj4-number.ts'

const radians_per_degree = Math.PI / 180
const semi_major_axis = 6_378_137
const utm_scale = 0.9996
const false_easting = 500_000
const false_northing_south = 10_000_000
/** Inverse flattening of the ellipsoids that differ from WGS 84 by less than a tenth of a millimetre. */
const inverseFlattening: Readonly<Record<string, number>> = {
  '+datum=WGS84': 298.257_223_563,
  '+ellps=GRS80': 298.257_222_101,
}
const noShift = '+towgs84=0,0,0,0,0,0,0'
/** Words of the text that change neither the projection nor the datum. */
const withoutEffect: ReadonlySet<string> = new Set(['+units=m', '+no_defs', '+type=crs', noShift])
/** Further from the central meridian (in terms of η') the series is not exact; proj4 has the same bound. */
const max_eta = 2.623_395_162_778

type ForwardProjection = (longitude: number, latitude: number) => [x: number, y: number]

/**
 * Longitude and latitude (degrees, WGS 84) to metres of a UTM zone, for texts such as `+proj=utm +zone=33 +datum=WGS84`; null
 * for any other projection, or a datum that needs a shift. The library computes the same, at several times the cost.
 *
 * Formulas: C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers" (2011), equations 7 to 11 and 35.
 */
export function createUtmProjection(text: string): ForwardProjection | null {
  const zone = parseUtm(text)
  if (!zone) return null
  const { central_meridian, false_northing, flattening } = zone
  const eccentricity = Math.sqrt(flattening * (2 - flattening))
  const n = flattening / (2 - flattening)
  const radius = ((utm_scale * semi_major_axis) / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64 + n ** 6 / 256)
  const series = seriesOf(n)
  return (longitude, latitude) => {
    const turned = longitude - central_meridian
    const lambda = (turned - 360 * Math.round(turned / 360)) * radians_per_degree
    const tangent = Math.tan(latitude * radians_per_degree)
    const secant = Math.sqrt(1 + tangent * tangent)
    const sigma = Math.sinh(eccentricity * Math.atanh((eccentricity * tangent) / secant))
    const conformal = tangent * Math.sqrt(1 + sigma * sigma) - sigma * secant
    const cosine = Math.cos(lambda)
    const xi = Math.atan2(conformal, cosine)
    const eta = Math.asinh(Math.sin(lambda) / Math.sqrt(conformal * conformal + cosine * cosine))
    if (!(Math.abs(eta) <= max_eta) || Math.abs(latitude) > 90) return [Number.NaN, Number.NaN]
    const [dXi, dEta] = sumSeries(series, 2 * xi, 2 * eta)
    return [false_easting + radius * (eta + dEta), false_northing + radius * (xi + dXi)]
  }
}

function parseUtm(
  text: string,
): { readonly central_meridian: number; readonly false_northing: number; readonly flattening: number } | null {
  const words = text.trim().split(/\s+/)
  if (!words.includes('+proj=utm')) return null
  const zone = Number(words.find((word) => /^\+zone=\d{1,2}$/.test(word))?.slice('+zone='.length))
  if (!(zone >= 1 && zone <= 60)) return null
  const ellipsoid = words.find((word) => word in inverseFlattening)
  if (!ellipsoid || (ellipsoid !== '+datum=WGS84' && !words.includes(noShift))) return null
  const known = new Set(['+proj=utm', `+zone=${zone}`, '+south', ellipsoid])
  if (words.some((word) => !known.has(word) && !withoutEffect.has(word))) return null
  return {
    central_meridian: 6 * zone - 183,
    false_northing: words.includes('+south') ? false_northing_south : 0,
    flattening: 1 / inverseFlattening[ellipsoid]!,
  }
}

/** Coefficients of the series in multiples of 2ξ', to the sixth order in the third flattening (equation 35). */
function seriesOf(n: number): Float64Array {
  const polynomial = (order: number, ...coefficients: readonly number[]): number =>
    coefficients.reduce((sum, coefficient, at) => sum + coefficient * n ** (order + at), 0)
  return Float64Array.of(
    polynomial(1, 1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37_800),
    polynomial(2, 13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1_983_433 / 1_935_360),
    polynomial(3, 61 / 240, -103 / 140, 15_061 / 26_880, 167_603 / 181_440),
    polynomial(4, 49_561 / 161_280, -179 / 168, 6_601_661 / 7_257_600),
    polynomial(5, 34_729 / 80_640, -3_418_889 / 1_995_840),
    polynomial(6, 212_378_941 / 319_334_400),
  )
}

/** The sum of `series[j - 1] × sin(j (x + iy))`, real and imaginary, by Clenshaw's recurrence. */
function sumSeries(series: Float64Array, x: number, y: number): [real: number, imaginary: number] {
  const [sin, cos, sinh, cosh] = [Math.sin(x), Math.cos(x), Math.sinh(y), Math.cosh(y)]
  const [twoReal, twoImaginary] = [2 * cos * cosh, -2 * sin * sinh]
  let [real, imaginary, lastReal, lastImaginary] = [0, 0, 0, 0]
  for (let at = series.length - 1; at >= 0; at--) {
    const nextReal = twoReal * real - twoImaginary * imaginary - lastReal + series[at]!
    const nextImaginary = twoReal * imaginary + twoImaginary * real - lastImaginary
    lastReal = real
    lastImaginary = imaginary
    real = nextReal
    imaginary = nextImaginary
  }
  const [sineReal, sineImaginary] = [sin * cosh, cos * sinh]
  return [sineReal * real - sineImaginary * imaginary, sineReal * imaginary + sineImaginary * real]
}

export type Position = [x: number, y: number]

/** Both ways between longitude and latitude (degrees, WGS 84) and the units of a reference system. NaN where undefined. */
export interface CrsTransform {
  forward(longitude: number, latitude: number): Position
  inverse(x: number, y: number): Position
}

const identityTransform: CrsTransform = { forward: (x, y) => [x, y], inverse: (x, y) => [x, y] }
const webMercator: CrsTransform = { forward: degreesToMetres, inverse: metresToDegrees }

const transforms = new LRUCache<string, CrsTransform>({ max: 256 })

/** The transform of a reference system; `no_georeference` where the file has none that can be used. */
export function createCrsTransform(crs: Crs): CrsTransform {
  if (crs.proj4 === null) {
    const why = crs.refusal === undefined ? '' : `: ${crs.refusal}`
    const advice = crs.isOfOtherBody
      ? ''
      : '; transform the file to another one, for example with gdalwarp -t_srs EPSG:4326'
    throw new RasterFailure(
      'no_georeference',
      `the reference system of the file (${crs.name}) cannot be put on a map${why}${advice}`,
    )
  }
  if (crs.epsg === 4326) return identityTransform
  if (crs.epsg === 3857) return webMercator
  const known = transforms.get(crs.proj4)
  if (known) return known
  const transform = createTransform(crs.proj4)
  transforms.set(crs.proj4, transform)
  return transform
}

function createTransform(text: string): CrsTransform {
  const converter = findBuiltInTransform(text) ?? proj4(text)
  const utm = createUtmProjection(text)
  const outside: Position = [Number.NaN, Number.NaN]
  const isOffCone = text.startsWith('+proj=aea ')
    ? createConeCheck((at) => attempt(() => converter.forward([...at]) as Position), text)
    : null
  // Its poles are the end of the map, where the library loses them to rounding.
  const endsAtRounding = text.startsWith('+proj=eqearth ')
  return {
    forward(longitude, latitude) {
      if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return outside
      if (utm) return utm(longitude, latitude)
      return attempt(() => converter.forward([longitude, latitude]) as Position)
    },
    inverse(x, y) {
      if (!Number.isFinite(x) || !Number.isFinite(y) || isOffCone?.(x, y)) return outside
      const place = attempt(() => converter.inverse([x, y]) as Position)
      if (!endsAtRounding || Number.isFinite(place[0])) return place
      return attempt(() => converter.inverse([x, y * just_inside]) as Position)
    },
  }
}

/** Millimetres of the height of a map. */
const just_inside = 1 - 1e-9

/**
 * True for a position nearer to the middle of the circles of a conic projection than its one pole, or farther than the other: the
 * library gives it the latitude of another one.
 */
function createConeCheck(
  forward: (at: Position) => Position,
  text: string,
): ((x: number, y: number) => boolean) | null {
  const longitude = (readProj4Number(text, 'lon_0') ?? 0) + (readProj4Number(text, 'pm') ?? 0)
  const latitude = readProj4Number(text, 'lat_1') ?? 0
  const [x0, y0] = forward([longitude, latitude])
  const [x1, y1] = forward([longitude + 1, latitude])
  // The circle through both that has its middle on the central meridian.
  const middle = y0 + ((x1 - x0) ** 2 + (y1 - y0) ** 2) / (2 * (y1 - y0))
  const radii = [90, -90].map((pole) => Math.abs(forward([longitude, pole])[1] - middle))
  const [least, most] = [Math.min(...radii) * just_inside, Math.max(...radii) / just_inside]
  if (!(Number.isFinite(middle) && most > least)) return null
  return (x, y) => {
    const radius = Math.hypot(x - x0, y - middle)
    return radius < least || radius > most
  }
}

// proj4 throws for some positions outside a projection's domain and answers huge or non-finite numbers for others.
function attempt(project: () => Position): Position {
  try {
    const [x, y] = project()
    return Number.isFinite(x) && Number.isFinite(y) && Math.abs(x) < 1e12 && Math.abs(y) < 1e12
      ? [x, y]
      : [Number.NaN, Number.NaN]
  } catch {
    return [Number.NaN, Number.NaN]
  }
}
