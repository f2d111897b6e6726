import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { Raster, SampleArray } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { createGradientFactors, factor_count, type GradientFactors, type GradientScale } from './gradient-factors.ts'
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

/** Gradients of a row: metres of height for each metre to the east and to the north. */
interface RowGradients {
  readonly east: Float64Array
  readonly north: Float64Array
}

/**
 * Writes the measures of gradients; NaN for no value. One call for each row, not for each pixel: where a thread runs several
 * measures, calls of different functions are not inlined.
 */
type MeasureRow = (gradients: RowGradients, measured: Float64Array) => void

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
  const rule: TerrainRule = { factors, measureRow: measures[measure](options), scratch: createScratch(raster.width) }
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

const measures: Readonly<Record<TerrainMeasure, (options: TerrainInputOptions) => MeasureRow>> = {
  /** 1 + 254 × the cosine between the light and the normal of the surface, rounded; 1 in the shade. */
  hillshade: ({ azimuth = 315, altitude = 45 }) => {
    const [a, h] = [
      checkRange('azimuth', azimuth, 0, 360) / degrees_per_radian,
      checkRange('altitude', altitude, 0, 90) / degrees_per_radian,
    ]
    const [lightEast, lightNorth, lightUp] = [Math.sin(a) * Math.cos(h), Math.cos(a) * Math.cos(h), Math.sin(h)]
    return ({ east, north }, measured) => {
      for (let at = 0; at < measured.length; at++) {
        const x = east[at]!
        const y = north[at]!
        const cosine = (lightUp - x * lightEast - y * lightNorth) / Math.sqrt(1 + x * x + y * y)
        measured[at] = cosine > 0 ? Math.floor(1 + 254 * cosine + 0.5) : cosine === cosine ? 1 : Number.NaN
      }
    }
  },
  slope:
    ({ slope_unit = 'degrees' }) =>
    ({ east, north }, measured) => {
      for (let at = 0; at < measured.length; at++) {
        const steepness = Math.sqrt(east[at]! * east[at]! + north[at]! * north[at]!)
        measured[at] = slope_unit === 'percent' ? 100 * steepness : Math.atan(steepness) * degrees_per_radian
      }
    },
  /** Downslope direction: degrees clockwise from north, 0 to below 360. */
  aspect:
    () =>
    ({ east, north }, measured) => {
      for (let at = 0; at < measured.length; at++) {
        const x = east[at]!
        const y = north[at]!
        const angle = Math.atan2(-x, -y) * degrees_per_radian
        const turned = angle < 0 ? angle + 360 : angle
        measured[at] = x === 0 && y === 0 ? Number.NaN : turned === 360 ? 0 : turned
      }
    },
}

/** What is known of one row at a time. */
interface RowScratch extends RowGradients {
  readonly measured: Float64Array
}

const createScratch = (width: number): RowScratch => ({
  east: new Float64Array(width),
  north: new Float64Array(width),
  measured: new Float64Array(width),
})

interface TerrainRule {
  readonly factors: GradientFactors
  readonly measureRow: MeasureRow
  readonly scratch: RowScratch
}

function measureRows(
  found: NeighbourhoodRows,
  top: number,
  { factors, measureRow, scratch }: TerrainRule,
  into: { readonly data: SampleArray; readonly mask: Uint8Array },
): void {
  for (let row = 0; row < found.rows; row++) {
    findGradients(found, row, factors(top + row), scratch)
    measureRow(scratch, scratch.measured)
    placeMeasures(found, row, scratch.measured, into)
  }
}

/** Finds the gradients of a row, each in the place of the pixel after its own, where it becomes known. */
function findGradients(
  { width, values }: NeighbourhoodRows,
  row: number,
  stretches: ArrayLike<number>,
  { east, north }: RowGradients,
): void {
  // Sums and differences down the columns on the left and in the middle of the 3 × 3 pixels.
  let left = Number.NaN
  let leftFall = Number.NaN
  let middle = Number.NaN
  let fall = Number.NaN
  let column = 0
  for (let stretch = 0; stretch < stretches.length; stretch += factor_count) {
    const end = Math.min(width, stretches[stretch]! + 1)
    const moreA = stretches[stretch + 2]!
    const moreB = stretches[stretch + 4]!
    const moreC = stretches[stretch + 6]!
    const before = stretch === 0 ? 1 : 0
    let a = stretches[stretch + 1]! - before * moreA
    let b = stretches[stretch + 3]! - before * moreB
    let c = stretches[stretch + 5]! - before * moreC
    for (; column < end; column++) {
      const at = row * width + column
      const above = values[at]!
      const next = values[at + width]!
      const below = values[at + 2 * width]!
      const right = above + 2 * next + below
      const rightFall = above - below
      const along = right - left
      const up = leftFall + 2 * fall + rightFall
      east[column] = along * a + up * b
      north[column] = along * b + up * c
      a += moreA
      b += moreB
      c += moreC
      left = middle
      leftFall = fall
      middle = right
      fall = rightFall
    }
  }
}

/** The pixel itself does not count in the sums, and has no result without a value. */
function placeMeasures(
  { width, values }: NeighbourhoodRows,
  row: number,
  measured: Float64Array,
  { data, mask }: { readonly data: SampleArray; readonly mask: Uint8Array },
): void {
  const [from, own] = [row * width - 1, (row + 1) * width - 1]
  for (let column = 1; column < width; column++) {
    const value = measured[column]!
    const height = values[own + column]!
    if (value === value && height === height) {
      data[from + column] = value
      mask[from + column] = 255
    }
  }
}
