import { applyAffine } from '@swath/geo/affine.ts'
import { createCrsTransform } from '../../formats/crs/transform.ts'
import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'

/**
 * What makes Horn's sums of eight differences between neighbouring pixels a gradient: the east is `a` × the difference along a row + `b` × that up a
 * column, the north `b` × the one + `c` × the other. One row of factors as stretches of columns in which they change evenly:
 * seven numbers each, the column after the last one, and `a`, `b` and `c` each with its change from column to column.
 */
export type GradientFactors = (row: number) => readonly number[]

/** `local` for metres on the ellipsoid, `projected` for units of a projected reference system as if they were metres on it. */
export type GradientScale = 'local' | 'projected'

const degrees_per_radian = 180 / Math.PI
/** Pixels from one place at which the scale is computed to the next, and the distance that they may be apart at most. */
const node_pixels = 64
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
  if (turnX !== 0 || turnY !== 0) throw new RasterFailure('request', 'the grid is turned: reproject the image first')
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
  const columns = Array.from({ length: Math.ceil(width / spacing) + 1 }, (_, node) => node * spacing)
  const nodeRow = (node: number): Factors[] => columns.map((column) => factorsAt(column, node * spacing))
  let known: { node: number; upper: readonly Factors[]; lower: readonly Factors[] } | null = null
  return (row) => {
    const node = Math.floor(row / spacing)
    if (known?.node !== node) {
      const upper = known?.node === node - 1 ? known.lower : nodeRow(node)
      known = { node, upper, lower: nodeRow(node + 1) }
    }
    const { upper, lower } = known
    const part = row / spacing - node
    const between = columns.map((_, at) => mix(upper[at]!, lower[at]!, part))
    return between.slice(1).flatMap((right, at) => {
      const left = between[at]!
      const end = Math.min(width, (at + 1) * spacing)
      if (left.every(Number.isFinite) && right.every(Number.isFinite))
        return [end, ...left.flatMap((value, index) => [value, (right[index]! - value) / spacing])]
      // Beside places off the earth each pixel is looked up.
      return Array.from({ length: end - at * spacing }, (__, pixel) => {
        const column = at * spacing + pixel
        return [column + 1, ...factorsAt(column, row).flatMap((value) => [value, 0])]
      }).flat()
    })
  }
}

const mix = (a: Factors, b: Factors, part: number): Factors => [
  a[0] + (b[0] - a[0]) * part,
  a[1] + (b[1] - a[1]) * part,
  a[2] + (b[2] - a[2]) * part,
]

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

/** WGS 84: semi-major axis in metres, and the square of the first eccentricity. */
const axis_m = 6_378_137
const eccentricity_2 = 0.006_694_379_990_141_316

function toSpace(longitude: number, latitude: number): Vector {
  const [lambda, phi] = [longitude / degrees_per_radian, latitude / degrees_per_radian]
  const normal_m = axis_m / Math.sqrt(1 - eccentricity_2 * Math.sin(phi) ** 2)
  return [
    normal_m * Math.cos(phi) * Math.cos(lambda),
    normal_m * Math.cos(phi) * Math.sin(lambda),
    normal_m * (1 - eccentricity_2) * Math.sin(phi),
  ]
}

/** Metres of the linear unit of a projected reference system. */
function metresOfUnit(proj4: string | null): number {
  const factor = /\+to_meter=([\d.eE+-]+)/.exec(proj4 ?? '')?.[1]
  if (factor !== undefined) return Number(factor)
  const unit = /\+units=([\w-]+)/.exec(proj4 ?? '')?.[1] ?? 'm'
  const metres = { m: 1, ft: 0.3048, 'us-ft': 1200 / 3937, km: 1000 }[unit]
  if (metres === undefined) throw new RasterFailure('request', `heights cannot be compared with the unit "${unit}"`)
  return metres
}

/** Metres of a degree of longitude and of latitude, by the radii of curvature (Snyder 1987, equations 4-18 to 4-20). */
function metresOfDegree(latitude: number): readonly [longitude_m: number, latitude_m: number] {
  const sine = Math.sin(latitude / degrees_per_radian)
  const w = Math.sqrt(1 - eccentricity_2 * sine * sine)
  const normal_m = axis_m / w
  const meridian_m = (axis_m * (1 - eccentricity_2)) / (w * w * w)
  return [(normal_m * Math.cos(latitude / degrees_per_radian)) / degrees_per_radian, meridian_m / degrees_per_radian]
}
