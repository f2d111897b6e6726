import { applyAffine } from '@swath/geo/affine.ts'
import { wgs84_flattening, wgs84_semi_major_axis_m } from '@swath/geo/geodesic.ts'
import { geodeticToEarthFixed } from '@swath/geo/orbit/earth-frame.ts'
import { readProj4Number } from '../../formats/crs/proj4-number.ts'
import { createCrsTransform } from '../../formats/crs/transform.ts'
import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'

/**
 * What makes Horn's sums of eight differences between neighbouring pixels a gradient: the east is `a` × the difference along a row + `b` × that up a
 * column, the north `b` × the one + `c` × the other. One row of factors as stretches of columns in which they change evenly:
 * seven numbers each, the column after the last one, and `a`, `b` and `c` each with its change from column to column; good until the next call.
 */
export type GradientFactors = (row: number) => ArrayLike<number>

/** Numbers of one stretch in a row of factors. */
export const factor_count = 7

/** `local` for metres on the ellipsoid, `projected` for units of a projected reference system as if they were metres on it. */
export type GradientScale = 'local' | 'projected'

const degrees_per_radian = 180 / Math.PI
/** Pixels from one place at which the scale is computed to the next, and the distance that they may be apart at most. */
const node_pixels = 256
const max_node_distance_m = 50_000
/** Distance over which the scale is measured at least: over less, what rounding leaves would count. */
const measured_m = 100

/**
 * The factors of a raster. A local one has the size that it has there, and the direction that it has on the grid:
 * lengths are divided by the stretching of the projection, without its turning.
 *
 * @throws RasterFailure `request` for a turned grid, or a linear unit that is not known.
 */
export function createGradientFactors(raster: Raster, z_factor: number, scale: GradientScale): GradientFactors {
  const { affine, crs, width } = raster
  const [, stepX, turnX, , turnY, stepY] = affine
  if (turnX !== 0 || turnY !== 0)
    throw new RasterFailure('request', 'the image is rotated against its reference system: reproject it first')
  const [across, up] = [stepX, -stepY]
  if (crs.geographic)
    return (row) => {
      const [, latitude] = applyAffine(affine, 0, row + 0.5)
      const [longitude_m, latitude_m] = metresOfDegree(latitude)
      return constantFactors(width, z_factor, [across * longitude_m, up * latitude_m])
    }
  const unit_m = metresOfUnit(crs.proj4)
  const constant = constantFactors(width, z_factor, [across * unit_m, up * unit_m])
  return scale === 'projected' ? () => constant : createLocalFactors(raster, z_factor, Math.abs(across) * unit_m)
}

/** Horn's sums are of eight differences over one pixel. */
const weights = 8

function constantFactors(width: number, z_factor: number, [east_m, north_m]: readonly [number, number]): number[] {
  return [width, z_factor / (weights * east_m), 0, 0, 0, z_factor / (weights * north_m), 0]
}

type Factors = readonly [a: number, b: number, c: number]

function createLocalFactors(raster: Raster, z_factor: number, pixel_m: number): GradientFactors {
  const { width } = raster
  const factorsAt = createFactorsAt(raster, z_factor / weights, pixel_m)
  const spacing = Math.max(1, Math.min(node_pixels, Math.floor(max_node_distance_m / pixel_m)))
  const stretches = Math.ceil(width / spacing)
  const nodeRow = (node: number): Float64Array =>
    Float64Array.from(Array.from({ length: stretches + 1 }, (_, at) => factorsAt(at * spacing, node * spacing)).flat())
  const row_factors = new Float64Array(factor_count * stretches)
  let known: { node: number; upper: Float64Array; lower: Float64Array } | null = null
  return (row) => {
    const node = Math.floor(row / spacing)
    if (known?.node !== node) {
      const upper = known?.node === node - 1 ? known.lower : nodeRow(node)
      known = { node, upper, lower: nodeRow(node + 1) }
    }
    const isWhole = fillRow(row_factors, known, { part: row / spacing - node, spacing, width })
    return isWhole ? row_factors : lookUpRow(row_factors, factorsAt, row, { spacing, width })
  }
}

