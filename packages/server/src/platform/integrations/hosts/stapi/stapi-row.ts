import type { SafeFetch } from '../../integrations.ts'
import type { TaskingProduct, TaskingSensorDescription } from '../../tasking-host.ts'
import type { Clock } from '../../../clock.ts'
import type { HostMetadata } from '../archive/archive-host.ts'

/** Constraints of a task by the name of the queryable that takes each. */
export const taskingConstraintNames = ['max_cloud_pct', 'max_off_nadir_deg', 'min_sun_elevation_deg'] as const
export type TaskingConstraintName = (typeof taskingConstraintNames)[number]

/** The operator's terms for a product of a provider, since STAPI has no prices, licences and cancellation rules. */
export interface StapiProductRow extends Omit<TaskingProduct, 'title' | 'description'> {
  /** Null for those of the provider. */
  readonly title: string | null
  readonly description: string | null
  /** Queryables with other names than the standard ones. */
  readonly queryables: Readonly<Partial<Record<TaskingConstraintName, string>>>
  /** Sent with every order, such as where to deliver to. */
  readonly order_parameters: Readonly<Record<string, unknown>>
  /** The order parameter that takes our id of the order, if the provider has one. */
  readonly reference_parameter: string | null
}

/** A STAPI provider as a host: an entry of the operator's file. */
export interface StapiHostRow extends HostMetadata {
  readonly url: string
  readonly signing: 'none' | 'bearer'
  /** Origins besides that of `url` which receive the token. */
  readonly token_origins: readonly string[]
  readonly allow_private: boolean
  readonly private_origins: readonly string[]
  readonly sensors: readonly TaskingSensorDescription[]
  readonly products: readonly StapiProductRow[]
  /** Only these assets of delivered items; null for the GeoTIFF files with data. */
  readonly asset_keys: readonly string[] | null
  /** Seconds between two requests for the status of an order. */
  readonly poll_s: number
  /** The time after `completed` for which the files of an order may still be missing. */
  readonly delivery_grace_h: number
}

export interface StapiHostDependencies {
  /** Fetches from public addresses, and from these origins even if they are private. */
  readonly createFetch: (private_origins: readonly string[]) => SafeFetch
  readonly clock: Clock
  /** The token for the signing `bearer`. */
  readonly token: string | null
  readonly limits?: Partial<StapiHostLimits>
}

export interface StapiHostLimits {
  readonly request_timeout_ms: number
  readonly backoff_ms: number
  readonly max_response_bytes: number
  readonly max_file_bytes: number
  readonly max_pages: number
  readonly page_size: number
  readonly max_opportunities: number
  /** Between two requests for the state of an asynchronous search; doubled up to ten times that. */
  readonly poll_ms: number
  /** The time after which the description of a provider is read again. */
  readonly description_ms: number
  /** Time after a failure in which `check` does not query a provider. */
  readonly failure_ms: number
}

const mebibyte = 1024 * 1024
export const default_stapi_limits: StapiHostLimits = {
  request_timeout_ms: 20_000,
  backoff_ms: 500,
  max_response_bytes: 16 * mebibyte,
  max_file_bytes: 16_384 * mebibyte,
  max_pages: 200,
  page_size: 100,
  max_opportunities: 500,
  poll_ms: 500,
  description_ms: 3_600_000,
  failure_ms: 20_000,
}
