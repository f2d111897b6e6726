import { applyAffine } from '@swath/geo/affine.ts'
import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { Raster, SampleArray } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { createNeighbourhoodReader, type NeighbourhoodRows } from './neighbourhood.ts'

export type TerrainMeasure = 'hillshade' | 'slope' | 'aspect'

export interface TerrainInputOptions {
  readonly measure: TerrainMeasure
  /** 0-based; default the first. */
  readonly band?: number
  /** Metres of one unit of height; default 1. */
  readonly z_factor?: number
  /** Of the light of a hillshade: degrees clockwise from north (default 315), and above the horizon (default 45). */
  readonly azimuth?: number
  readonly altitude?: number
  /** Of slopes; default degrees. */
  readonly slope_unit?: 'degrees' | 'percent'
  readonly signal?: AbortSignal
}

/** Size of the pixels of a row on the ground: metres to the east and to the south. */
type PixelSize = (row: number) => readonly [east: number, south: number]

/** The measure of a gradient, in metres of height for each metre to the east and to the north; NaN for no value. */
type ToMeasure = (east: number, north: number) => number

const degrees_per_radian = 180 / Math.PI
/** As gdaldem writes them. */
const slope_nodata = -9999

/**
 * Hillshade, slope or aspect of a surface, by the gradient of Horn (1981, "Hill shading and the reflectance map", Proc. IEEE
 * 69) over 3 × 3 pixels, as gdaldem computes it. A pixel at the edge of the image, or beside one without a value, has none;
 * neither has the aspect of a flat surface. Pixels of a geographic reference system are measured on the WGS 84 ellipsoid.
 *
 * @throws RasterFailure `no_georeference`, `request` for a turned grid or options out of range.
 */
export function createTerrainInput(raster: Raster, options: TerrainInputOptions): CogInput {
  const { measure, band = 0, signal } = options
  requireGeoreferenced(raster)
  if (!raster.bands[band]) throw new RasterFailure('request', `the file has no band ${band + 1}`)
  const size = pixelSizeOf(raster)
  const z = checkRange('z_factor', options.z_factor ?? 1, Number.MIN_VALUE, 1e6)
  const read = createNeighbourhoodReader(raster, band, signal)
  const [sampleType, nodata] = measure === 'hillshade' ? (['uint8', 0] as const) : (['float32', slope_nodata] as const)
  const { allocate } = sampleTypeProperties[sampleType]
  const rule: TerrainRule = { size, z, toMeasure: measures[measure](options) }
  // Used again for each answer: new memory would be cleared and paged in each time.
  let buffer = { data: allocate(0), mask: new Uint8Array(0) }
  return {
    width: raster.width,
    height: raster.height,
    sampleType,
    bands: [{ name: measure, colour: 'gray', scale: 1, offset: 0, unit: unitOf(options) }],
    nodata,
    masked: false,
    georeferencing: { affine: raster.affine, crs: raster.crs, geoTags: raster.geoTags },
    readRows: async (top, rows) => {
      const found = await read(top, rows)
      const pixels = rows * found.width
      if (buffer.mask.length < pixels) buffer = { data: allocate(pixels), mask: new Uint8Array(pixels) }
      const into = {
        width: found.width,
        rows,
        bands: 1,
        data: buffer.data.subarray(0, pixels).fill(nodata),
        mask: buffer.mask.subarray(0, pixels).fill(0),
      }
      measureRows(found, top, rule, into)
      return into
    },
  }
}

const unitOf = ({ measure, slope_unit }: TerrainInputOptions): string | null =>
  measure === 'hillshade' ? null : measure === 'slope' && slope_unit === 'percent' ? 'percent' : 'degree'

function checkRange(name: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value
  throw new RasterFailure('request', `${name} of ${value} is not between ${min} and ${max}`)
}

