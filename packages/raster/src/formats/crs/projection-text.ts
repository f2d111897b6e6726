import proj4 from 'proj4'
import { RasterFailure } from '../../failures.ts'
import type { UnmappableCrs } from '../../types.ts'
import {
  type ProjectionParameterDefinition,
  type ProjectionParameters,
  projectionParameterSources,
} from './geo-keys.ts'
import type { ProjectionMethod } from './projection-methods.ts'
import { findCrs } from './crs-table.ts'
import { readTsvFile } from '../../tsv-file.ts'

/** Equatorial radii in metres (IAU 2015) of bodies other than the Earth. */
const celestialBodies = readTsvFile<'name' | 'radius'>(new URL('./celestial-bodies.tsv', import.meta.url)).map(
  ({ name, radius }) => [name, Number(radius)] as const,
)

const earth_radius_m = 6_375_000

/** Ellipsoids of one body differ by less than this part of its radius; PROJ tells bodies apart by the same number. */
const radius_tolerance = 0.007

const isNear = (radius: number, other: number): boolean => Math.abs(radius - other) < radius_tolerance * other

/** The body whose size this is, in words; null for the Earth. */
function otherBody(semiMajorAxis: number): string | null {
  if (isNear(semiMajorAxis, earth_radius_m)) return null
  const [nearest] = celestialBodies
    .filter(([, radius]) => isNear(semiMajorAxis, radius))
    .toSorted((a, b) => Math.abs(a[1] - semiMajorAxis) - Math.abs(b[1] - semiMajorAxis))
  return nearest?.[0] ?? `a body with a radius of ${Number((semiMajorAxis / 1000).toPrecision(6))} km`
}

const bessel_semi_major_m = 6_377_397.155

/** A failure that names what of a reference system is not read. */
export const unsupportedCrsFailure = (sentence: string): RasterFailure => new RasterFailure('unsupported', sentence)

/** Reads all parameters of a description, in degrees and metres, by a function that finds one of them. */
export function readProjectionParameters(
  find: (source: ProjectionParameterDefinition) => number | undefined,
  units: { readonly degrees: number; readonly metres: number },
): ProjectionParameters {
  const factor = { angle: units.degrees, length: units.metres, number: 1 }
  const entries = Object.entries(projectionParameterSources).map(
    ([name, source]: [string, ProjectionParameterDefinition]) => {
      const value = find(source)
      return [name, value === undefined ? source.otherwise : value * factor[source.unit]]
    },
  )
  return Object.fromEntries(entries) as ProjectionParameters
}

/** A projected system as proj4 text. Fails with `unsupportedCrsFailure`, naming the method, where it is not projected. */
export function projectedCrsToProj4(
  method: ProjectionMethod | undefined,
  name: string,
  given: ProjectionParameters,
  base: { readonly geodetic: string; readonly metres: number },
): string {
  if (!method?.text) throw unsupportedCrsFailure(`its projection, ${method?.name ?? name}, is not read`)
  const units = base.metres === 1 ? '+units=m' : `+to_meter=${base.metres}`
  const projection = method.text(given)
  const geodetic = ownSphere.test(projection) ? geodeticOnSphere(method.name, base.geodetic) : base.geodetic
  const text = `${projection} +x_0=${given.easting} +y_0=${given.northing} ${geodetic} ${units} +no_defs`
  if (text.includes('NaN')) throw unsupportedCrsFailure(`its projection, ${method.name}, lacks a parameter`)
  return text
}

/** A projection on a sphere of its own, which takes the latitudes of the datum for those of the sphere. */
const ownSphere = /\+a=/

/** An ellipsoid named after the sphere would win over it: the place would lie kilometres away. */
function geodeticOnSphere(method: string, geodetic: string): string {
  if (geodetic === '+datum=WGS84' || /^\+a=6378137 \+rf=298\.2572\d+(?: \+towgs84=0(?:,0)*)?$/.test(geodetic))
    return '+nadgrids=@null'
  throw unsupportedCrsFailure(`its projection, ${method} on another datum than WGS 84, is not read`)
}

const web_mercator_code = 3857

/** The words of proj4 text that say something, in one order. */
const significantWords = (text: string): string =>
  text
    .split(/\s+/)
    .filter((word) => !['+units=m', '+no_defs', '+type=crs', '+wktext'].includes(word))
    .sort()
    .join(' ')

/** The code of Web Mercator, which is written without one by many programs; null for any other system. */
export async function findCodeOfProj4(text: string): Promise<number | null> {
  const webMercator = await findCrs(web_mercator_code)
  return webMercator && significantWords(webMercator.proj4) === significantWords(text) ? web_mercator_code : null
}

/** An ellipsoid as proj4 text; a sphere has no inverse flattening, or one of zero. */
export function formatEllipsoidProj4(
  a: number,
  shape: { readonly rf?: number | undefined; readonly b?: number | undefined },
): string {
  if (shape.rf) return `+a=${a} +rf=${shape.rf}`
  return shape.b === undefined || shape.b === a ? `+R=${a}` : `+a=${a} +b=${shape.b}`
}

/** Why a system cannot be put on the map of the Earth, after "the reference system … cannot be put on a map:"; else null. */
export function explainUnmappableCrs(text: string): UnmappableCrs | null {
  if (/\+nadgrids=(?!@null)/.test(text)) return { refusal: 'its datum needs a file with a grid, which is not read' }
  try {
    proj4(text)
  } catch {
    return { refusal: `the projection ${/\+proj=(\w+)/.exec(text)?.[1] ?? 'of its text'} is not read` }
  }
  // As a plate carree, since some methods of the library set an ellipsoid of their own.
  const { a, es } = new proj4.Proj(text.replace(/^\+proj=\w+/, '+proj=eqc')) as unknown as { a: number; es: number }
  const body = otherBody(a)
  if (body !== null) return { refusal: `it is of ${body}, not of the Earth`, isOfOtherBody: true }
  if (text.startsWith('+proj=gnom ') && es !== 0)
    return {
      refusal: 'its projection, Gnomonic on an ellipsoid, is not read: it has two meanings that are kilometres apart',
    }
  if (text.startsWith('+proj=krovak ') && Math.abs(a - bessel_semi_major_m) > 1)
    return {
      refusal:
        'its projection, Krovak on another ellipsoid than Bessel 1841, is not read: PROJ itself is not of one mind there',
    }
  return null
}
