import type { Samples } from '../types.ts'
import { sampleTypeOf } from '../sample-types.ts'

/**
 * Prepares a tile for compression (TIFF predictor 2 or 3) and answers its bytes; the samples are used up. Rows hold
 * `width` pixels of `channels` samples each. Sample words are stored in the machine's order, which is little-endian
 * wherever this runs, as the files' header says.
 */
export function applyPredictor(tile: Samples, width: number, channels: number, predictor: 1 | 2 | 3): Uint8Array {
  if (predictor === 2) differenceRows(unsignedView(tile), width * channels, channels)
  if (predictor === 3) return splitFloatRows(tile, width * channels, channels)
  return bytesOf(tile)
}

function bytesOf(samples: Samples): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
}

/** The same words as unsigned integers, so that differences wrap around and only three kinds of array reach the loop. */
function unsignedView(samples: Samples): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, length } = samples
  if (samples.BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, length)
  if (samples.BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, length)
  return new Uint32Array(buffer, byteOffset, length)
}

/** Every sample becomes its difference from the same channel of the pixel to the left. */
function differenceRows(words: Uint8Array | Uint16Array | Uint32Array, rowLength: number, channels: number): void {
  for (let row = 0; row < words.length; row += rowLength)
    for (let i = row + rowLength - 1; i >= row + channels; i--) words[i] = words[i]! - words[i - channels]!
}

/** Adobe's floating point predictor: bytes of equal weight side by side, the heaviest first, then byte differences. */
function splitFloatRows(tile: Samples, rowLength: number, channels: number): Uint8Array {
  const size = sampleTypeOf(tile) === 'float64' ? 8 : 4
  const source = bytesOf(tile)
  const out = new Uint8Array(source.length)
  const rowBytes = rowLength * size
  for (let row = 0; row < source.length; row += rowBytes) {
    for (let i = 0; i < rowLength; i++)
      for (let k = 0; k < size; k++) out[row + k * rowLength + i] = source[row + i * size + (size - 1 - k)]!
    for (let i = row + rowBytes - 1; i >= row + channels; i--) out[i] = out[i]! - out[i - channels]!
  }
  return out
}
