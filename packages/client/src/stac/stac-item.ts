import type { StacAsset, StacItem, StacLink } from '../operations.ts'

/** A band of `eo:bands` or `raster:bands`. */
export interface StacBand {
  readonly name?: string
  readonly common_name?: string
  readonly center_wavelength?: number
  readonly data_type?: string
  readonly nodata?: number | string | null
  readonly scale?: number
  readonly offset?: number
  readonly unit?: string
  readonly [other: string]: unknown
}

/** Properties of STAC and of the extensions that the platform writes: eo, view, proj, sar; others keep their names. */
export interface StacProperties {
  /** RFC 3339; null if there are `start_datetime` and `end_datetime`. */
  readonly datetime?: string | null
  readonly start_datetime?: string
  readonly end_datetime?: string
  readonly platform?: string
  readonly constellation?: string
  readonly instruments?: string[]
  /** Metres. */
  readonly gsd?: number
  /** Per cent. */
  readonly 'eo:cloud_cover'?: number
  readonly 'eo:snow_cover'?: number
  /** Degrees. */
  readonly 'view:off_nadir'?: number
  readonly 'view:azimuth'?: number
  readonly 'view:incidence_angle'?: number
  readonly 'view:sun_azimuth'?: number
  readonly 'view:sun_elevation'?: number
  readonly 'proj:epsg'?: number | null
  readonly 'proj:code'?: string | null
  readonly 'sar:polarizations'?: string[]
  readonly 'sar:product_type'?: string
  readonly [other: string]: unknown
}

/** An asset with the members of the extensions file, eo, raster and proj. */
export interface TypedStacAsset extends StacAsset {
  readonly 'file:size'?: number
  /** A multihash in hexadecimal. */
  readonly 'file:checksum'?: string
  readonly 'eo:bands'?: StacBand[]
  readonly 'raster:bands'?: StacBand[]
  readonly 'proj:shape'?: number[]
  readonly 'proj:transform'?: number[]
  readonly [other: string]: unknown
}

/** An item whose properties and assets have their types. */
export type TypedStacItem = Omit<StacItem, 'properties' | 'assets' | 'links'> & {
  readonly properties: StacProperties
  readonly assets: Record<string, TypedStacAsset>
  readonly links: (StacLink & { readonly [other: string]: unknown })[]
}

/** Tells the types of an item of `items.get_stac`, `stac.search` and the like; it changes nothing. */
export const typeStacItem = (item: StacItem): TypedStacItem => item as unknown as TypedStacItem

/** The assets of an item that have a role, such as `data` or `thumbnail`, by key. */
export const listAssetsByRole = (item: Pick<TypedStacItem, 'assets'>, role: string): [string, TypedStacAsset][] =>
  Object.entries(item.assets).filter(([, { roles = [] }]) => roles.includes(role))
