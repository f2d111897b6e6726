import type { NodataRange } from '../../sample-types.ts'
import type { Resampling, SampleType } from '../../types.ts'

/** A byte position in the memory of the kernels. */
export type KernelAddress = number

/**
 * The one memory that kernels work on. It is allocated from the front and released as a stack: `mark` before a piece of
 * work, `release` after it. Growing replaces `buffer`, so a view is made anew after every `reserve`.
 */
export interface KernelMemory {
  readonly buffer: ArrayBuffer
  /** Reserves that many bytes at a multiple of 16, contents undefined. Ends with a `budget` failure beyond 1 GiB. */
  reserve(bytes: number): KernelAddress
  mark(): KernelAddress
  release(mark: KernelAddress): void
}

/** Pixels in the memory of the kernels; strides and offsets count samples. */
export interface KernelPixels {
  readonly type: SampleType
  readonly at: KernelAddress
  readonly width: number
  readonly height: number
  /** From one pixel to the next: 1 where every band is a plane of its own, else the samples a pixel. */
  readonly pixelStride: number
  readonly rowStride: number
  /** Offset of each band, counted from `at`. */
  readonly bandOffsets: readonly number[]
  /** One byte a pixel, row after row, 0 where the pixel is not valid; 0 (no address) where all are. */
  readonly mask: KernelAddress
}

/**
 * The positions of the pixels of an image in a source: exact positions (in pixels of the source, corners are whole) at the
 * nodes of a net, `spacing` pixels apart, between which they are interpolated along straight lines. With `spacing` 1 every
 * node is a pixel's own position. NaN: no position; every pixel of a cell that such a node belongs to is empty.
 */
export interface PositionGrid {
  /** 1, 2, 4, 8, 16 … pixels from node to node. */
  readonly spacing: number
  /** Nodes in a row: enough to lie on or beyond the last pixel, ceil((width - 1) / spacing) + 1. */
  readonly across: number
  readonly down: number
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Resamples `width` × `height` pixels of the target from the source, pixel (0, 0) at node (0, 0) of the grid. */
export interface WarpKernelJob {
  readonly source: KernelPixels
  readonly net: PositionGrid
  readonly resampling: Resampling
  /** WarpedImage pixels a source pixel, across and down (below 1 where the image shrinks); only kernels with weights ask. */
  readonly scale: readonly [x: number, y: number]
  /** Same sample type and as many bands as the source; its mask must be there, and is 0 where the source has no value. */
  readonly target: KernelPixels
}

/** Work on pixels, written twice: in WebAssembly for speed, in TypeScript to be read and compared with. */
export interface Kernels {
  readonly memory: KernelMemory

  /** Turns the bytes of `count` samples around, in place. */
  swapBytes(at: KernelAddress, count: number, sampleBytes: 2 | 4 | 8): void
  /** Undoes horizontal differencing in place (TIFF predictor 2; a whole number of the sample's size even for floats). */
  undoPredictor2(at: KernelAddress, rows: number, rowSamples: number, stride: number, sampleBytes: 1 | 2 | 4 | 8): void
  /** Undoes floating-point differencing in place (TIFF Technical Note 3): big-endian byte planes to samples. */
  decodePredictor3(at: KernelAddress, rows: number, rowSamples: number, stride: number, sampleBytes: 2 | 4 | 8): void
  applyPredictor2(at: KernelAddress, rows: number, rowSamples: number, stride: number, sampleBytes: 1 | 2 | 4 | 8): void
  encodePredictor3(at: KernelAddress, rows: number, rowSamples: number, stride: number, sampleBytes: 2 | 4 | 8): void
  /** Spreads rows of one-bit samples (high bit first, rows begin on a byte) over bytes of 0 and 255. */
  expandBitsToBytes(to: KernelAddress, from: KernelAddress, rows: number, rowSamples: number): void
  copyByteRows(
    to: KernelAddress,
    toRowBytes: number,
    from: KernelAddress,
    fromRowBytes: number,
    rowBytes: number,
    rows: number,
  ): void
  /**
   * Copies one band of `width` × `rows` pixels; strides count samples. With `toPixel` 1 it takes a band out of
   * interleaved pixels, with `fromPixel` 1 it puts one in.
   */
  copyBand(
    to: KernelAddress,
    toPixel: number,
    toRow: number,
    from: KernelAddress,
    fromPixel: number,
    fromRow: number,
    width: number,
    rows: number,
    sampleBytes: 1 | 2 | 4 | 8,
  ): void
  /**
   * Writes 0 into the mask where all bands of a pixel are missing: nodata, or NaN. The range of nodata
   * is one of the samples' type (`computeNodataRange`). Answers how many pixels of the mask are 0 afterwards.
   */
  markMissingPixels(mask: KernelAddress, pixels: KernelPixels, nodata: NodataRange | null): number
  /** Resamples. The rules are those of gdalwarp; see `notes` in the reference. */
  warp(job: WarpKernelJob): void
  /**
   * Halves interleaved or planar pixels into `target` (2 × 2, fewer at an odd edge), every band by the mean of its samples
   * that are neither masked nor nodata nor NaN, rounded half up for integers; where none is, the first of the four. A mean
   * of valid samples that equals nodata moves one step away from it. The masks of both, if any, are not written.
   */
  halveMean(target: KernelPixels, source: KernelPixels, nodata: NodataRange | null): void
  /**
   * Inflates a zlib stream of `fromBytes` (RFC 1950) into at most `toBytes` elsewhere and answers how many bytes came out;
   * what of `toBytes` lies beyond them is undefined. A stream that is damaged, ends too early or holds more is a `damaged` failure.
   */
  inflate(to: KernelAddress, toBytes: number, from: KernelAddress, fromBytes: number): number
  /** The PNG filter Up for rows of bytes (Sub in the first row), each with its filter byte: rows × (1 + rowBytes) bytes. */
  filterUp(to: KernelAddress, from: KernelAddress, rowBytes: number, rows: number, pixelBytes: number): void
}
