import { withKernels } from '../../compute/kernels/per-thread.ts'
import type { Kernels, KernelPixels } from '../../compute/kernels/types.ts'
import { emptyNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import { viewSampleBytes } from './strip.ts'
import type { ImageStrip } from './strip.ts'

export type OverviewResampling = 'average' | 'nearest' | 'mode'

/** The properties of an image that determine how it is downsampled. */
export interface DownsamplingRules {
  readonly sampleType: SampleType
  readonly nodata: NodataRange | null
  /** Band after band. */
  readonly resampling: readonly OverviewResampling[]
  /** Index of an alpha band, whose zeros take part in the mean; -1 without. */
  readonly alphaBand: number
}

/** Bytes of a piece that is halved at once: little enough to stay in the processor's cache. */
const piece_bytes = 524_288

/**
 * Halves a strip into `target`, from its row `targetRow` on: each new pixel covers 2 × 2 old ones, fewer at an odd edge.
 * `average` and `mode` leave out samples that are masked, nodata or NaN; where none is left, and for `nearest`, the new
 * sample is the first of the four. A new pixel is valid where any of the old ones is; for `mode` and `nearest` validity is
 * halved as values are.
 */
export function downsampleStrip(
  source: ImageStrip,
  target: ImageStrip,
  targetRow: number,
  rules: DownsamplingRules,
): void {
  const { resampling, alphaBand } = rules
  const means = resampling.flatMap((kind, band) => (kind === 'average' && band !== alphaBand ? [band] : []))
  if (means.length > 0) averageBands(source, target, targetRow, means, rules, source.mask)
  if (alphaBand >= 0 && resampling[alphaBand] === 'average')
    averageBands(source, target, targetRow, [alphaBand], { ...rules, nodata: null }, null)
  if (resampling.some((kind) => kind !== 'average')) pickBands(source, target, targetRow, rules)
  if (!target.mask) return
  const newRows = (source.rows + 1) >> 1
  if (source.mask) halveMask(source.mask, source, target.mask, target, targetRow, maskRuleOf(rules))
  else target.mask.fill(255, targetRow * target.width, (targetRow + newRows) * target.width)
}

/** Whether a new pixel is valid, from the four old ones in reading order (255 or 0; at an odd edge some come twice). */
type MaskRule = (a: number, b: number, c: number, d: number) => number

const maskRules: Readonly<Record<OverviewResampling, MaskRule>> = {
  average: (a, b, c, d) => a | b | c | d,
  // The first of the four that occurs twice.
  mode: (a, b, c) => (a === b ? a : c),
  nearest: (a) => a,
}

/** If bands have different resamplings, the most permissive mask rule applies to all. */
function maskRuleOf({ resampling, alphaBand }: DownsamplingRules): MaskRule {
  const kinds = new Set(resampling.filter((_, band) => band !== alphaBand))
  return maskRules[(['average', 'mode'] as const).find((kind) => kinds.has(kind)) ?? 'nearest']
}

/** Piece by piece, an even number of rows each: in by a copy, out by a copy. */
function averageBands(
  source: ImageStrip,
  target: ImageStrip,
  targetRow: number,
  bands: readonly number[],
  rules: DownsamplingRules,
  mask: Uint8Array | null,
): void {
  const sampleBytes = sampleTypeProperties[rules.sampleType].bits / 8
  const rowBytes = source.width * source.bands * sampleBytes
  const pieceRows = Math.min(source.rows, Math.max(2, Math.floor(piece_bytes / rowBytes) & ~1))
  withKernels((kernels) => {
    const from = placePixels(kernels, source, pieceRows, bands, rules.sampleType, mask !== null)
    const to = placePixels(kernels, target, (pieceRows + 1) >> 1, bands, rules.sampleType, false)
    const memory = new Uint8Array(kernels.memory.buffer)
    const [sourceBytes, targetBytes] = [viewSampleBytes(source.data), viewSampleBytes(target.data)]
    const targetRowBytes = target.width * target.bands * sampleBytes
    for (let top = 0; top < source.rows; top += pieceRows) {
      const height = Math.min(pieceRows, source.rows - top)
      const newHeight = (height + 1) >> 1
      const newTop = (targetRow + top / 2) * targetRowBytes
      const newEnd = newTop + newHeight * targetRowBytes
      memory.set(sourceBytes.subarray(top * rowBytes, (top + height) * rowBytes), from.at)
      if (mask) memory.set(mask.subarray(top * source.width, (top + height) * source.width), from.mask)
      // Bands that are made otherwise keep what they have.
      if (bands.length < target.bands) memory.set(targetBytes.subarray(newTop, newEnd), to.at)
      kernels.halveMean({ ...to, height: newHeight }, { ...from, height }, rules.nodata)
      targetBytes.set(memory.subarray(to.at, to.at + newEnd - newTop), newTop)
    }
  })
}

function placePixels(
  kernels: Kernels,
  strip: ImageStrip,
  rows: number,
  bands: readonly number[],
  type: SampleType,
  masked: boolean,
): KernelPixels {
  const rowStride = strip.width * strip.bands
  return {
    type,
    at: kernels.memory.reserve((rows * rowStride * sampleTypeProperties[type].bits) / 8),
    width: strip.width,
    height: rows,
    pixelStride: strip.bands,
    rowStride,
    bandOffsets: bands,
    mask: masked ? kernels.memory.reserve(rows * strip.width) : 0,
  }
}

/** Two rows of all bands, and the row made of them, as 64-bit numbers: they hold all values, and one loop serves all types. */
interface RowPair {
  readonly upper: Float64Array
  readonly lower: Float64Array
  readonly made: Float64Array
}

function pickBands(source: ImageStrip, target: ImageStrip, targetRow: number, rules: DownsamplingRules): void {
  const { bands, width } = source
  const [length, newLength] = [width * bands, target.width * bands]
  const pair = {
    upper: new Float64Array(length),
    lower: new Float64Array(length),
    made: new Float64Array(newLength),
  }
  for (let row = 0; row < source.rows; row += 2) {
    const to = (targetRow + (row >> 1)) * newLength
    const single = row + 1 === source.rows
    pair.upper.set(source.data.subarray(row * length, (row + 1) * length))
    if (!single) pair.lower.set(source.data.subarray((row + 1) * length, (row + 2) * length))
    pair.made.set(target.data.subarray(to, to + newLength))
    for (const [band, kind] of rules.resampling.entries())
      if (kind === 'nearest') pickNearest(pair, target.width, bands, band)
      else if (kind === 'mode') pickCommonest(pair, source, row, single, band, rules)
    target.data.set(pair.made, to)
  }
}

function pickNearest({ upper, made }: RowPair, width: number, bands: number, band: number): void {
  for (let x = 0; x < width; x++) made[x * bands + band] = upper[2 * x * bands + band]!
}

function pickCommonest(
  { upper, lower, made }: RowPair,
  { width, bands, mask: stripMask }: ImageStrip,
  row: number,
  single: boolean,
  band: number,
  rules: DownsamplingRules,
): void {
  const isAlpha = band === rules.alphaBand
  const mask = isAlpha ? null : stripMask
  const { lowest, highest } = (isAlpha ? null : rules.nodata) ?? emptyNodataRange
  const found = new Float64Array(4)
  let count = 0
  const take = (value: number, pixel: number): void => {
    if (value !== value || (value >= lowest && value <= highest) || (mask !== null && mask[pixel] === 0)) return
    found[count++] = value
  }
  const top = row * width
  for (let x = 0; x < width; x += 2) {
    count = 0
    const at = x * bands + band
    take(upper[at]!, top + x)
    if (x + 1 < width) take(upper[at + bands]!, top + x + 1)
    if (!single) take(lower[at]!, top + width + x)
    if (!single && x + 1 < width) take(lower[at + bands]!, top + width + x + 1)
    made[(x >> 1) * bands + band] = count === 0 ? upper[at]! : commonest(found, count)
  }
}

/** The value met most often; of equally common ones the first that reached its count, as in GDAL. */
function commonest(values: Float64Array, count: number): number {
  let best = 0
  let bestVotes = 0
  for (let i = 0; i < count; i++) {
    let votes = 0
    for (let k = 0; k <= i; k++) if (values[k] === values[i]) votes++
    if (votes > bestVotes) {
      best = i
      bestVotes = votes
    }
  }
  return values[best]!
}

function halveMask(
  from: Uint8Array,
  { width, rows }: ImageStrip,
  to: Uint8Array,
  target: ImageStrip,
  targetRow: number,
  rule: MaskRule,
): void {
  for (let y = 0; y < rows; y += 2) {
    const below = y + 1 < rows ? width : 0
    const out = (targetRow + (y >> 1)) * target.width
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x
      const beside = x + 1 < width ? 1 : 0
      to[out + (x >> 1)] = rule(from[at]!, from[at + beside]!, from[at + below]!, from[at + below + beside]!)
    }
  }
}
