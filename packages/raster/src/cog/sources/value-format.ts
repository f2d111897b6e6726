import { RasterFailure } from '../../failures.ts'
import { SAMPLE_TYPES } from '../../sample-types.ts'
import type { PixelRows, SampleType } from '../../types.ts'
import type { CogBand } from '../writer/band-metadata.ts'

/** How computed values become samples: value = sample × scale + offset. */
export interface ValueFormat {
  readonly sampleType: SampleType
  /** Written where there is no value. */
  readonly nodata: number
  readonly scale: number
  readonly offset: number
}

/** Values as 32-bit floats, NaN for nodata. */
export const FLOAT_VALUE_FORMAT: ValueFormat = { sampleType: 'float32', nodata: Number.NaN, scale: 1, offset: 0 }

/**
 * Quantizes values of a range to integers, using the full range of the type; values outside are clamped. Nodata is 0 for
 * unsigned types, else the lowest value.
 */
export function integerValueFormat(
  sampleType: SampleType,
  [low, high]: readonly [low: number, high: number],
): ValueFormat {
  const { format, lowest, highest } = SAMPLE_TYPES[sampleType]
  if (format === 3) throw new RasterFailure('request', `${sampleType} does not hold whole numbers`)
  if (!(low < high)) throw new RasterFailure('request', `there is nothing between ${low} and ${high}`)
  // One number stands for nothing, and both ends are numbers themselves.
  const scale = (high - low) / (highest - lowest - 1)
  return { sampleType, nodata: lowest, scale, offset: low - (lowest + 1) * scale }
}

/** The only band of an image of values. */
export function valueBand(name: string, { scale, offset }: ValueFormat): CogBand {
  return { name, colour: 'gray', scale, offset }
}

/** Values of one band of rows, and where there are any. */
export interface ValueRows {
  readonly width: number
  readonly rows: number
  readonly values: Float32Array
  /** One byte a pixel: 255 where there is a value, else 0. */
  readonly mask: Uint8Array
}

/** Turns values into samples; a value never becomes the sample that means nodata. */
export function encodeValues({ width, rows, values, mask }: ValueRows, format: ValueFormat): PixelRows {
  const { lowest, highest, format: kind } = SAMPLE_TYPES[format.sampleType]
  const whole = kind !== 3
  const encoded = new Float64Array(values.length)
  const { nodata, scale, offset } = format
  for (let at = 0; at < encoded.length; at++) {
    if (mask[at] === 0) {
      encoded[at] = nodata
      continue
    }
    const sample = (values[at]! - offset) / scale
    const held = whole ? Math.min(highest, Math.max(lowest, Math.floor(sample + 0.5))) : sample
    encoded[at] = held !== nodata ? held : whole ? (held < highest ? held + 1 : held - 1) : besideNodata(held)
  }
  const data = SAMPLE_TYPES[format.sampleType].allocate(encoded.length)
  data.set(encoded)
  return { width, rows, bands: 1, data, mask }
}

/** A float32 close by. */
function besideNodata(value: number): number {
  return value === 0 ? 1e-30 : value * (1 - 2 ** -22)
}
