import { checkCancelled } from '../../failures.ts'
import type { KernelAddress, Kernels, KernelPixels } from '../kernels/types.ts'
import { sampleTypeProperties, viewSamples } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { RasterLevel, Raster, SampleType } from '../../types.ts'
import { decodeMaskToMemory, decodeBlockToMemory } from './decode-block.ts'
import type { BlockRef } from './block-refs.ts'
import type { CachedBlock } from '../../io/cache/block-cache.ts'
import type { LoadedBlocks, LoadedWindow } from './load-window.ts'
import { findAlphaBand, listBandsWithNodata, findNodataRange } from './validity.ts'
import type { Window } from './window.ts'

/** Memory layout of the samples of a window while it is assembled. */
interface Arrangement {
  /** Samples from one pixel to the next. */
  readonly stride: number
  /** The offset of each band of the file that is loaded. */
  readonly offsets: ReadonlyMap<number, number>
  /** True where whole pixels are copied as the file has them. */
  readonly verbatim: boolean
  readonly samples: number
}

/** A window in memory that is being filled. */
interface Filling {
  readonly kernels: Kernels
  readonly window: Window
  readonly pixels: KernelPixels
  readonly arrangement: Arrangement
  readonly sampleBytes: 1 | 2 | 4 | 8
  /** The sample value of a block that the file leaves out. */
  readonly absent: number
}

/**
 * Decodes a window into the memory of the kernels, with its mask. Where the file keeps pixels together and most of
 * their bands are wanted, they stay together: rows are copied as they are. The mask has no address where all is valid.
 */
export function decodeWindowToMemory(kernels: Kernels, raster: Raster, loaded: LoadedWindow): KernelPixels {
  const { window, bands, image } = loaded
  const width = window[2] - window[0]
  const height = window[3] - window[1]
  const alpha = findAlphaBand(raster, image.level)
  const arrangement = arrange(image.level, alpha === null ? bands : [...bands, alpha], width * height)
  const sampleBytes = (sampleTypeProperties[raster.sampleType].bits / 8) as 1 | 2 | 4 | 8
  const pixels: KernelPixels = {
    type: raster.sampleType,
    at: kernels.memory.reserve(arrangement.samples * sampleBytes),
    width,
    height,
    pixelStride: arrangement.stride,
    rowStride: width * arrangement.stride,
    bandOffsets: bands.map((band) => arrangement.offsets.get(band)!),
    mask: 0,
  }
  const filling = { kernels, window, pixels, arrangement, sampleBytes, absent: raster.nodata ?? 0 }
  for (const ref of image.refs) {
    checkCancelled(loaded.signal)
    placeBlock(filling, image, ref)
  }
  return {
    ...pixels,
    mask: loaded.mask ? gatherMask(filling, loaded.mask) : judge(filling, raster, image.level, bands),
  }
}

function arrange(level: RasterLevel, bands: readonly number[], size: number): Arrangement {
  const distinct = [...new Set(bands)]
  const together = level.planar === 1 ? level.storage.samplesPerPixel : 1
  const verbatim = together > 1 && distinct.length * 2 >= together
  const offsets = new Map(distinct.map((band, place) => [band, verbatim ? band : place * size]))
  return { stride: verbatim ? together : 1, offsets, verbatim, samples: (verbatim ? together : distinct.length) * size }
}

/** The bands that one block holds, and where each begins in the window. */
function bandsIn({ arrangement }: Filling, { level }: LoadedBlocks, ref: BlockRef): [band: number, offset: number][] {
  return [...arrangement.offsets].filter(([band]) => level.planar === 1 || band === ref.plane)
}

