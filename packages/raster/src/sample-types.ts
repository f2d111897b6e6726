import type { SampleArray, SampleType } from './types.ts'

interface SampleTypeFacts {
  readonly bits: 8 | 16 | 32 | 64
  /** TIFF SampleFormat: 1 unsigned, 2 signed, 3 floating point. */
  readonly format: 1 | 2 | 3
  readonly lowest: number
  readonly highest: number
  readonly allocate: (length: number) => SampleArray
}

/** The properties of every sample type that the writer needs. */
export const sampleTypeProperties: Readonly<Record<SampleType, SampleTypeFacts>> = {
  uint8: { bits: 8, format: 1, lowest: 0, highest: 255, allocate: (n) => new Uint8Array(n) },
  int8: { bits: 8, format: 2, lowest: -128, highest: 127, allocate: (n) => new Int8Array(n) },
  uint16: { bits: 16, format: 1, lowest: 0, highest: 65_535, allocate: (n) => new Uint16Array(n) },
  int16: { bits: 16, format: 2, lowest: -32_768, highest: 32_767, allocate: (n) => new Int16Array(n) },
  uint32: { bits: 32, format: 1, lowest: 0, highest: 4_294_967_295, allocate: (n) => new Uint32Array(n) },
  int32: { bits: 32, format: 2, lowest: -2_147_483_648, highest: 2_147_483_647, allocate: (n) => new Int32Array(n) },
  float32: { bits: 32, format: 3, lowest: -Infinity, highest: Infinity, allocate: (n) => new Float32Array(n) },
  float64: { bits: 64, format: 3, lowest: -Infinity, highest: Infinity, allocate: (n) => new Float64Array(n) },
}

const viewsByType: Readonly<Record<SampleType, (buffer: ArrayBufferLike, at: number, length: number) => SampleArray>> =
  {
    uint8: (buffer, at, length) => new Uint8Array(buffer, at, length),
    int8: (buffer, at, length) => new Int8Array(buffer, at, length),
    uint16: (buffer, at, length) => new Uint16Array(buffer, at, length),
    int16: (buffer, at, length) => new Int16Array(buffer, at, length),
    uint32: (buffer, at, length) => new Uint32Array(buffer, at, length),
    int32: (buffer, at, length) => new Int32Array(buffer, at, length),
    float32: (buffer, at, length) => new Float32Array(buffer, at, length),
    float64: (buffer, at, length) => new Float64Array(buffer, at, length),
  }

/** `length` samples of a buffer from byte `at` on, which must be a multiple of the sample's size. */
export function viewSamples(type: SampleType, buffer: ArrayBufferLike, at: number, length: number): SampleArray {
  return viewsByType[type](buffer, at, length)
}

/** The sample type of an array, by its element kind. */
export function getSampleTypeOfArray(samples: SampleArray): SampleType {
  if (samples instanceof Uint8Array) return 'uint8'
  if (samples instanceof Int8Array) return 'int8'
  if (samples instanceof Uint16Array) return 'uint16'
  if (samples instanceof Int16Array) return 'int16'
  if (samples instanceof Uint32Array) return 'uint32'
  if (samples instanceof Int32Array) return 'int32'
  return samples instanceof Float32Array ? 'float32' : 'float64'
}

/** Samples that are nodata: from `lowest` to `highest`, both included. */
export interface NodataRange {
  readonly lowest: number
  readonly highest: number
}

/** The range of a file without nodata, for loops that compare every sample: no number lies in it. */
export const emptyNodataRange: NodataRange = { lowest: Number.NaN, highest: Number.NaN }

/** Whether one sample lies in a range of nodata. */
export function isNodataSample(sample: number, nodata: NodataRange | null): nodata is NodataRange {
  return nodata !== null && sample >= nodata.lowest && sample <= nodata.highest
}

/** GDAL's ARE_REAL_EQUAL: two numbers are equal whose difference is less than this part of their sum. */
const relative_tolerance = 2 * 2 ** -23
const widening_factor = (1 + relative_tolerance) / (1 - relative_tolerance)
const maxFloats: Partial<Record<SampleType, number>> = { float32: (2 - 2 ** -23) * 2 ** 127, float64: Number.MAX_VALUE }

/**
 * The samples of this type that are nodata, or null where none can be (out of range, a fraction among integers, or NaN, which
 * is left out by itself). The value is text, often of seven or eight digits: floating-point samples are compared with the
 * tolerance of GDAL, so that what was written is found again.
 */
export function computeNodataRange(nodata: number | null, type: SampleType): NodataRange | null {
  if (nodata === null || Number.isNaN(nodata)) return null
  const greatest = maxFloats[type]
  if (greatest !== undefined) return floatRange(type === 'float32' ? Math.fround(nodata) : nodata, greatest, type)
  const { lowest, highest } = sampleTypeProperties[type]
  return Number.isInteger(nodata) && nodata >= lowest && nodata <= highest ? { lowest: nodata, highest: nodata } : null
}

function floatRange(nodata: number, greatest: number, type: SampleType): NodataRange {
  if (!Number.isFinite(nodata)) return { lowest: nodata, highest: nodata }
  const round = (value: number): number => {
    const bounded = Math.min(greatest, Math.max(-greatest, value))
    return type === 'float32' ? Math.fround(bounded) : bounded
  }
  const ends = [round(nodata / widening_factor), round(nodata * widening_factor)] as const
  return { lowest: Math.min(...ends), highest: Math.max(...ends) }
}

/** The smallest type that holds every value of both without rounding, or null. */
export function findSmallestCommonSampleType(a: SampleType, b: SampleType): SampleType | null {
  if (a === b) return a
  const [first, second] = [sampleTypeProperties[a], sampleTypeProperties[b]]
  const order: SampleType[] = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64']
  return order.find((name) => holds(name, first) && holds(name, second)) ?? null
}

/** Bits of an integer that a floating point number keeps exactly. */
const exactBits: Partial<Record<SampleType, number>> = { float32: 24, float64: 53 }

function holds(name: SampleType, other: SampleTypeFacts): boolean {
  const own = sampleTypeProperties[name]
  if (other.format === 3) return own.format === 3 && own.bits >= other.bits
  if (own.format === 3) return (exactBits[name] ?? 0) >= other.bits
  return own.lowest <= other.lowest && own.highest >= other.highest
}
