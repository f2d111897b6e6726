import { RasterFailure } from '../failures.ts'

/** Turns the bytes of every sample around, in place; `bytes` must be a whole number of samples. */
export function swapBytes(bytes: Uint8Array, sampleBytes: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % sampleBytes))
  if (sampleBytes === 2) buffer.swap16()
  else if (sampleBytes === 4) buffer.swap32()
  else if (sampleBytes === 8) buffer.swap64()
}

/**
 * Undoes horizontal differencing (TIFF predictor 2) in place: every sample is a difference to the one `stride` samples
 * before it in the row, counted as a whole number of the sample's size even where samples are floating point. The bytes
 * must already be in this machine's order.
 */
export function undoPredictor2(bytes: Uint8Array, sampleBytes: number, rowSamples: number, stride: number): void {
  if (sampleBytes === 1) return addAlongRows(bytes, rowSamples, stride)
  const count = Math.floor(bytes.byteLength / sampleBytes)
  if (sampleBytes === 2) addAlongRows(new Uint16Array(bytes.buffer, bytes.byteOffset, count), rowSamples, stride)
  else if (sampleBytes === 4) addAlongRows(new Uint32Array(bytes.buffer, bytes.byteOffset, count), rowSamples, stride)
  else if (sampleBytes === 8)
    addLongsAlongRows(new BigUint64Array(bytes.buffer, bytes.byteOffset, count), rowSamples, stride)
  else throw new RasterFailure('unsupported', `a predictor over samples of ${sampleBytes} bytes is not read`)
}

function addAlongRows(samples: Uint8Array | Uint16Array | Uint32Array, rowSamples: number, stride: number): void {
  for (let row = 0; row + rowSamples <= samples.length; row += rowSamples) {
    const end = row + rowSamples
    for (let at = row + stride; at < end; at++) samples[at] = samples[at]! + samples[at - stride]!
  }
}

function addLongsAlongRows(samples: BigUint64Array, rowSamples: number, stride: number): void {
  for (let row = 0; row + rowSamples <= samples.length; row += rowSamples) {
    const end = row + rowSamples
    for (let at = row + stride; at < end; at++) samples[at] = samples[at]! + samples[at - stride]!
  }
}

/**
 * Undoes floating-point differencing (TIFF Technical Note 3, predictor 3): a row holds first the highest byte of every
 * sample, then the next byte, and so on, all as differences. Answers samples in this (little-endian) machine's order.
 */
export function undoPredictor3(bytes: Uint8Array, sampleBytes: number, rowSamples: number, stride: number): Uint8Array {
  const rowBytes = rowSamples * sampleBytes
  const output = new Uint8Array(bytes.byteLength)
  for (let row = 0; row + rowBytes <= bytes.byteLength; row += rowBytes) {
    const end = row + rowBytes
    for (let at = row + stride; at < end; at++) bytes[at] = bytes[at]! + bytes[at - stride]!
    for (let plane = 0; plane < sampleBytes; plane++) {
      let to = row + sampleBytes - 1 - plane
      const from = row + plane * rowSamples
      for (let sample = 0; sample < rowSamples; sample++) {
        output[to] = bytes[from + sample]!
        to += sampleBytes
      }
    }
  }
  return output
}