function placeBlock(filling: Filling, blocks: LoadedBlocks, ref: BlockRef): void {
  const { kernels, window, pixels, arrangement, sampleBytes } = filling
  if (ref.length === 0) return fillAbsent(filling, blocks, ref)
  const part = overlapOf(ref, window)
  const { samples } = ref.shape
  const shared = blocks.share(ref)
  if (shared?.state === 'hit' && isSmallPart(filling, blocks, ref, part))
    return pickBands(filling, blocks, ref, shared, part)
  const mark = kernels.memory.mark()
  const { at, rowBytes } = takePart(kernels, blocks, ref, pixels.type, part, shared)
  const corner = cornerOf(filling, part.left, part.top)
  if (arrangement.verbatim || samples === 1) {
    const [, offset] = arrangement.verbatim ? [0, 0] : bandsIn(filling, blocks, ref)[0]!
    const to = pixels.at + (corner + offset) * sampleBytes
    const length = part.columns * samples * sampleBytes
    kernels.copyByteRows(to, pixels.rowStride * sampleBytes, at, rowBytes, length, part.rows)
  } else {
    const fromRow = rowBytes / sampleBytes
    for (const [band, offset] of bandsIn(filling, blocks, ref)) {
      const to = pixels.at + (corner + offset) * sampleBytes
      const from = at + band * sampleBytes
      kernels.copyBand(to, 1, pixels.rowStride, from, samples, fromRow, part.columns, part.rows, sampleBytes)
    }
  }
  kernels.memory.release(mark)
}

/** Rows of decoded pixels in memory: where the first begins, and bytes from one to the next. */
interface TakenPart {
  readonly at: KernelAddress
  readonly rowBytes: number
}

/** The part of a block that is wanted: as another thread has left it, or decoded here and left for others. */
function takePart(
  kernels: Kernels,
  blocks: LoadedBlocks,
  ref: BlockRef,
  type: SampleType | 'mask',
  part: Overlap,
  shared: ReturnType<LoadedBlocks['share']>,
): TakenPart {
  const { width, samples } = ref.shape
  const pixelBytes = type === 'mask' ? 1 : (samples * sampleTypeProperties[type].bits) / 8
  const rowBytes = width * pixelBytes
  const first = (part.top - ref.y) * rowBytes + (part.left - ref.x) * pixelBytes
  if (shared?.state === 'hit') {
    // Whole rows in one go: a copy for each row would cost more than the columns that nobody wants.
    const [from, length] = [(part.top - ref.y) * rowBytes, part.rows * rowBytes]
    try {
      const at = kernels.memory.reserve(length)
      new Uint8Array(kernels.memory.buffer).set(shared.data.subarray(from, from + length), at)
      return { at: at + first - from, rowBytes }
    } finally {
      shared.release()
    }
  }
  try {
    const bytes = blocks.bytesOf(ref, kernels.memory)
    const block =
      type === 'mask'
        ? decodeMaskToMemory(kernels, bytes, ref, blocks.level)
        : decodeBlockToMemory(kernels, bytes, ref, blocks.level, type)
    if (shared) {
      shared.data.set(new Uint8Array(kernels.memory.buffer, block, shared.data.length))
      shared.publish()
    }
    return { at: block + first, rowBytes }
  } finally {
    shared?.abandon()
  }
}

/** To pick a sample costs as much as to copy this many with the rows around them. */
const copied_per_picked_sample = 6

/** True where few samples of the rows of a block are wanted, each of one to four bytes. */
function isSmallPart(filling: Filling, blocks: LoadedBlocks, ref: BlockRef, part: Overlap): boolean {
  if (filling.arrangement.verbatim || filling.sampleBytes === 8) return false
  const picked = part.columns * bandsIn(filling, blocks, ref).length
  return picked * copied_per_picked_sample < ref.shape.width * ref.shape.samples
}

/** Samples by their bytes, whatever their type is: bits are moved, not values. */
const sampleViews = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const

