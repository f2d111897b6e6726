import { constants, deflateSync } from 'node:zlib'
import { withKernels } from '../../compute/kernels/per-thread.ts'
import { buildPngChunk, buildPngHeaderChunk, pngSignature } from './png-chunks.ts'
import { channelsByImageKind, checkRenderedImage } from './rendered-image.ts'
import type { RenderedImage } from './rendered-image.ts'

const colourTypes = { gray: 0, rgb: 2, palette: 3, 'gray-alpha': 4, rgba: 6 } as const
const max_side = 32_768

/**
 * Encodes a PNG (ISO/IEC 15948), the same bytes for the same image: filter Up with run-length matching at level 1. On
 * noisy imagery that is several times faster than the default strategy and hardly larger. On palette images too: an
 * index of 256 came out 12 % smaller in a third of the time of level 4 without a filter, and palettes of up to 16 colours
 * share bytes, which halves both once more.
 *
 * @throws RasterFailure `request` when sizes and data do not belong together.
 */
export function encodePng(renderedImage: RenderedImage): Uint8Array {
  checkRenderedImage(renderedImage, max_side)
  const { width, height, kind, palette, data } = renderedImage
  const bits = bitsOf(renderedImage)
  const rows = filterAndPack(bits < 8 ? packBits(renderedImage, bits) : data, height, channelsByImageKind[kind])
  const chunks = [
    pngSignature,
    buildPngHeaderChunk(width, height, bits, colourTypes[kind]),
    ...(kind === 'palette' ? paletteChunks(palette!) : []),
    buildPngChunk('IDAT', rows),
    buildPngChunk('IEND', new Uint8Array(0)),
  ]
  // In a memory of its own, so that it can be handed to another thread.
  return new Uint8Array(Buffer.concat(chunks))
}

/** Bits of a sample; few colours need few. */
function bitsOf({ kind, palette }: RenderedImage): number {
  const entries = kind === 'palette' ? palette!.length / 4 : 256
  return [1, 2, 4].find((bits) => entries <= 2 ** bits) ?? 8
}

function paletteChunks(palette: Uint8Array): Buffer[] {
  const entries = palette.length / 4
  const colours = new Uint8Array(entries * 3)
  const alphas = new Uint8Array(entries)
  let lastTransparent = 0
  for (let i = 0; i < entries; i++) {
    colours.set(palette.subarray(i * 4, i * 4 + 3), i * 3)
    alphas[i] = palette[i * 4 + 3]!
    if (alphas[i] !== 255) lastTransparent = i + 1
  }
  const chunks = [buildPngChunk('PLTE', colours)]
  if (lastTransparent > 0) chunks.push(buildPngChunk('tRNS', alphas.subarray(0, lastTransparent)))
  return chunks
}

/** Several indices a byte, from the high end; rows begin on a byte. */
function packBits({ width, height, data }: RenderedImage, bits: number): Uint8Array {
  const rowBytes = Math.ceil((width * bits) / 8)
  const out = new Uint8Array(rowBytes * height)
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, bit = y * rowBytes * 8; x < width; x++, from++, bit += bits)
      out[bit >> 3]! |= data[from]! << ((8 - bits - x * bits) & 7)
  return out
}

/** Filters rows with the kernels, Sub on the first row (nothing is above it) and Up on the others, and deflates them. */
function filterAndPack(data: Uint8Array, rows: number, pixelBytes: number): Uint8Array {
  return withKernels((kernels) => {
    const { memory } = kernels
    const from = memory.reserve(data.length)
    const to = memory.reserve(data.length + rows)
    new Uint8Array(memory.buffer, from, data.length).set(data)
    kernels.filterUp(to, from, data.length / rows, rows, pixelBytes)
    const filtered = new Uint8Array(memory.buffer, to, data.length + rows)
    return deflateSync(filtered, { level: 1, memLevel: 9, strategy: constants.Z_RLE })
  })
}
