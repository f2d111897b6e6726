import { RasterFailure } from '../../failures.ts'
import { copyLoopPerSampleType } from '../../sample-loops.ts'
import { findSmallestCommonSampleType, sampleTypeProperties, getSampleTypeOfArray } from '../../sample-types.ts'
import type { PixelBlock, SampleArray, SampleType } from '../../types.ts'

/**
 * Rule for overlapping pixels: the first or last valid pixel, or per band the highest, lowest or mean of the valid
 * samples.
 */
export type PixelSelection = 'first' | 'last' | 'highest' | 'lowest' | 'mean'

/** State of a mosaic; modified only by the functions of this file. */
export interface MosaicAccumulator {
  readonly pixelSelection: PixelSelection
  readonly width: number
  readonly height: number
  readonly bands: number
  /** Samples in the smallest type that holds all blocks; null before the first one. Sums for `mean`. */
  data: SampleArray | null
  type: SampleType | null
  readonly mask: Uint8Array
  /** For `mean`: number of samples per sum. */
  readonly counts: Uint32Array
  /** Number of pixels without a valid sample so far. */
  uncoveredPixels: number
}

/** An empty mosaic; the default pixel selection is `first`. */
export function createMosaicAccumulator(
  width: number,
  height: number,
  bands: number,
  pixelSelection: PixelSelection = 'first',
): MosaicAccumulator {
  const count = width * height
  const counts = new Uint32Array(pixelSelection === 'mean' ? count * bands : 0)
  return {
    pixelSelection,
    width,
    height,
    bands,
    data: null,
    type: null,
    mask: new Uint8Array(count),
    counts,
    uncoveredPixels: count,
  }
}

/** True if no further block can change the mosaic, so that further rasters need not be read. */
export const isMosaicComplete = (mosaic: MosaicAccumulator): boolean =>
  mosaic.pixelSelection === 'first' && mosaic.uncoveredPixels === 0

/**
 * Adds a block to a mosaic. The block is not modified.
 *
 * @throws RasterFailure `request` for a block of another size or another number of bands.
 */
export function addToMosaic(mosaic: MosaicAccumulator, block: PixelBlock): void {
  const { width, height, bands } = mosaic
  if (block.width !== width || block.height !== height || block.bands !== bands)
    throw new RasterFailure(
      'request',
      `a mosaic of ${width}×${height} pixels and ${bands} bands takes no image of ${block.width}×${block.height} pixels and ${block.bands}`,
    )
  const type = widen(mosaic, getSampleTypeOfArray(block.data))
  if (mosaic.pixelSelection === 'mean')
    sumLoop[getSampleTypeOfArray(block.data)](mosaic.data as Float64Array, mosaic.counts, block.data, block.mask)
  else selectionLoops[mosaic.pixelSelection][type](mosaic.data!, mosaic.mask, convert(block.data, type), block.mask)
  mosaic.uncoveredPixels = addMask(mosaic.mask, block.mask)
}

/** The mosaic as a block, without copying: nothing may be added afterwards. Of type uint8 if no block was added. */
export function toMosaicBlock(mosaic: MosaicAccumulator): PixelBlock {
  const { width, height, bands, mask, pixelSelection } = mosaic
  const type = mosaic.type ?? 'uint8'
  const data = mosaic.data ?? sampleTypeProperties[type].allocate(width * height * bands)
  const isSum = pixelSelection === 'mean' && mosaic.data !== null
  return { width, height, bands, mask, data: isSum ? meansOf(data as Float64Array, mosaic.counts, type) : data }
}

/** Widens the result for samples of a further type and returns the type that holds all. Float64 holds every other one. */
function widen(mosaic: MosaicAccumulator, added: SampleType): SampleType {
  const type = mosaic.type === null ? added : (findSmallestCommonSampleType(mosaic.type, added) ?? 'float64')
  const kept = mosaic.pixelSelection === 'mean' ? 'float64' : type
  if (mosaic.data === null)
    mosaic.data = sampleTypeProperties[kept].allocate(mosaic.width * mosaic.height * mosaic.bands)
  else mosaic.data = convert(mosaic.data, kept)
  mosaic.type = type
  return type
}

function convert(samples: SampleArray, type: SampleType): SampleArray {
  if (getSampleTypeOfArray(samples) === type) return samples
  const converted = sampleTypeProperties[type].allocate(samples.length)
  converted.set(samples)
  return converted
}

function addMask(mask: Uint8Array, added: Uint8Array): number {
  let holes = 0
  for (let i = 0; i < mask.length; i++) {
    if (added[i] !== 0) mask[i] = 255
    else if (mask[i] === 0) holes++
  }
  return holes
}

type Lay = (to: SampleArray, toMask: Uint8Array, from: SampleArray, fromMask: Uint8Array) => void

/** `toMask` is that of the blocks before. A sample that is NaN gives way to any number. */
const selectionLoops: Readonly<Record<Exclude<PixelSelection, 'mean'>, Readonly<Record<SampleType, Lay>>>> = {
  first: copyLoopPerSampleType((to: SampleArray, toMask: Uint8Array, from: SampleArray, fromMask: Uint8Array): void => {
    for (let start = 0; start < to.length; start += toMask.length)
      for (let i = 0; i < toMask.length; i++) if (toMask[i] === 0 && fromMask[i] !== 0) to[start + i] = from[start + i]!
  }),
  last: copyLoopPerSampleType((to: SampleArray, toMask: Uint8Array, from: SampleArray, fromMask: Uint8Array): void => {
    for (let start = 0; start < to.length; start += toMask.length)
      for (let i = 0; i < toMask.length; i++) if (fromMask[i] !== 0) to[start + i] = from[start + i]!
  }),
  highest: copyLoopPerSampleType(
    (to: SampleArray, toMask: Uint8Array, from: SampleArray, fromMask: Uint8Array): void => {
      for (let start = 0; start < to.length; start += toMask.length)
        for (let i = 0; i < toMask.length; i++) {
          if (fromMask[i] === 0) continue
          const old = to[start + i]!
          const value = from[start + i]!
          if (toMask[i] === 0 || value > old || old !== old) to[start + i] = value
        }
    },
  ),
  lowest: copyLoopPerSampleType(
    (to: SampleArray, toMask: Uint8Array, from: SampleArray, fromMask: Uint8Array): void => {
      for (let start = 0; start < to.length; start += toMask.length)
        for (let i = 0; i < toMask.length; i++) {
          if (fromMask[i] === 0) continue
          const old = to[start + i]!
          const value = from[start + i]!
          if (toMask[i] === 0 || value < old || old !== old) to[start + i] = value
        }
    },
  ),
}

const sumLoop = copyLoopPerSampleType(
  (sums: Float64Array, counts: Uint32Array, samples: SampleArray, mask: Uint8Array): void => {
    for (let start = 0; start < sums.length; start += mask.length)
      for (let i = 0; i < mask.length; i++) {
        const value = samples[start + i]!
        if (mask[i] === 0 || value !== value) continue
        sums[start + i]! += value
        counts[start + i]!++
      }
  },
)

/** Whole numbers are rounded half up; where nothing was summed up floats are NaN and whole numbers 0. */
function meansOf(sums: Float64Array, counts: Uint32Array, type: SampleType): SampleArray {
  const means = sampleTypeProperties[type].allocate(sums.length)
  const half = sampleTypeProperties[type].format === 3 ? null : 0.5
  for (let i = 0; i < sums.length; i++) {
    const mean = sums[i]! / counts[i]!
    means[i] = half === null ? mean : Math.floor(mean + half)
  }
  return means
}