/** Copies the wanted bands of a part of a block that another thread has left, sample by sample. */
function pickBands(filling: Filling, blocks: LoadedBlocks, ref: BlockRef, shared: CachedBlock, part: Overlap): void {
  const { kernels, pixels, sampleBytes } = filling
  const { width, samples } = ref.shape
  const View = sampleViews[sampleBytes as 1 | 2 | 4]
  try {
    const { buffer, byteOffset, byteLength } = shared.data
    const source = new View(buffer as ArrayBuffer, byteOffset, byteLength / sampleBytes)
    const target = new View(kernels.memory.buffer)
    for (const [band, offset] of bandsIn(filling, blocks, ref)) {
      for (let row = 0; row < part.rows; row++) {
        let from = ((part.top - ref.y + row) * width + part.left - ref.x) * samples + (samples === 1 ? 0 : band)
        let to = pixels.at / sampleBytes + offset + cornerOf(filling, part.left, part.top + row)
        for (const end = to + part.columns; to < end; to++, from += samples) target[to] = source[from]!
      }
    }
  } finally {
    shared.release()
  }
}

/** The place of a pixel of the level among the samples of the window, in samples. */
function cornerOf({ window, pixels }: Filling, left: number, top: number): number {
  return (top - window[1]) * pixels.rowStride + (left - window[0]) * pixels.pixelStride
}

interface Overlap {
  readonly left: number
  readonly top: number
  readonly columns: number
  readonly rows: number
}

/** The pixels that a block and a window share, in pixels of the level. */
function overlapOf({ x, y, shape }: BlockRef, [x0, y0, x1, y1]: Window): Overlap {
  const left = Math.max(x0, x)
  const top = Math.max(y0, y)
  return { left, top, columns: Math.min(x1, x + shape.width) - left, rows: Math.min(y1, y + shape.height) - top }
}

function fillAbsent(filling: Filling, blocks: LoadedBlocks, ref: BlockRef): void {
  const { kernels, window, pixels, arrangement, absent } = filling
  const { left, top, columns, rows } = overlapOf(ref, window)
  const all = viewSamples(pixels.type, kernels.memory.buffer, pixels.at, arrangement.samples)
  const offsets = arrangement.verbatim ? [0] : bandsIn(filling, blocks, ref).map(([, offset]) => offset)
  for (const offset of offsets) {
    for (let row = 0; row < rows; row++) {
      const from = offset + cornerOf(filling, left, top + row)
      all.fill(absent, from, from + columns * pixels.pixelStride)
    }
  }
}

/** Alpha that hides its pixel. */
const transparentRange: NodataRange = { lowest: 0, highest: 0 }

/** The mask that the samples themselves make: by alpha, by nodata. */
function judge(
  { kernels, pixels, arrangement }: Filling,
  raster: Raster,
  level: RasterLevel,
  bands: readonly number[],
): KernelAddress {
  const alpha = findAlphaBand(raster, level)
  const colours = listBandsWithNodata(raster, level, bands)
  if (alpha === null && colours.length === 0) return 0
  const count = pixels.width * pixels.height
  const mask = kernels.memory.reserve(count)
  new Uint8Array(kernels.memory.buffer, mask, count).fill(255)
  const mark = (of: readonly number[], value: NodataRange | null): number =>
    kernels.markMissingPixels(mask, { ...pixels, bandOffsets: of.map((band) => arrangement.offsets.get(band)!) }, value)
  let holes = 0
  if (alpha !== null) holes = mark([alpha], transparentRange)
  if (colours.length > 0) holes = mark(colours, findNodataRange(raster))
  return holes === 0 ? 0 : mask
}

function gatherMask({ kernels, window }: Filling, blocks: LoadedBlocks): KernelAddress {
  const width = window[2] - window[0]
  const mask = kernels.memory.reserve(width * (window[3] - window[1]))
  for (const ref of blocks.refs) {
    const part = overlapOf(ref, window)
    const to = mask + (part.top - window[1]) * width + part.left - window[0]
    if (ref.length === 0) {
      const bytes = new Uint8Array(kernels.memory.buffer)
      for (let row = 0; row < part.rows; row++) bytes.fill(0, to + row * width, to + row * width + part.columns)
      continue
    }
    const mark = kernels.memory.mark()
    const { at, rowBytes } = takePart(kernels, blocks, ref, 'mask', part, blocks.share(ref))
    kernels.copyByteRows(to, width, at, rowBytes, part.columns, part.rows)
    kernels.memory.release(mark)
  }
  return mask
}
