import { RasterFailure } from '../../failures.ts'
import { NOTHING, SAMPLE_TYPES } from '../../sample-types.ts'
import { nodataOf } from '../../tiff/validity.ts'
import type { PixelRows, Raster, Samples } from '../../types.ts'
import type { CogInput } from '../cog-types.ts'
import { keptFacts } from './kept-facts.ts'
import { createRowReader } from './row-reader.ts'

export interface SieveOptions {
  /** 0-based; default the first. */
  readonly band?: number
  /** Areas of fewer pixels are merged into their largest neighbour. */
  readonly min_pixels: number
  /** 4: pixels touch at their sides; 8: also at their corners. Default 4. */
  readonly connectedness?: 4 | 8
  readonly signal?: AbortSignal
}

/** The whole band and a number for each of its pixels are in memory. */
export const MAX_SIEVE_PIXELS = 64 * 1024 * 1024
const READ_ROWS = 256
const NO_AREA = -1

/**
 * One band of classes without its small areas: an area of connected pixels of one value with fewer than `min_pixels` takes the
 * value of the largest area beside it, as gdal_sieve does. Areas whose neighbours are all small or without a value stay.
 *
 * @throws RasterFailure `budget` for more pixels than fit in memory, `request` for options out of range or a band of
 * fractions.
 */
export function createSieveInput(raster: Raster, options: SieveOptions): CogInput {
  const { band = 0, min_pixels, connectedness = 4, signal } = options
  if (!raster.bands[band]) throw new RasterFailure('request', `the file has no band ${band + 1}`)
  if (!Number.isInteger(min_pixels) || min_pixels < 2)
    throw new RasterFailure('request', 'min_pixels must be at least 2')
  if (SAMPLE_TYPES[raster.sampleType].format === 3)
    throw new RasterFailure('request', 'the band has fractions, not classes')
  if (raster.width * raster.height > MAX_SIEVE_PIXELS)
    throw new RasterFailure('budget', `an image of ${raster.width}×${raster.height} pixels is too large to be sieved`)
  let sieved: Promise<PixelRows> | null = null
  return {
    ...keptFacts(raster, [band]),
    width: raster.width,
    height: raster.height,
    georeferencing: {
      affine: raster.georeferenced ? raster.affine : null,
      crs: raster.crs,
      geoTags: raster.geoTags,
    },
    readRows: async (top, rows) => {
      sieved ??= sieveBand(raster, band, min_pixels, connectedness, signal)
      const { width, data, mask } = await sieved
      const [from, to] = [top * width, (top + rows) * width]
      return { width, rows, bands: 1, data: data.slice(from, to), mask: mask?.slice(from, to) ?? null }
    },
  }
}

async function sieveBand(
  raster: Raster,
  band: number,
  min_pixels: number,
  connectedness: 4 | 8,
  signal: AbortSignal | undefined,
): Promise<PixelRows> {
  const { width, height } = raster
  const data = SAMPLE_TYPES[raster.sampleType].allocate(width * height)
  const mask = new Uint8Array(width * height).fill(255)
  const missing = nodataOf(raster) ?? NOTHING
  const read = createRowReader(raster, [band], [0, 0, width, height], signal)
  for (let top = 0; top < height; top += READ_ROWS) {
    const rows = Math.min(READ_ROWS, height - top)
    const part = await read(top, rows)
    data.set(part.data, top * width)
    for (let at = 0; at < width * rows; at++) {
      const value = part.data[at]!
      if ((part.mask && part.mask[at] === 0) || (value >= missing.lowest && value <= missing.highest))
        mask[top * width + at] = 0
    }
  }
  mergeSmallAreas({ width, height, data, mask, min_pixels, connectedness })
  return { width, rows: height, bands: 1, data, mask }
}

interface ClassImage {
  readonly width: number
  readonly height: number
  readonly data: Samples
  readonly mask: Uint8Array
  readonly min_pixels: number
  readonly connectedness: 4 | 8
}

/** Gives the pixels of small areas the value of their largest neighbour, in place. */
function mergeSmallAreas(image: ClassImage): void {
  const areas = findAreas(image)
  const sizes = countPixels(areas)
  const largest = largestNeighbours(image, areas, sizes)
  const { data } = image
  const targets = new Map<number, number>()
  const values = data.slice()
  for (let at = 0; at < data.length; at++) {
    const area = areas[at]!
    if (area === NO_AREA || sizes[area]! >= image.min_pixels) continue
    const target = targets.get(area) ?? resolveTarget(area, largest, sizes, image.min_pixels)
    targets.set(area, target)
    // An area is numbered by its first pixel, which has its value.
    data[at] = values[target]!
  }
}

/** The earlier neighbours of a pixel, as columns and rows from it. */
const EARLIER = {
  4: [
    [-1, 0],
    [0, -1],
  ],
  8: [
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
  ],
} as const

/** The area of each pixel, numbered by the first pixel of the area; -1 where there is no value. */
function findAreas({ width, height, data, mask, connectedness }: ClassImage): Int32Array {
  const parents = new Int32Array(width * height)
  const rootOf = (pixel: number): number => {
    let root = pixel
    while (parents[root] !== root) root = parents[root]!
    for (let at = pixel; parents[at] !== root;) [at, parents[at]] = [parents[at]!, root]
    return root
  }
  for (let at = 0, y = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (mask[at] === 0) {
        parents[at] = NO_AREA
        continue
      }
      parents[at] = at
      for (const [stepX, stepY] of EARLIER[connectedness]) {
        const other = at + stepX + stepY * width
        if (x + stepX < 0 || x + stepX >= width || y + stepY < 0) continue
        if (mask[other] === 0 || data[other] !== data[at]) continue
        const [own, joined] = [rootOf(at), rootOf(other)]
        parents[Math.max(own, joined)] = Math.min(own, joined)
      }
    }
  for (let at = 0; at < parents.length; at++) if (parents[at] !== NO_AREA) parents[at] = rootOf(at)
  return parents
}

function countPixels(areas: Int32Array): Int32Array {
  const sizes = new Int32Array(areas.length)
  for (const area of areas) if (area !== NO_AREA) sizes[area]!++
  return sizes
}

/** The largest area beside each small one; -1 for an area without neighbours. */
function largestNeighbours(
  { width, height, min_pixels, connectedness }: ClassImage,
  areas: Int32Array,
  sizes: Int32Array,
): Int32Array {
  const largest = new Int32Array(areas.length).fill(NO_AREA)
  const consider = (area: number, other: number): void => {
    if (sizes[area]! >= min_pixels) return
    const best = largest[area]!
    if (best === NO_AREA || sizes[other]! > sizes[best]!) largest[area] = other
  }
  for (let at = 0, y = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++)
      for (const [stepX, stepY] of EARLIER[connectedness]) {
        const other = at + stepX + stepY * width
        if (x + stepX < 0 || x + stepX >= width || y + stepY < 0) continue
        const [own, beside] = [areas[at]!, areas[other]!]
        if (own === NO_AREA || beside === NO_AREA || own === beside) continue
        consider(own, beside)
        consider(beside, own)
      }
  return largest
}

/** The area whose value a small area takes: through small neighbours to one that is large; itself if there is none. */
function resolveTarget(area: number, largest: Int32Array, sizes: Int32Array, min_pixels: number): number {
  const visited = new Set([area])
  for (let at = largest[area]!; at !== NO_AREA && !visited.has(at); at = largest[at]!) {
    if (sizes[at]! >= min_pixels) return at
    visited.add(at)
  }
  return area
}
