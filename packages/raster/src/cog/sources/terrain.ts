import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { Raster, SampleArray } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { createGradientFactors, type GradientFactors, type GradientScale } from './gradient-factors.ts'
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
  /** What the units of a projected reference system are; default those of its local scale. */
  readonly scale?: GradientScale
  readonly signal?: AbortSignal
}

/** The measure of a gradient, in metres of height for each metre to the east and to the north; NaN for no value. */
type ToMeasure = (east: number, north: number) => number

const degrees_per_radian = 180 / Math.PI
/** As gdaldem writes them. */
const slope_nodata = -9999

/**
 * Hillshade, slope or aspect of a surface, by the gradient of Horn (1981, "Hill shading and the reflectance map", Proc. IEEE
 * 69) over 3 × 3 pixels, as gdaldem computes it. A pixel at the edge of the image, or beside one without a value, has none;
 * neither has the aspect of a flat surface. Pixels are measured on the WGS 84 ellipsoid, where gdaldem takes those of a projected
 * reference system as they are; `scale` chooses between the two.
 *
 * @throws RasterFailure `no_georeference`, `request` for a turned grid or options out of range.
 */
export function createTerrainInput(raster: Raster, options: TerrainInputOptions): CogInput {
  const { measure, band = 0, signal } = options
  requireGeoreferenced(raster)
  if (!raster.bands[band]) throw new RasterFailure('request', `the file has no band ${band + 1}`)
  const z_factor = checkRange('z_factor', options.z_factor ?? 1, Number.MIN_VALUE, 1e6)
  const factors = createGradientFactors(raster, z_factor, options.scale ?? 'local')
  const read = createNeighbourhoodReader(raster, band, signal)
  const [sampleType, nodata] = measure === 'hillshade' ? (['uint8', 0] as const) : (['float32', slope_nodata] as const)
  const { allocate } = sampleTypeProperties[sampleType]
  const rule: TerrainRule = { factors, toMeasure: measures[measure](options) }
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
  readonly factors: GradientFactors
  readonly toMeasure: ToMeasure
}

function measureRows(
  { width, rows, values }: NeighbourhoodRows,
  top: number,
  { factors, toMeasure }: TerrainRule,
  { data, mask }: { readonly data: SampleArray; readonly mask: Uint8Array },
): void {
  for (let row = 0; row < rows; row++) {
    const stretches = factors(top + row)
    // Sums and differences down the columns on the left and in the middle of the 3 × 3 pixels.
    let left = Number.NaN
    let leftFall = Number.NaN
    let middle = Number.NaN
    let fall = Number.NaN
    let own = Number.NaN
    let at = row * width
    for (let stretch = 0; stretch < stretches.length; stretch += factor_count) {
      // A pixel is measured when the one after it is known.
      const end = row * width + Math.min(width, stretches[stretch]! + 1)
      const moreA = stretches[stretch + 2]!
      const moreB = stretches[stretch + 4]!
      const moreC = stretches[stretch + 6]!
      const before = stretch === 0 ? 1 : 0
      let a = stretches[stretch + 1]! - before * moreA
      let b = stretches[stretch + 3]! - before * moreB
      let c = stretches[stretch + 5]! - before * moreC
      // Most projections keep angles: then two products will do.
      const isStraight = Math.abs(b) + Math.abs(moreB) * (end - at) < negligible_part * Math.abs(a)
      for (; at < end; at++) {
        const above = values[at]!
        const next = values[at + width]!
        const below = values[at + 2 * width]!
        const right = above + 2 * next + below
        const rightFall = above - below
        const along = right - left
        const up = leftFall + 2 * fall + rightFall
        const measured = isStraight ? toMeasure(along * a, up * c) : toMeasure(along * a + up * b, along * b + up * c)
        a += moreA
        b += moreB
        c += moreC
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
}

/** Of a gradient: less than the precision of single numbers. */
const negligible_part = 1e-8

/** Of one stretch in a row of factors. */
const factor_count = 7
