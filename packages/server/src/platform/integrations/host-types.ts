/** The price of a product: credits per square kilometre of the ordered area, at least `minimum_km2`. */
export interface HostPrice {
  readonly product: string
  readonly rate_credits: number
  readonly minimum_km2: number
  /** The date from which the price is valid, `YYYY-MM-DD`, if the host states one. */
  readonly valid_from?: string
  readonly licences: readonly string[]
  /** The version of the product that sets minimum and licences; absent: the host declares them. */
  readonly product_version?: number
  /** Absent: an order cannot be cancelled once the host has accepted it. */
  readonly cancel_policy?: CancelPolicy
}

/** Until when an order of a product can be cancelled, and what that costs once its host has accepted it. */
export interface CancelPolicy {
  /** The status from which on it cannot be cancelled any more. */
  readonly cancellable_until: 'PLACED' | 'BEING_FULFILLED'
  /** Per cent of the price, 0 to 100. */
  readonly fee_pct: number
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

export interface HostOrderReference {
  /** The host's own reference for the order. */
  readonly reference: string
}

/** A rectangle in a reference system: where the pixels of a file lie. */
export interface HostGrid {
  readonly epsg: number
  /** Top left, top right, bottom right and bottom left, in the units of the reference system. */
  readonly corners: readonly [GridCorner, GridCorner, GridCorner, GridCorner]
}

type GridCorner = readonly [x: number, y: number]

/** A small image of a scene. */
export interface HostQuicklook {
  readonly bytes: Uint8Array
  readonly media_type: string
  /** The grid of the image by its own metadata. */
  readonly grid?: HostGrid
  /** The grid of the files of the scene, and of the image if it has the same aspect ratio. */
  readonly scene_grid?: HostGrid
  /** True if it was made here and stretched to its own darkest and brightest pixels, so that brightness says nothing. */
  readonly is_stretched?: boolean
}
