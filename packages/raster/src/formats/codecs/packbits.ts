import type { BlockShape } from './block-shape.ts'

/** Decodes PackBits runs (TIFF 6.0, section 9); runs beyond the block's size are cut. */
export function decodePackBits(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  const output = new Uint8Array(shape.mostBytes)
  let at = 0
  let written = 0
  while (at < bytes.length && written < output.length) {
    const head = bytes[at++]!
    if (head === 128) continue
    if (head < 128) {
      const run = bytes.subarray(at, at + Math.min(head + 1, output.length - written))
      output.set(run, written)
      written += run.length
      at += head + 1
    } else {
      const end = Math.min(output.length, written + 257 - head)
      output.fill(bytes[at] ?? 0, written, end)
      written = end
      at++
    }
  }
  return output.subarray(0, written)
}
