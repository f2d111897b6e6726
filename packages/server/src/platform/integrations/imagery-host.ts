import type { RasterClass } from './classification-classes.ts'
import type { CancelPolicy, HostOrderReference, HostQuicklook, HostPrice, HostScene } from './host-types.ts'
import type { SafeFetch } from './safe-fetch-types.ts'
import type { TaskingHost } from './tasking-host.ts'

export type { CancelPolicy, HostGrid, HostOrderReference, HostQuicklook, HostPrice, HostScene } from './host-types.ts'

export const defaultCancelPolicy: CancelPolicy = { cancellable_until: 'PLACED', fee_pct: 0 }

/** A version of a licence agreement. */
export interface HostEulaDocument {
  readonly version: string
  /** The time from which it replaces the previous version. */
  readonly valid_from: Date
  readonly language: string
  readonly media_type: string
  /** The text, or the URL of the text if the media type is `text/uri-list`. */
  readonly content: string
}

/** A licence agreement that an organization accepts before it orders. */
export interface HostEula {
  readonly name: string
  readonly title: string
  readonly documents: readonly HostEulaDocument[]
}

export interface HostCollection {
  readonly id: string
  readonly title: string
  /** `TASKING`: its scenes are acquired on order (`TaskingHost.products`) and search finds none. Default `ARCHIVE`. */
  readonly type?: 'ARCHIVE' | 'TASKING'
  readonly data_type: string
  readonly render_strategy: string
  readonly gsd: number | null
  readonly render_params: Readonly<Record<string, unknown>>
  /** An SPDX id, or the name that the owner uses; products for sale have the licences of their price instead. */
  readonly license: string
  /** A public page with the text of the licence or of the underlying policy. */
  readonly license_url: string
  /** The attribution to keep with every scene; `{year}` is replaced by the year of the scene. */
  readonly attribution: string
  /** Null if the collection is free. */
  readonly price: HostPrice | null
  /** The name of the licence agreement to accept before an order; absent or null: that of the host. */
  readonly eula?: string | null
  /** Property names that `query` may filter on in addition to the common ones. */
  readonly queryables: readonly string[]
}

export interface HostSearchPropertyBounds {
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
  /** Inclusive; null is open-ended. */
  readonly from?: Date | null
  readonly to?: Date | null
  /** Bounds by canonical property name (`eo:cloud_cover`, `gsd`, …). */
  readonly query?: Readonly<Record<string, HostSearchPropertyBounds>>
  readonly limit: number
  /** Continues after this scene, newest first. */
  readonly after?: { readonly datetime: string; readonly id: string }
}

/** One band of a file, in file order. */
export interface HostBand {
  readonly name: string
  /** `red`, `nir`, … (STAC eo); null if none applies. */
  readonly common_name: string | null
  /** True for classes and flags, which must never be averaged. */
  readonly categorical?: boolean
  readonly classes?: readonly RasterClass[]
  /** Physical value = sample × scale + offset, if the host states it. */
  readonly scale?: number
  readonly offset?: number
}

/** The location of the bytes of a file: on this machine, in a bucket of the operator, or on a server. */
export type HostFileLocation =
  | { readonly kind: 'local'; readonly path: string; readonly version: string }
  /** `id` and `version` change with the bytes; `read` may return fewer bytes only at the end. */
  | {
      readonly kind: 'object'
      readonly id: string
      readonly version: string
      readonly size: number
      read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>
    }
  /** `fetch` may only reach what the host may, and authorizes its requests. */
  | { readonly kind: 'remote'; readonly url: string; readonly fetch: SafeFetch }

/** One file that a host delivers. Several files with the same `asset` are bands on one grid and become one GeoTIFF. */
export interface HostFile {
  readonly scene: string
  readonly asset: string
  readonly file_name: string
  /** Null if the host does not state it. */
  readonly size: number | null
  readonly sha256: string | null
  readonly bands: readonly HostBand[]
  /** The nodata value, if the file itself does not declare one. */
  readonly nodata?: number
  /** The media type of a file that is delivered unchanged, such as metadata. Absent: the file is a raster. */
  readonly document_type?: string
  /** The location for reading the file by ranges if only a part is delivered. Absent: it has to be downloaded. */
  readonly location?: Extract<HostFileLocation, { readonly kind: 'remote' }>
  /** Downloads the file to a local path; the caller checks size and checksum. */
  download(localPath: string, signal: AbortSignal): Promise<void>
}

