/** A product's price: credits per square kilometre of what is asked for, at least `minimum_km2`. */
export interface HostPrice {
  readonly product: string
  readonly rate_credits: number
  readonly minimum_km2: number
  /** The day from which the price holds, `YYYY-MM-DD`, where the host dates its prices. */
  readonly valid_from?: string
  readonly licences: readonly string[]
}

export interface HostCollection {
  readonly id: string
  readonly title: string
  readonly data_type: string
  readonly render_strategy: string
  readonly gsd: number | null
  readonly render_params: Readonly<Record<string, unknown>>
  /** An SPDX id, or the name that its owner gives it; what is sold has the licences of its price instead. */
  readonly license: string
  /** A public page with the text of the licence, or of the policy behind it. */
  readonly license_url: string
  /** The notice to keep with every scene; `{year}` stands for the year of the scene. */
  readonly attribution: string
  /** Null where the collection is free. */
  readonly price: HostPrice | null
  /** Property names beyond the common ones that `query` may filter on. */
  readonly queryables: readonly string[]
}

/** One scene of a host's catalogue. */
export interface HostScene {
  readonly id: string
  readonly collection: string
  readonly geometry: { readonly type: 'Polygon' | 'MultiPolygon'; readonly coordinates: unknown }
  readonly bbox: readonly [number, number, number, number]
  readonly datetime: string
  readonly properties: Readonly<Record<string, unknown>>
}

export interface PropertyBounds {
  readonly GT?: number | string
  readonly GTE?: number | string
  readonly LT?: number | string
  readonly LTE?: number | string
  readonly EQ?: number | string
}

export interface HostSearch {
  readonly collections?: readonly string[]
  readonly ids?: readonly string[]
  readonly bbox?: readonly number[]
  readonly intersects?: { readonly type: string; readonly coordinates: unknown }
  /** Inclusive ends; null is open. */
  readonly from?: Date | null
  readonly to?: Date | null
  /** Bounds by canonical property name (`eo:cloud_cover`, `gsd`, …). */
  readonly query?: Readonly<Record<string, PropertyBounds>>
  readonly limit: number
  /** Continue after this scene in newest-first order. */
  readonly after?: { readonly datetime: string; readonly id: string }
}

export interface PlacedWithHost {
  /** The host's own reference of the order. */
  readonly reference: string
}

/** One band of a file, in the file's order. */
export interface HostBand {
  readonly name: string
  /** `red`, `nir`, … (STAC eo); null where none fits. */
  readonly common_name: string | null
  /** True for classes and flags, which must never be averaged. */
  readonly categorical?: boolean
  /** Physical value = sample × scale + offset, where the host states it. */
  readonly scale?: number
  readonly offset?: number
}

/** One file that a host hands over. Several files of one `asset` are bands on one grid and become one GeoTIFF. */
export interface HostFile {
  readonly scene: string
  readonly asset: string
  readonly file_name: string
  readonly size: number
  readonly sha256: string | null
  readonly bands: readonly HostBand[]
  /** The value that means "nothing here", where the file itself does not say so. */
  readonly nodata?: number
  /** Writes the bytes to a local path; the caller checks size and checksum. */
  download(localPath: string, signal: AbortSignal): Promise<void>
}

export type HostDelivery =
  | { readonly state: 'waiting' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'ready'; readonly files: readonly HostFile[] }

/** Thrown by `place` when the host will never take the order; any other failure is tried again. */
export class HostRefusal extends Error {}

/** What the platform asks of somebody's catalogue. Every method may throw; nothing here is called inside a transaction. */
export interface ImageryHost {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly access_model: 'open' | 'commercial'
  readonly scope: string
  readonly countries: readonly string[]
  readonly attribution: string
  readonly license: string
  /** As that of a collection, for scenes of none. */
  readonly license_url: string
  readonly providers: readonly { readonly name: string; readonly roles: readonly string[]; readonly url?: string }[]
  readonly collections: readonly HostCollection[]
  /** True where a delivery may take hours, because the host must fetch or acquire first. */
  readonly delivers_later: boolean
  search(search: HostSearch, signal?: AbortSignal): Promise<readonly HostScene[]>
  /** A small picture of a scene; null where the host knows no such scene. */
  quicklook(scene: string, signal?: AbortSignal): Promise<{ bytes: Uint8Array; media_type: string } | null>
  place(order: { id: string; scenes: readonly string[] }, signal?: AbortSignal): Promise<PlacedWithHost>
  deliveries(reference: string, signal?: AbortSignal): Promise<HostDelivery>
}
