import type { BandStatistics, PixelRows, SampleType } from '../../types.ts'
import type { CogBand } from './band-metadata.ts'
import type { CogCompression } from './packing.ts'
import type { CogGeoreferencing } from './geo-fields.ts'
import type { OverviewResampling } from './downsample.ts'

/** An image to be written, read from top to bottom, each row once. */
export interface CogInput {
  readonly width: number
  readonly height: number
  readonly sampleType: SampleType
  readonly bands: readonly CogBand[]
  readonly nodata: number | null
  /** True if the rows' masks are not implied by nodata or an alpha band: they are then written as an internal mask. */
  readonly masked: boolean
  /** Colours of a single band of indices, three bytes each. */
  readonly palette?: Uint8Array | null
  /** Samples of a gray image where 0 is white (TIFF photometric 0). */
  readonly whiteIsZero?: boolean
  readonly georeferencing: CogGeoreferencing
  /** Metadata of the file, written as GDAL metadata. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Sentences for the user about what the image does not hold, or how it was made. */
  readonly notes?: readonly string[]
  /** All bands of `rows` full-width rows from row `top` on. The answer is read before the next call, which may reuse it. */
  readonly readRows: (top: number, rows: number) => Promise<PixelRows>
}

export interface CogOptions {
  /** Default deflate, which every reader knows. JPEG and WebP take images of bytes only. */
  readonly compression?: CogCompression
  /** Effort of deflate (1 to 9, default 2) and zstd (1 to 22, default 3). */
  readonly level?: number
  /** Of JPEG and lossy WebP, 1 to 100; default 75. */
  readonly quality?: number
  /** WebP keeps every sample; default false. */
  readonly lossless?: boolean
  /** False stores samples as they are; default true, except for palettes. */
  readonly predictor?: boolean
  /** Side of a block in pixels; default 512, less for rows so long that a row of blocks would take much memory. */
  readonly block?: 128 | 256 | 512
  /** Resampling of overviews unless a band specifies it, for all bands or per band; default average, for palettes mode. */
  readonly overviews?: OverviewResampling | readonly OverviewResampling[]
  /** True leaves out blocks that hold nothing but nodata (without such a value: zeros) and are masked, if there is a mask. */
  readonly sparse?: boolean
  /** True writes BigTIFF even where classic TIFF would do. */
  readonly bigTiff?: boolean
  readonly signal?: AbortSignal
}

export interface CogResult {
  readonly path: string
  readonly size_bytes: number
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string
  /**
   * Band after band, of the image as it was passed; percentiles are exact up to 16 bits and up to a million values,
   * else of an even sample.
   */
  readonly statistics: readonly BandStatistics[]
  /** Full resolution first, then the overviews. */
  readonly levels: readonly { readonly width: number; readonly height: number }[]
  readonly block: number
  readonly bigTiff: boolean
  /** Those of the image. */
  readonly notes: readonly string[]
}