/** A file of a scene that can be read in place, by ranges, without being ordered. */
export interface HostSceneFile {
  /** The key of the asset; files of one asset share a grid. */
  readonly asset: string
  /** Empty if the host does not describe them. */
  readonly bands: readonly HostBand[]
  /** The nodata value, if the file itself does not declare one. */
  readonly nodata: number | null
  readonly location: HostFileLocation
}

export interface HostSceneFiles {
  readonly scene: HostScene
  /** Empty if the files can only be delivered as a whole. */
  readonly files: readonly HostSceneFile[]
  /** Files beside those that are delivered: cloud masks, and images on a grid of their own. Absent: none. */
  readonly auxiliary?: readonly HostSceneFile[]
  /** True if `quicklook` would only be made from these files: its brightness says nothing. Absent: it is of the host. */
  readonly has_made_quicklook?: boolean
}

export type HostOrderDelivery =
  /** `ready_at`: when the delivery will be there, if the host knows. */
  | { readonly state: 'waiting'; readonly ready_at?: Date }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'ready'; readonly files: readonly HostFile[] }

/** Thrown by `place` of a host and `placeTask` of its tasking if the host rejects the order permanently; any other error is retried. */
export class HostRefusal extends Error {
  /** The reason code of STAPI, such as `competition` or `invalid_geometry`; null without one. */
  readonly reason_code: string | null
  constructor(message: string, reason_code: string | null = null) {
    super(message)
    this.reason_code = reason_code
  }
}

/** A catalogue of an imagery provider. Every method may throw; none is called inside a transaction. */
export interface ImageryHost {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly access_model: 'open' | 'commercial'
  readonly scope: string
  readonly countries: readonly string[]
  readonly attribution: string
  readonly license: string
  /** Like that of a collection, for scenes without a collection. */
  readonly license_url: string
  readonly providers: readonly { readonly name: string; readonly roles: readonly string[]; readonly url?: string }[]
  /** The collections that were read last; empty until `check` has read them, if the host has to be queried. */
  readonly collections: readonly HostCollection[]
  /** The licence agreements of the host; absent: none. */
  readonly eulas?: readonly HostEula[]
  /** The name of the agreement for collections that name none; absent or null: they need none. */
  readonly eula?: string | null
  /** True if `place` orders from a provider that charges for it: sandbox organizations cannot. Absent: it does not. */
  readonly orders_for_money?: boolean
  /** True if a delivery may take hours, because the host must retrieve or acquire the scene first. */
  readonly delivers_later: boolean
  /** Reads `collections` if they are unknown or out of date; throws if the host does not respond. Absent: it always does. */
  readonly check?: (signal?: AbortSignal) => Promise<void>
  search(search: HostSearch, signal?: AbortSignal): Promise<readonly HostScene[]>
  /** A small preview image of a scene; null if the host does not know the scene. */
  quicklook(scene: string, signal?: AbortSignal): Promise<HostQuicklook | null>
  /** The same, smaller; absent: the quicklook is small enough. */
  readonly thumbnail?: ImageryHost['quicklook']
  /** A scene and its files; null if the host does not know the scene. Absent: files cannot be read in place. */
  readonly sceneFiles?: (scene: string, signal?: AbortSignal) => Promise<HostSceneFiles | null>
  place(order: { id: string; scenes: readonly string[] }, signal?: AbortSignal): Promise<HostOrderReference>
  deliveries(reference: string, signal?: AbortSignal): Promise<HostOrderDelivery>
  /** Withdraws an accepted order; throws `HostRefusal` if it is too late. Absent: the host cannot. Safe to repeat. */
  cancel?(reference: string, signal?: AbortSignal): Promise<void>
  /** Acquires new images on order. Absent: the host sells scenes of its archive only. */
  readonly tasking?: TaskingHost
}
