import { LRUCache } from 'lru-cache'
import { RasterFailure } from '../../failures.ts'
import { copyLoopPerSampleType } from '../../sample-loops.ts'
import { getSampleTypeOfArray } from '../../sample-types.ts'
import type { SampleArray, SampleType } from '../../types.ts'

/** The values that become 0 and 255. */
export type RescaleRange = readonly [low: number, high: number]

/**
 * How the share of a value in its range becomes a shade. `natural` is for amounts of light, of which most of a scene has
 * little: steep in the shadows, and flat where the highlights end.
 */
export type ToneCurve = 'linear' | 'natural'

export interface ToneOptions {
  /** Default linear. */
  readonly curve?: ToneCurve
  /** Above 1 brightens the middle: the shade (0 to 1) after the curve is raised to 1/gamma. Default 1. */
  readonly gamma?: number
}

/**
 * The share of the range that the natural curve shows as half of the full brightness, nearly: it is
 * share * (1 + knee) / (share + knee). A reflectance of 0.15 in the range of 0 to 1.5.
 */
export const natural_knee = 0.1

/** Fewer samples than this are computed one by one: filling a table would cost more. */
const min_pixels_for_table = 4096
const max_tables = 64
const max_gamma = 20

/**
 * Stretches samples to bytes and puts them at every `stride`-th place of `out` from `at` on: linear between low and high,
 * clamped outside, fractions cut off (not rounded). That is `linear_rescale` and `astype(uint8)` of rio-tiler to the last
 * bit. A tone bends the share between low and high. NaN becomes 0.
 *
 * @param range high below low turns the scale around.
 */
export function rescaleSamples(
  out: Uint8Array,
  at: number,
  stride: number,
  samples: SampleArray,
  range: RescaleRange,
  tone: ToneOptions,
): void {
  const type = getSampleTypeOfArray(samples)
  const bits = tableBits[type]
  if (bits !== undefined && samples.length > min_pixels_for_table)
    lookUp[type](out, at, stride, samples, tableOf(type, range, tone), bits)
  else compute(out, at, stride, samples, range, tone)
}

/** Ends with a `request` failure unless the stretches fit that many bands. */
export function checkRescaleRanges(ranges: readonly RescaleRange[], bands: number, { gamma = 1 }: ToneOptions): void {
  if (ranges.length !== 1 && ranges.length !== bands)
    throw new RasterFailure('request', `there are ${ranges.length} stretches for ${bands} bands`)
  for (const [low, high] of ranges)
    if (!Number.isFinite(low) || !Number.isFinite(high) || low === high)
      throw new RasterFailure('request', 'a stretch needs two different numbers')
  if (!(gamma > 0 && gamma <= max_gamma))
    throw new RasterFailure('request', `gamma is a number above 0, at most ${max_gamma}`)
}

const lookUp = copyLoopPerSampleType(
  (out: Uint8Array, at: number, stride: number, samples: SampleArray, table: Uint8Array, bits: number): void => {
    for (let i = 0, to = at; i < samples.length; i++, to += stride) out[to] = table[samples[i]! & bits]!
  },
)

function compute(
  out: Uint8Array,
  at: number,
  stride: number,
  samples: SampleArray,
  [low, high]: RescaleRange,
  { curve = 'linear', gamma = 1 }: ToneOptions,
): void {
  const type = getSampleTypeOfArray(samples)
  if (curve === 'natural') naturalLoop[type](out, at, stride, samples, low, high - low, 1 / gamma, natural_knee)
  else if (gamma === 1) straightLoop[type](out, at, stride, samples, low, high - low)
  else bentLoop[type](out, at, stride, samples, low, high - low, 1 / gamma)
}

// The array itself cuts fractions off; NaN is not above 0 and becomes 0.

const straightLoop = copyLoopPerSampleType(
  (out: Uint8Array, at: number, stride: number, samples: SampleArray, low: number, span: number): void => {
    for (let i = 0, to = at; i < samples.length; i++, to += stride) {
      const byte = ((samples[i]! - low) / span) * 255
      out[to] = byte > 0 ? (byte < 255 ? byte : 255) : 0
    }
  },
)

const bentLoop = copyLoopPerSampleType(
  (
    out: Uint8Array,
    at: number,
    stride: number,
    samples: SampleArray,
    low: number,
    span: number,
    power: number,
  ): void => {
    for (let i = 0, to = at; i < samples.length; i++, to += stride) {
      const share = (samples[i]! - low) / span
      out[to] = share > 0 ? (share < 1 ? share ** power * 255 : 255) : 0
    }
  },
)

const naturalLoop = copyLoopPerSampleType(
  (
    out: Uint8Array,
    at: number,
    stride: number,
    samples: SampleArray,
    low: number,
    span: number,
    power: number,
    knee: number,
  ): void => {
    // share * (1 + knee) / (share + knee) is (1 + knee) * (1 - knee / (share + knee)): one division a sample.
    const direction = span > 0 ? 1 : -1
    const width = span * direction * knee
    const scale = 1 + knee
    for (let i = 0, to = at; i < samples.length; i++, to += stride) {
      const distance = (samples[i]! - low) * direction
      const shade = distance > 0 ? scale - (scale * width) / (distance + width) : 0
      out[to] = shade < 1 ? (power === 1 ? shade : shade ** power) * 255 : 255
    }
  },
)

/** Sample types with few enough values for a table, and the bits that lead into it: tables are in order of bit patterns. */
const tableBits: Partial<Record<SampleType, number>> = { uint8: 0xff, int8: 0xff, uint16: 0xffff, int16: 0xffff }

const every16 = Uint16Array.from({ length: 65_536 }, (_, i) => i)
const every8 = Uint8Array.from({ length: 256 }, (_, i) => i)
const everySample: Partial<Record<SampleType, SampleArray>> = {
  uint8: every8,
  int8: new Int8Array(every8.buffer),
  uint16: every16,
  int16: new Int16Array(every16.buffer),
}

const tables = new LRUCache<string, Uint8Array>({ max: max_tables })

/** The byte of every sample of a type; the tables used last are cached. */
function tableOf(type: SampleType, range: RescaleRange, tone: ToneOptions): Uint8Array {
  const { curve = 'linear', gamma = 1 } = tone
  const key = `${type} ${range[0]} ${range[1]} ${curve} ${gamma}`
  const known = tables.get(key)
  if (known) return known
  const table = makeTable(everySample[type]!, range, tone)
  tables.set(key, table)
  return table
}

function makeTable(samples: SampleArray, range: RescaleRange, tone: ToneOptions): Uint8Array {
  const table = new Uint8Array(samples.length)
  compute(table, 0, 1, samples, range, tone)
  return table
}
