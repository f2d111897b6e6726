import { RasterFailure } from '../../failures.ts'

/** A rendered image for the encoders: one byte per channel (gray, gray and alpha, RGB, RGBA), or palette indices. */
export interface RenderedImage {
  readonly width: number
  readonly height: number
  readonly kind: RenderedImageKind
  /** Channels of a pixel together, rows from the top, no padding. */
  readonly data: Uint8Array
  /** Only for `palette`: up to 256 entries of four bytes, red, green, blue, alpha. */
  readonly palette?: Uint8Array
}

export type RenderedImageKind = 'gray' | 'gray-alpha' | 'rgb' | 'rgba' | 'palette'

/** Bytes a pixel. */
export const channelsByImageKind: Readonly<Record<RenderedImageKind, number>> = {
  gray: 1,
  'gray-alpha': 2,
  rgb: 3,
  rgba: 4,
  palette: 1,
}

/** Ends with a `request` failure unless sizes, data and palette belong together. */
export function checkRenderedImage({ width, height, kind, data, palette }: RenderedImage, longestSide: number): void {
  if (![width, height].every((side) => Number.isInteger(side) && side > 0 && side <= longestSide))
    throw new RasterFailure('request', `an image of ${width}×${height} pixels cannot be encoded`)
  const wanted = width * height * channelsByImageKind[kind]
  if (data.length !== wanted)
    throw new RasterFailure('request', `a ${kind} image of ${width}×${height} needs ${wanted} bytes`)
  if (kind === 'palette') checkIndices(data, palette)
}

function checkIndices(data: Uint8Array, palette: Uint8Array | undefined): void {
  const entries = palette ? palette.length / 4 : 0
  if (!Number.isInteger(entries) || entries < 1 || entries > 256)
    throw new RasterFailure('request', 'a palette has 1 to 256 entries of four bytes')
  if (entries === 256) return
  let greatest = 0
  for (let i = 0; i < data.length; i++) if (data[i]! > greatest) greatest = data[i]!
  if (greatest >= entries) throw new RasterFailure('request', `index ${greatest} is outside the palette of ${entries}`)
}

/** True where every pixel is valid, so that an alpha channel would carry nothing. */
export const isMaskOpaque = (mask: Uint8Array): boolean => !mask.includes(0)

const opaqueWord = new Uint32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0]!

/** Gives RGBA pixels their alpha: 255 where the mask is not 0; elsewhere all four bytes are 0. */
export function setRgbaAlpha(rgba: Uint8Array, mask: Uint8Array): void {
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, mask.length)
  for (let i = 0; i < mask.length; i++) words[i] = (words[i]! | opaqueWord) & -((mask[i]! + 255) >> 8)
}

/** The same for gray and alpha. */
export function setGrayAlpha(grays: Uint8Array, mask: Uint8Array): void {
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 0) grays[i * 2] = 0
    else grays[i * 2 + 1] = 255
  }
}

/** The image as four bytes a pixel. */
export function widenToRgba({ kind, data, palette, width, height }: RenderedImage): Uint8Array {
  if (kind === 'rgba') return data
  const rgba = new Uint8Array(width * height * 4)
  const words = new Uint32Array(rgba.buffer)
  if (kind === 'rgb') widenRgb(words, rgba, data)
  else if (kind === 'palette') lookUpWords(words, data, wordsOf(palette!))
  else if (kind === 'gray') lookUpWords(words, data, grayWords)
  else widenGrayAlpha(rgba, data)
  return rgba
}

/** The image over white, without alpha: gray stays gray, all else becomes RGB. */
export function flattenOnWhite(image: RenderedImage): { readonly channels: 1 | 3; readonly data: Uint8Array } {
  const { kind, data, palette } = image
  if (kind === 'gray') return { channels: 1, data }
  if (kind === 'rgb') return { channels: 3, data }
  if (kind === 'gray-alpha') return { channels: 1, data: blendOnWhite(data, 1) }
  if (kind === 'rgba') return { channels: 3, data: blendOnWhite(data, 3) }
  return { channels: 3, data: lookUpColours(data, blendOnWhite(palette!, 3)) }
}

const grayWords = wordsOf(Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 : i >> 2)))

function wordsOf(palette: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(palette).buffer)
}

function lookUpWords(words: Uint32Array, indices: Uint8Array, palette: Uint32Array): void {
  for (let i = 0; i < indices.length; i++) words[i] = palette[indices[i]!]!
}

function lookUpColours(indices: Uint8Array, colours: Uint8Array): Uint8Array {
  const out = new Uint8Array(indices.length * 3)
  for (let i = 0, to = 0; i < indices.length; i++, to += 3) {
    const from = indices[i]! * 3
    out[to] = colours[from]!
    out[to + 1] = colours[from + 1]!
    out[to + 2] = colours[from + 2]!
  }
  return out
}

function widenRgb(words: Uint32Array, rgba: Uint8Array, rgb: Uint8Array): void {
  words.fill(opaqueWord)
  for (let from = 0, to = 0; to < rgba.length; from += 3, to += 4) {
    rgba[to] = rgb[from]!
    rgba[to + 1] = rgb[from + 1]!
    rgba[to + 2] = rgb[from + 2]!
  }
}

function widenGrayAlpha(rgba: Uint8Array, data: Uint8Array): void {
  for (let from = 0, to = 0; to < rgba.length; from += 2, to += 4) {
    rgba[to] = data[from]!
    rgba[to + 1] = data[from]!
    rgba[to + 2] = data[from]!
    rgba[to + 3] = data[from + 1]!
  }
}

/** Drops the last channel, which is alpha, for its share of white. */
function blendOnWhite(data: Uint8Array, colours: 1 | 3): Uint8Array {
  const out = new Uint8Array((data.length / (colours + 1)) * colours)
  for (let colour = 0; colour < colours; colour++)
    for (let from = 0, to = colour; to < out.length; from += colours + 1, to += colours) {
      const under = (255 - data[from + colour]!) * data[from + colours]!
      // Dividing by 255 and rounding, in whole numbers.
      out[to] = 255 - (((under + 128) * 257) >> 16)
    }
  return out
}
