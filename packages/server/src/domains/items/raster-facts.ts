import type { BandStatistics } from '@swath/raster'

export interface BandFacts {
  readonly name: string | null
  /** The name that the STAC eo extension knows, such as `red`. */
  readonly common_name: string | null
  /** gray, red, green, blue, alpha, palette or undefined: what the file says. */
  readonly colour: string
  readonly scale: number
  readonly offset: number
  /** `p2` and `p98` are the values below which 2 and 98 per cent of the pixels lie. */
  readonly statistics: BandStatistics | null
  /** Its values are classes, by the word of whoever gave the file. */
  readonly categorical?: boolean
}

/** What is known of a stored raster without opening it; kept as JSON with the asset, hence text for what JSON has no number for. */
export interface RasterFacts {
  readonly width: number
  readonly height: number
  readonly data_type: string
  readonly nodata: number | 'nan' | 'inf' | '-inf' | null
  readonly epsg: number | null
  readonly crs_name: string
  /** The reference system as PROJJSON, where it has no EPSG code. */
  readonly projjson: Readonly<Record<string, unknown>> | null
  /** Pixel to world in the order of STAC: width, rotation, left, rotation, negative height, top. */
  readonly transform: readonly number[]
  /** Left, bottom, right, top in the raster's own reference system. */
  readonly box: readonly number[]
  /** West, south, east, north in degrees; west is greater than east across the antimeridian. */
  readonly bounds: readonly number[]
  readonly overviews: number
  readonly bands: readonly BandFacts[]
}

/** The names of the bands for people and formulas: the given one, else `b1`, `b2`, … */
export const bandNamesOf = (facts: RasterFacts): string[] =>
  facts.bands.map((band, index) => band.name ?? `b${index + 1}`)
