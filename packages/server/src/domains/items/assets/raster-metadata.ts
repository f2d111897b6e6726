import type { BandStatistics } from '@swath/raster'
import type { RasterClass } from '../../../platform/integrations/classification-classes.ts'

export interface RasterBandMetadata {
  readonly name: string | null
  /** Common name of the STAC eo extension, such as `red`. */
  readonly common_name: string | null
  /** Color interpretation of the file: gray, red, green, blue, alpha, palette or undefined. */
  readonly colour: string
  readonly scale: number
  readonly offset: number
  /** `p2` and `p98` are the values below which 2 and 98 per cent of the pixels lie. */
  readonly statistics: BandStatistics | null
  /** The supplier of the file declares its values as classes. */
  readonly categorical?: boolean
  /** The meaning and the colour of each value, from a palette of the file or from STAC. */
  readonly classes?: readonly RasterClass[]
}

/** Raster metadata, stored as JSON with the asset; text for numbers that JSON cannot represent. */
export interface RasterMetadata {
  readonly width: number
  readonly height: number
  readonly data_type: string
  readonly nodata: number | 'nan' | 'inf' | '-inf' | null
  readonly epsg: number | null
  readonly crs_name: string
  /** The CRS as PROJJSON if it has no EPSG code. */
  readonly projjson: Readonly<Record<string, unknown>> | null
  /** `proj:transform`: pixel width, rotation, left, rotation, negative pixel height, top. */
  readonly transform: readonly number[]
  /** Left, bottom, right, top in the CRS of the raster. */
  readonly box: readonly number[]
  /** West, south, east, north in degrees; west is greater than east if it crosses the antimeridian. */
  readonly bounds: readonly number[]
  readonly overviews: number
  readonly bands: readonly RasterBandMetadata[]
}

/** Band names for users and formulas: the name in the file, else `b1`, `b2`, … */
export const resolveBandNames = (metadata: RasterMetadata): string[] =>
  metadata.bands.map((band, index) => band.name ?? `b${index + 1}`)
