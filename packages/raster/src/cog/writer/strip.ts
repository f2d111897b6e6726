import { sampleTypeProperties } from '../../sample-types.ts'
import type { SampleArray, SampleType } from '../../types.ts'

/** Some full-width rows of an image, all bands of a pixel together: sample b of pixel p is data[p × bands + b]. */
export interface ImageStrip {
  readonly width: number
  /** Number of rows in use, out of the allocated ones. */
  rows: number
  readonly bands: number
  readonly data: SampleArray
  /** One byte a pixel, 0 is invalid; null where validity lies in the samples alone. */
  readonly mask: Uint8Array | null
}

/** An empty strip with capacity for `rows` rows. */
export function createImageStrip(
  type: SampleType,
  width: number,
  rows: number,
  bands: number,
  masked: boolean,
): ImageStrip {
  const data = sampleTypeProperties[type].allocate(width * rows * bands)
  return { width, rows, bands, data, mask: masked ? new Uint8Array(width * rows) : null }
}

/** The bytes of the samples, where they lie. */
export function viewSampleBytes(samples: SampleArray): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
}

/** The words of samples of one size as one kind of array, for loops that only carry them about. */
export function viewSamplesAsWords(samples: SampleArray): Uint8Array | Uint16Array | Uint32Array | Float64Array {
  const { buffer, byteOffset, length } = samples
  if (samples.BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, length)
  if (samples.BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, length)
  if (samples.BYTES_PER_ELEMENT === 4) return new Uint32Array(buffer, byteOffset, length)
  return new Float64Array(buffer, byteOffset, length)
}
