import type { Affine } from '@swath/geo/affine.ts'

/** A random-access byte source. `read` may return fewer bytes only at the end of the file. */
export interface RasterByteSource {
  readonly id: string
  readonly size: number | undefined
  /** ETag of the content, if the origin has one. */
  readonly etag?: string
  /** Path of a local file, so that another thread can open it. */
  readonly path?: string
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>
  /** Fills `into` from `offset` and returns the number of bytes read; only for sources that can be read synchronously. */
  readSync?(offset: number, into: Uint8Array): number
  close(): Promise<void>
}

export type SampleType = 'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'float32' | 'float64'

export type SampleArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array

/** Why a reference system cannot be put on the map of the Earth. */
export interface UnmappableCrs {
  /** Names the unsupported part. */
  readonly refusal: string
  /** No transformation brings what lies there to the Earth. */
  readonly isOfOtherBody?: boolean
}

/**
 * A coordinate reference system as read from the file, with its proj4 definition. `refusal` says why there is none; absent if the
 * file has no reference system.
 */
export interface Crs extends Partial<UnmappableCrs> {
  readonly epsg: number | null
  /** proj4 text; null where the file has no usable reference. */
  readonly proj4: string | null
  readonly name: string
  readonly geographic: boolean
}

export interface BandInfo {
  /** Description from the file, else null. */
  readonly name: string | null
  /** gray, red, green, blue, alpha, palette or undefined. */
  readonly colour: string
  readonly scale: number
  readonly offset: number
  /** Unit of value × scale + offset (GDAL's unit type), else null. */
  readonly unit?: string | null
  readonly statistics: BandStatistics | null
}

export interface BandStatistics {
  readonly minimum: number
  readonly maximum: number
  readonly mean: number
  readonly stddev: number
  readonly valid_percent: number
  readonly p2: number | null
  readonly p98: number | null
}

/** One resolution of the image: the full one (index 0) or an overview. */
export interface RasterLevel {
  readonly index: number
  readonly width: number
  readonly height: number
  readonly block: readonly [width: number, height: number]
  readonly compression: number
  readonly predictor: number
  readonly planar: 1 | 2
  readonly photometric: number
  readonly mask: RasterLevel | null
  readonly storage: LevelBlockLayout
}

/** A run of numbers in the file that is fetched only when needed: `offset` is the position of the first one. */
export interface DeferredNumberList {
  readonly offset: number
  /** The TIFF field type: 3 short, 4 long, 16 long8. */
  readonly type: number
  readonly count: number
}

/** Storage of one level in the file: the parameters for reading a block beyond the shape of the level. */
export interface LevelBlockLayout {
  readonly littleEndian: boolean
  readonly bitsPerSample: number
  readonly samplesPerPixel: number
  /** 1 unsigned, 2 signed, 3 floating point. */
  readonly sampleFormat: 1 | 2 | 3
  /** Blocks across and down; with planar 2 every band has as many again. */
  readonly columns: number
  readonly rows: number
  /** Strips end with the image; tiles are stored whole. */
  readonly striped: boolean
  /** Bits of a byte run from the low end (FillOrder 2). */
  readonly reversedBits: boolean
  readonly offsets: DeferredNumberList
  readonly byteCounts: DeferredNumberList | null
  readonly jpegTables: Uint8Array | null
  /** The compression around LERC: 0 none, 1 deflate, 2 zstd. */
  readonly lercWrapping: number
  /** Of a JPEG 2000 image, whose blocks are its tiles; null in a TIFF. */
  readonly jpeg2000: Jpeg2000Storage | null
}

/** Parameters that locate and decode the tiles of a JPEG 2000 image. */
export interface Jpeg2000Storage {
  /** The main header, without markers that one tile alone does not need. The same array in all levels. */
  readonly header: Uint8Array
  /** Number of times that this level is halved (resolution reduction). */
  readonly reduce: number
  /** Offset of the first tile-part in the file, and the end of the last one (null: end of the file). */
  readonly start: number
  readonly end: number | null
  /** The tile-parts in order, if the file lists them; otherwise they are scanned when first needed. */
  readonly parts: readonly { readonly tile: number; readonly length: number }[] | null
  /** Upper bound of the bytes of a tile; more indicates a damaged file. */
  readonly maxTileBytes: number
}

/** An opened raster as plain values; the file's own structures stay behind `source`. */
export interface Raster {
  readonly source: RasterByteSource
  /** Source of an external mask file. */
  readonly maskSource?: RasterByteSource
  /** Source of an external overview file, which holds all levels but the full one. */
  readonly overviewSource?: RasterByteSource
  /** Source of the overviews of an external mask. */
  readonly maskOverviewSource?: RasterByteSource
  /** Unique number by which threads share decoded blocks; without it they are not shared. */
  readonly fileId?: number
  readonly sampleType: SampleType
  readonly bands: readonly BandInfo[]
  readonly levels: readonly RasterLevel[]
  /** Pixel corner to coordinates of the reference system, for the full level. */
  readonly affine: Affine
  readonly crs: Crs
  readonly nodata: number | null
  /** 0-based index of an alpha band, if any. */
  readonly alphaBand: number | null
  /** Colours of a palette as r, g, b in 0..255, one triple per index; null if the samples are not palette indices. */
  readonly palette: Uint8Array | null
  /** False if the file has no usable georeferencing: `affine` is then the identity. */
  readonly georeferenced: boolean
  readonly georeferencing: Georeferencing
  /** The three GeoTIFF tags as in the file, so that a copy on the same grid preserves them verbatim. */
  readonly geoTags: GeoTags
  readonly metadata: Readonly<Record<string, string>>
  readonly width: number
  readonly height: number
}

/** Georeferencing of an image: an affine grid, a plane fitted to ground control points, or none. */
export type Georeferencing =
  | { readonly by: 'grid' }
  | { readonly by: 'control-points'; readonly points: number; readonly residual_px: number }
  | { readonly by: 'nothing'; readonly reason: string }

export interface GeoTags {
  readonly keyDirectory: readonly number[] | null
  readonly doubles: readonly number[] | null
  readonly ascii: string | null
}

export interface WindowRequest {
  /** Index into `levels`; default 0, the full one. */
  readonly level?: number
  /** Pixel edges of that level, integers inside the image: [left, top, right, bottom). */
  readonly window: readonly [x0: number, y0: number, x1: number, y1: number]
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Maximum decoded bytes of the result and its blocks; more is a `budget` failure. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

/** Pixels in memory, band after band (planar): sample of band b at (x, y) is data[b * width * height + y * width + x]. */
export interface PixelBlock {
  readonly width: number
  readonly height: number
  readonly bands: number
  readonly data: SampleArray
  /** One byte a pixel: 255 valid, 0 not. */
  readonly mask: Uint8Array
}

/** Pixels in memory, all bands of a pixel together, rows from the top. */
export interface PixelRows {
  readonly width: number
  readonly rows: number
  readonly bands: number
  readonly data: SampleArray
  /** One byte a pixel: 255 valid, 0 not; null where all are valid. */
  readonly mask: Uint8Array | null
}

export type Resampling = 'nearest' | 'bilinear' | 'cubic' | 'average'

export interface TileRequest {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly size: 256 | 512
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  readonly resampling?: Resampling
  /** Maximum decoded bytes of the tile; more is a `budget` failure. Default 64 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}
