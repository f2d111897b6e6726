import { minute_ms } from '@swath/geo/time-units.ts'
import type { Config } from './config.ts'
import type { RateLimit } from './rate-limits/rate-limit.ts'

/** The configured quotas of operations; 0 means no limit. */
export interface OperationQuotas {
  /** The metadata of one item (`item_metadata_bytes` in the database); never 0. */
  readonly item_metadata_bytes: number
  /** Downloads per asset and day (UTC). */
  readonly downloads_per_day: number
  /** Bytes that one organization may download per day (UTC). */
  readonly egress_bytes_per_day: number
  /** Open upload sessions per organization. */
  readonly open_uploads: number
  /** Requests to open share links per client IP address, including wrong passwords and unknown tokens. */
  readonly share_visits: RateLimit
  /** Tiles per share link and client IP address. */
  readonly share_tiles: RateLimit
  /** Whole credits that the owner of a share link pays per thousand tiles. */
  readonly share_tiles_credits: number
  /** Credits above which an adjustment by an operator needs a second one. */
  readonly two_person_credits: number
}

export const readOperationQuotas = (
  config: Pick<
    Config,
    | 'downloads_per_day'
    | 'egress_bytes_per_day'
    | 'item_metadata_limit_bytes'
    | 'max_open_uploads'
    | 'rate_share_visits'
    | 'rate_share_tiles'
    | 'share_tiles_credits'
    | 'two_person_credits'
  >,
): OperationQuotas => ({
  item_metadata_bytes: config.item_metadata_limit_bytes,
  downloads_per_day: config.downloads_per_day,
  egress_bytes_per_day: config.egress_bytes_per_day,
  open_uploads: config.max_open_uploads,
  share_visits: { name: 'share-visits', max: config.rate_share_visits, window_ms: minute_ms },
  share_tiles: { name: 'share-tiles', max: config.rate_share_tiles, window_ms: minute_ms },
  share_tiles_credits: config.share_tiles_credits,
  two_person_credits: config.two_person_credits,
})