/** Interpolates a row between two rows of places. False where one of them is off the earth. */
function fillRow(
  into: Float64Array,
  { upper, lower }: { readonly upper: Float64Array; readonly lower: Float64Array },
  { part, spacing, width }: { readonly part: number; readonly spacing: number; readonly width: number },
): boolean {
  let sum = 0
  for (let at = 0, node = 0; at < into.length; at += factor_count, node += 3) {
    into[at] = Math.min(width, (at / factor_count + 1) * spacing)
    for (let factor = 0; factor < 3; factor++) {
      const [left, right] = [node + factor, node + factor + 3]
      const first = upper[left]! + (lower[left]! - upper[left]!) * part
      const last = upper[right]! + (lower[right]! - upper[right]!) * part
      into[at + 1 + 2 * factor] = first
      into[at + 2 + 2 * factor] = (last - first) / spacing
      sum += first + last
    }
  }
  return Number.isFinite(sum)
}

/** The same where each pixel beside places off the earth is looked up. */
function lookUpRow(
  row_factors: Float64Array,
  factorsAt: (column: number, row: number) => Factors,
  row: number,
  { spacing, width }: { readonly spacing: number; readonly width: number },
): number[] {
  return Array.from({ length: row_factors.length / factor_count }, (_, stretch) => {
    const factors = [...row_factors.subarray(factor_count * stretch, factor_count * (stretch + 1))]
    if (factors.every(Number.isFinite)) return factors
    return Array.from({ length: Math.min(width, (stretch + 1) * spacing) - stretch * spacing }, (__, pixel) => {
      const column = stretch * spacing + pixel
      return [column + 1, ...factorsAt(column, row).flatMap((value) => [value, 0])]
    }).flat()
  }).flat()
}

/** The factors at the middle of a pixel: the inverse of the symmetric part of what a pixel is on the earth. */
function createFactorsAt(
  { affine, crs }: Raster,
  weight: number,
  pixel_m: number,
): (column: number, row: number) => Factors {
  const { inverse } = createCrsTransform(crs)
  const reach = Math.max(0.5, measured_m / (2 * pixel_m))
  const place = (column: number, row: number): Vector => toSpace(...inverse(...applyAffine(affine, column, row)))
  return (column, row) => {
    const [x, y] = [column + 0.5, row + 0.5]
    const along = difference(place(x + reach, y), place(x - reach, y), 2 * reach)
    const up = difference(place(x, y - reach), place(x, y + reach), 2 * reach)
    const [p, q, r] = [dot(along, along), dot(along, up), dot(up, up)]
    const area = Math.sqrt(p * r - q * q)
    const all = (area * Math.sqrt(p + r + 2 * area)) / weight
    return [(r + area) / all, -q / all, (p + area) / all]
  }
}

/** Metres in space, from the middle of the earth: without the longitudes that run together at a pole. */
type Vector = readonly [x: number, y: number, z: number]

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const difference = (a: Vector, b: Vector, parts: number): Vector => [
  (a[0] - b[0]) / parts,
  (a[1] - b[1]) / parts,
  (a[2] - b[2]) / parts,
]

const eccentricity_2 = wgs84_flattening * (2 - wgs84_flattening)

function toSpace(longitude: number, latitude: number): Vector {
  const [x, y, z] = geodeticToEarthFixed({ longitude, latitude, height_km: 0 })
  return [x * 1000, y * 1000, z * 1000]
}

/** Metres of the linear unit of a projected reference system. */
function metresOfUnit(proj4: string | null): number {
  const factor = readProj4Number(proj4 ?? '', 'to_meter')
  if (factor !== null) return factor
  const unit = /\+units=([\w-]+)/.exec(proj4 ?? '')?.[1] ?? 'm'
  const metres = { m: 1, ft: 0.3048, 'us-ft': 1200 / 3937, km: 1000 }[unit]
  if (metres === undefined) throw new RasterFailure('request', `heights cannot be compared with the unit "${unit}"`)
  return metres
}

/** Metres of a degree of longitude and of latitude, by the radii of curvature (Snyder 1987, equations 4-18 to 4-20). */
function metresOfDegree(latitude: number): readonly [longitude_m: number, latitude_m: number] {
  const sine = Math.sin(latitude / degrees_per_radian)
  const w = Math.sqrt(1 - eccentricity_2 * sine * sine)
  const normal_m = wgs84_semi_major_axis_m / w
  const meridian_m = (wgs84_semi_major_axis_m * (1 - eccentricity_2)) / (w * w * w)
  return [(normal_m * Math.cos(latitude / degrees_per_radian)) / degrees_per_radian, meridian_m / degrees_per_radian]
}
