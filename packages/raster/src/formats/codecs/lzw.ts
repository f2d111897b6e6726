import { RasterFailure } from '../../failures.ts'
import type { BlockShape } from './block-shape.ts'

const clear_code = 256
const end_code = 257
const first_free_code = 258
const max_codes = 4096

/**
 * Decodes TIFF's LZW (TIFF 6.0, section 13): codes of 9 to 12 bits, high bits first, widened one code early. Output
 * beyond the block's size is dropped, as libtiff does; a code that was never defined is `damaged`.
 */
export function decodeLzw(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  if (bytes[0] === 0 && ((bytes[1] ?? 0) & 1) === 1) {
    throw new RasterFailure('unsupported', 'LZW of the time before TIFF 6.0 is not read')
  }
  const output = new Uint8Array(shape.mostBytes)
  return output.subarray(0, expandCodes(bytes, output))
}

// A code stands for the text of an earlier code plus one byte. Every such text already lies in the output, so a code is
// stored as its offset and length, and expanding is a copy.
function expandCodes(bytes: Uint8Array, output: Uint8Array): number {
  const starts = new Uint32Array(max_codes)
  const lengths = new Uint32Array(max_codes)
  const most = output.length
  let next = first_free_code
  let width = 9
  let buffer = 0
  let held = 0
  let at = 0
  let written = 0
  let previousStart = -1
  let previousLength = 0
  while (written < most) {
    while (held < width && at < bytes.length) {
      buffer = ((buffer << 8) | bytes[at++]!) & 0xffffff
      held += 8
    }
    if (held < width) break
    held -= width
    const code = (buffer >>> held) & ((1 << width) - 1)
    if (code === end_code) break
    if (code === clear_code) {
      next = first_free_code
      width = 9
      previousStart = -1
      continue
    }
    const start = written
    let length = 1
    if (code < clear_code) output[written++] = code
    else {
      if (previousStart < 0 || code > next || code < first_free_code) throw damaged()
      const isNew = code === next
      const from = isNew ? previousStart : starts[code]!
      length = isNew ? previousLength + 1 : lengths[code]!
      const end = Math.min(most, written + length)
      // Byte by byte: for a new code the last byte copied is the first one just written.
      for (let source = from; written < end; source++) output[written++] = output[source]!
    }
    if (previousStart >= 0) {
      if (next >= max_codes) throw damaged()
      starts[next] = previousStart
      lengths[next] = previousLength + 1
      next++
    }
    previousStart = start
    previousLength = length
    if (next + 1 >= 1 << width && width < 12) width++
  }
  return written
}

function damaged(): RasterFailure {
  return new RasterFailure('damaged', 'a part of the image cannot be decompressed (LZW)')
}
