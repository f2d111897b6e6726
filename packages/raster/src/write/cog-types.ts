import type { BandStatistics, PixelBlock, SampleType } from '../types.ts'
import type { CogBand } from './band-metadata.ts'
import type { CogCompression } from './compress.ts'
import type { Placement } from './geo-fields.ts'
import type { OverviewResampling } from './overview.ts'

/** An image to be written, asked for from the top downwards, each row once. */
export interface CogInput {
  readonly width: number
  readonly height: number
  readonly sampleType: SampleType
  readonly bands: readonly CogBand[]
  readonly nodata: number | null
  /** True when the blocks' masks say more than nodata or an alpha band do: they are then written as an internal mask. */
  readonly masked: boolean
  /** Colours of a single band of indices, three bytes each. */
  readonly palette?: Uint8Array | null
  /** Samples of a gray image where 0 is white (TIFF photometric 0). */
  readonly whiteIsZero?: boolean
  readonly placement: Placement
  /** Facts of the file as a whole, kept as GDAL metadata. */
  readonly metadata?: Readonly<Record<string, string>>
  /** All bands of `rows` full-width rows from row `top` on. */
  readonly readRows: (top: number, rows: number) => Promise<PixelBlock>
}

export interface CogOptions {
  /** Default deflate, which every reader knows. */
  readonly compression?: CogCompression
  /** Compression effort; default 3 for both compressions. */
  readonly level?: number
  /** False stores samples as they are; default true, except for palettes. */
  readonly predictor?: boolean
  /** Side of a block in pixels; default 512, less where rows are so long that memory would suffer. */
  readonly block?: 128 | 256 | 512
  /** How overviews are made, for all bands or band after band; default average, and mode for palettes. */
  readonly overviews?: OverviewResampling | readonly OverviewResampling[]
  /** True writes BigTIFF even where classic TIFF would do. */
  readonly bigTiff?: boolean
  readonly signal?: AbortSignal
}

export interface CogResult {
  readonly path: string
  readonly size_bytes: number
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string
  /** Band after band; percentiles are exact up to 16 bits and up to a million values, else of an even sample. */
  readonly statistics: readonly BandStatistics[]
  /** Full resolution first, then the overviews. */
  readonly levels: readonly { readonly width: number; readonly height: number }[]
  readonly block: number
  readonly bigTiff: boolean
}
