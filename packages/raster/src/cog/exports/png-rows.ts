import { computeNodataRange, emptyNodataRange } from '../../sample-types.ts'
import type { PixelRows, SampleType } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'

export interface PngOptions {
  /** 0-based: one band as gray, or three as red, green and blue; without an alpha band, which is added by itself. */
  readonly bands: readonly number[]
  /** Values that become 0 and 255; null keeps the samples, which are then bytes or of 16 bits without a sign. */
  readonly range: readonly [lowest: number, highest: number] | null
}

/** Pixel layout of a PNG. */
export interface PngLayout {
  readonly bits: 8 | 16
  /** 0 gray, 2 colours, 3 palette, 4 gray with alpha, 6 colours with alpha. */
  readonly colourType: 0 | 2 | 3 | 4 | 6
  /** Without alpha. */
  readonly bands: number
  readonly alpha: boolean
  /** The chunks PLTE and tRNS. */
  readonly palette: readonly (readonly [name: string, body: Uint8Array])[]
}

const isFloat = (type: SampleType): boolean => type === 'float32' || type === 'float64'

/** The layout of an image: transparent only where pixels can lack a value. */
export function choosePngPixelLayout(input: CogInput, { bands: { length: bands }, range }: PngOptions): PngLayout {
  const { palette, sampleType, nodata, masked } = input
  const isTransparent = nodata !== null || masked || input.bands.length > bands || isFloat(sampleType)
  if (palette && bands === 1 && sampleType === 'uint8' && range === null && !masked)
    return { bits: 8, colourType: 3, bands, alpha: false, palette: paletteChunks(palette, nodata) }
  const bits = range === null && sampleType === 'uint16' ? 16 : 8
  const colourType = bands === 1 ? (isTransparent ? 4 : 0) : isTransparent ? 6 : 2
  return { bits, colourType, bands, alpha: isTransparent, palette: [] }
}

function paletteChunks(palette: Uint8Array, nodata: number | null): PngLayout['palette'] {
  const colours = ['PLTE', palette.slice(0, 256 * 3)] as const
  if (nodata === null || !Number.isInteger(nodata) || nodata < 0 || nodata * 3 >= palette.length) return [colours]
  const alphas = new Uint8Array(nodata + 1).fill(255)
  alphas[nodata] = 0
  return [colours, ['tRNS', alphas]]
}

/** Filters of a row: the difference from the pixel on the left, and from the one above. */
const [SUB, UP] = [1, 2]

/** Turns rows of samples into filtered rows of a PNG; asked from the top downwards, each row once. */
export function createPngRowFilter(
  { width, nodata, sampleType }: CogInput,
  { bits, bands, alpha }: PngLayout,
  { range }: PngOptions,
): (rows: PixelRows) => Buffer {
  const sampleBytes = bits / 8
  const pixelBytes = (bands + (alpha ? 1 : 0)) * sampleBytes
  const rowBytes = width * pixelBytes
  const missing = computeNodataRange(nodata, sampleType) ?? emptyNodataRange
  const opaque = 2 ** bits - 1
  const toSample = createRescale(range)
  let above = new Uint8Array(rowBytes)
  let isFirst = true
  return (read) => {
    const filtered = Buffer.alloc(read.rows * (rowBytes + 1))
    for (let row = 0, at = 0; row < read.rows; row++) {
      const pixels = Buffer.alloc(rowBytes)
      for (let x = 0, to = 0; x < width; x++) {
        const from = (row * width + x) * read.bands
        let isValid = read.mask === null || read.mask[row * width + x] !== 0
        for (let band = 0; band < bands; band++, to += sampleBytes) {
          const sample = read.data[from + band]!
          if (sample !== sample || (sample >= missing.lowest && sample <= missing.highest)) isValid = false
          write(pixels, to, toSample(sample))
        }
        if (!alpha) continue
        write(pixels, to, isValid ? alphaAt(read, from + bands) : 0)
        to += sampleBytes
      }
      filtered[at++] = isFirst ? SUB : UP
      for (let i = 0; i < rowBytes; i++, at++)
        filtered[at] = pixels[i]! - (isFirst ? (i < pixelBytes ? 0 : pixels[i - pixelBytes]!) : above[i]!)
      above = pixels
      isFirst = false
    }
    return filtered
  }

  function write(pixels: Buffer, at: number, sample: number): void {
    if (bits === 16) pixels[at++] = sample >> 8
    pixels[at] = sample
  }

  /** An alpha band, which has the samples of the file. */
  function alphaAt({ bands: own, data }: PixelRows, at: number): number {
    if (own === bands) return opaque
    return range && sampleType !== 'uint8' ? (data[at] === 0 ? 0 : opaque) : Math.min(opaque, data[at]!)
  }
}

/** Maps a range to 0 to 255 and clamps values beyond it; null leaves samples as they are. */
function createRescale(range: PngOptions['range']): (sample: number) => number {
  if (range === null) return (sample) => sample
  const [lowest, highest] = range
  return (sample) => {
    const part = (sample - lowest) / (highest - lowest)
    return part > 0 ? Math.round(255 * Math.min(1, part)) : 0
  }
}