const measures: Readonly<Record<TerrainMeasure, (options: TerrainInputOptions) => ToMeasure>> = {
  /** 1 + 254 × the cosine between the light and the normal of the surface; 1 in the shade. */
  hillshade: ({ azimuth = 315, altitude = 45 }) => {
    const [a, h] = [
      checkRange('azimuth', azimuth, 0, 360) / degrees_per_radian,
      checkRange('altitude', altitude, 0, 90) / degrees_per_radian,
    ]
    const [lightEast, lightNorth, lightUp] = [Math.sin(a) * Math.cos(h), Math.cos(a) * Math.cos(h), Math.sin(h)]
    return (east, north) => {
      const cosine = (lightUp - east * lightEast - north * lightNorth) / Math.sqrt(1 + east * east + north * north)
      if (cosine > 0) return Math.floor(1 + 254 * cosine + 0.5)
      return cosine === cosine ? 1 : Number.NaN
    }
  },
  slope: ({ slope_unit = 'degrees' }) =>
    slope_unit === 'percent'
      ? (east, north) => 100 * Math.sqrt(east * east + north * north)
      : (east, north) => Math.atan(Math.sqrt(east * east + north * north)) * degrees_per_radian,
  /** Downslope direction: degrees clockwise from north, 0 to below 360. */
  aspect: () => (east, north) => {
    if (east === 0 && north === 0) return Number.NaN
    const angle = Math.atan2(-east, -north) * degrees_per_radian
    const turned = angle < 0 ? angle + 360 : angle
    return turned === 360 ? 0 : turned
  },
}

interface TerrainRule {
  readonly size: PixelSize
  readonly z: number
  readonly toMeasure: ToMeasure
}

function measureRows(
  { width, rows, values }: NeighbourhoodRows,
  top: number,
  { size, z, toMeasure }: TerrainRule,
  { data, mask }: { readonly data: SampleArray; readonly mask: Uint8Array },
): void {
  for (let row = 0; row < rows; row++) {
    const [east_m, south_m] = size(top + row)
    const toEast = z / (8 * east_m)
    const toNorth = z / (8 * south_m)
    // Sums and differences down the columns on the left and in the middle of the 3 × 3 pixels.
    let left = Number.NaN
    let leftFall = Number.NaN
    let middle = Number.NaN
    let fall = Number.NaN
    let own = Number.NaN
    for (let at = row * width, end = at + width; at < end; at++) {
      const above = values[at]!
      const next = values[at + width]!
      const below = values[at + 2 * width]!
      const right = above + 2 * next + below
      const rightFall = above - below
      const measured = toMeasure((right - left) * toEast, (leftFall + 2 * fall + rightFall) * toNorth)
      // The pixel itself does not count in the sums, and has no result without a value.
      if (measured === measured && own === own) {
        data[at - 1] = measured
        mask[at - 1] = 255
      }
      left = middle
      leftFall = fall
      middle = right
      fall = rightFall
      own = next
    }
  }
}

function pixelSizeOf({ affine, crs }: Raster): PixelSize {
  const [, stepX, turnX, , turnY, stepY] = affine
  if (turnX !== 0 || turnY !== 0) throw new RasterFailure('request', 'the grid is turned: reproject the image first')
  const [across, down] = [stepX, -stepY]
  const unit_m = crs.geographic ? null : metresOfUnit(crs.proj4)
  if (unit_m !== null) {
    const size = [across * unit_m, down * unit_m] as const
    return () => size
  }
  return (row) => {
    const [, latitude] = applyAffine(affine, 0, row + 0.5)
    const [longitude_m, latitude_m] = metresOfDegree(latitude)
    return [across * longitude_m, down * latitude_m]
  }
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

/** WGS 84: semi-major axis in metres, and the square of the first eccentricity. */
const axis_m = 6_378_137
const eccentricity_2 = 0.006_694_379_990_141_316

/** Metres of a degree of longitude and of latitude, by the radii of curvature (Snyder 1987, equations 4-18 to 4-20). */
function metresOfDegree(latitude: number): readonly [longitude_m: number, latitude_m: number] {
  const sine = Math.sin(latitude / degrees_per_radian)
  const w = Math.sqrt(1 - eccentricity_2 * sine * sine)
  const normal_m = axis_m / w
  const meridian_m = (axis_m * (1 - eccentricity_2)) / (w * w * w)
  return [(normal_m * Math.cos(latitude / degrees_per_radian)) / degrees_per_radian, meridian_m / degrees_per_radian]
}
