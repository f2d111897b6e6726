import { RasterFailure, checkCancelled } from '../../failures.ts'
import { emptyNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import { findNodataRange } from '../../compute/window/validity.ts'
import type { PixelRows, Raster, SampleArray } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { findInheritedMetadata } from './inherited-metadata.ts'
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

/** The whole band and four numbers for each of its pixels are in memory. */
export const max_sieve_pixels = 64 * 1024 * 1024
const read_rows = 256
/** Rows that are worked on between two looks at the signal. */
const rows_per_check = 256
const no_area = -1
/** A small area whose target is not known yet. */
const unresolved = -2

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
  if (sampleTypeProperties[raster.sampleType].format === 3)
    throw new RasterFailure('request', 'the band has fractions, not classes')
  if (raster.width * raster.height > max_sieve_pixels)
    throw new RasterFailure('budget', `an image of ${raster.width}×${raster.height} pixels is too large to be sieved`)
  let sieved: Promise<PixelRows> | null = null
  return {
    ...findInheritedMetadata(raster, [band]),
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
  const data = sampleTypeProperties[raster.sampleType].allocate(width * height)
  const mask = new Uint8Array(width * height).fill(255)
  const missing = findNodataRange(raster) ?? emptyNodataRange
  const read = createRowReader(raster, [band], [0, 0, width, height], signal)
  for (let top = 0; top < height; top += read_rows) {
    const rows = Math.min(read_rows, height - top)
    const part = await read(top, rows)
    data.set(part.data, top * width)
    for (let at = 0; at < width * rows; at++) {
      const value = part.data[at]!
      if ((part.mask && part.mask[at] === 0) || (value >= missing.lowest && value <= missing.highest))
        mask[top * width + at] = 0
    }
  }
  mergeSmallAreas({ width, height, data, mask, min_pixels, connectedness, signal })
  return { width, rows: height, bands: 1, data, mask }
}

interface ClassImage {
  readonly width: number
  readonly height: number
  readonly data: SampleArray
  readonly mask: Uint8Array
  readonly min_pixels: number
  readonly connectedness: 4 | 8
  readonly signal: AbortSignal | undefined
}

/** The rows of an image, from the top downwards. Throws `cancelled` soon after the signal aborts. */
function* rowsOf({ height, signal }: ClassImage): Generator<number> {
  for (let y = 0; y < height; y++) {
    if (y % rows_per_check === 0) checkCancelled(signal)
    yield y
  }
}

/** Gives the pixels of small areas the value of their largest neighbour, in place. */
function mergeSmallAreas(image: ClassImage): void {
  const areas = findAreas(image)
  const sizes = countPixels(image, areas)
  const largest = largestNeighbours(image, areas, sizes)
  const { width, data } = image
  const targets = new Int32Array(data.length).fill(unresolved)
  const values = data.slice()
  for (const y of rowsOf(image))
    for (let at = y * width; at < (y + 1) * width; at++) {
      const area = areas[at]!
      if (area === no_area || sizes[area]! >= image.min_pixels) continue
      if (targets[area] === unresolved) resolveTarget(area, targets, largest, sizes, image.min_pixels)
      const target = targets[area]!
      // An area is numbered by its first pixel, which has its value.
      if (target !== no_area) data[at] = values[target]!
    }
}

/**
 * The earlier neighbours of a pixel, as columns and rows from it, in the order in which GDAL compares them: of neighbours of one
 * size the first that is met is the largest.
 */
const earlierNeighbours = {
  4: [
    [0, -1],
    [-1, 0],
  ],
  8: [
    [0, -1],
    [-1, -1],
    [1, -1],
    [-1, 0],
  ],
} as const

/** The area of each pixel, numbered by the first pixel of the area; -1 where there is no value. */
function findAreas(image: ClassImage): Int32Array {
  const { width, data, mask, connectedness } = image
  const parents = new Int32Array(data.length)
  const rootOf = (pixel: number): number => {
    let root = pixel
    while (parents[root] !== root) root = parents[root]!
    for (let at = pixel; parents[at] !== root;) [at, parents[at]] = [parents[at]!, root]
    return root
  }
  for (const y of rowsOf(image))
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (mask[at] === 0) {
        parents[at] = no_area
        continue
      }
      parents[at] = at
      for (const [stepX, stepY] of earlierNeighbours[connectedness]) {
        const other = at + stepX + stepY * width
        if (x + stepX < 0 || x + stepX >= width || y + stepY < 0) continue
        if (mask[other] === 0 || data[other] !== data[at]) continue
        const [own, joined] = [rootOf(at), rootOf(other)]
        parents[Math.max(own, joined)] = Math.min(own, joined)
      }
    }
  for (const y of rowsOf(image))
    for (let at = y * width; at < (y + 1) * width; at++) if (parents[at] !== no_area) parents[at] = rootOf(at)
  return parents
}

function countPixels(image: ClassImage, areas: Int32Array): Int32Array {
  const { width } = image
  const sizes = new Int32Array(areas.length)
  for (const y of rowsOf(image))
    for (const area of areas.subarray(y * width, (y + 1) * width)) if (area !== no_area) sizes[area]!++
  return sizes
}

/** The largest area beside each small one; -1 for an area without neighbours. */
function largestNeighbours(image: ClassImage, areas: Int32Array, sizes: Int32Array): Int32Array {
  const { width, min_pixels, connectedness } = image
  const largest = new Int32Array(areas.length).fill(no_area)
  const consider = (area: number, other: number): void => {
    if (sizes[area]! >= min_pixels) return
    const best = largest[area]!
    if (best === no_area || sizes[other]! > sizes[best]!) largest[area] = other
  }
  for (const y of rowsOf(image))
    for (let x = 0, at = y * width; x < width; x++, at++)
      for (const [stepX, stepY] of earlierNeighbours[connectedness]) {
        const other = at + stepX + stepY * width
        if (x + stepX < 0 || x + stepX >= width || y + stepY < 0) continue
        const [own, beside] = [areas[at]!, areas[other]!]
        if (own === no_area || beside === no_area || own === beside) continue
        consider(own, beside)
        consider(beside, own)
      }
  return largest
}

/**
 * Finds the area whose value a small area takes, through small neighbours to one that is large; -1 if there is none, so that it
 * stays. The answer holds for every area on the way and is noted for all of them, so that no way is walked again.
 */
function resolveTarget(
  area: number,
  targets: Int32Array,
  largest: Int32Array,
  sizes: Int32Array,
  min_pixels: number,
): void {
  let end = area
  while (end !== no_area && sizes[end]! < min_pixels && targets[end] === unresolved) {
    // Noted before the next step: a way that comes back to itself then ends there, and its areas stay.
    targets[end] = no_area
    end = largest[end]!
  }
  if (end === no_area) return
  const target = sizes[end]! >= min_pixels ? end : targets[end]!
  if (target === no_area) return
  for (let at = area; at !== end; at = largest[at]!) targets[at] = target
}
