import type { Config } from './config.ts'
import type { RateLimit } from './rate-limits/rate-limit.ts'

/** The numbers of the configuration that operations keep to; 0 is no limit. */
export interface Quotas {
  /** What is said of one item (`item_metadata_bytes` of the database); never 0. */
  readonly item_metadata_bytes: number
  /** Downloads of one asset in a day (UTC). */
  readonly downloads_per_day: number
  /** Bytes that one organization sends in a day (UTC). */
  readonly egress_bytes_per_day: number
  /** Upload sessions of one organization that are open at once. */
  readonly open_uploads: number
  /** Openings of share links from one address, wrong passwords and unknown tokens included. */
  readonly share_visits: RateLimit
  /** Tiles of one link to one address. */
  readonly share_tiles: RateLimit
  /** Whole credits that a sharer pays for each thousand tiles of a link. */
  readonly share_tiles_credits: number
}

const minute_ms = 60_000

export const quotasOf = (
  config: Pick<
    Config,
    | 'downloads_per_day'
    | 'egress_bytes_per_day'
    | 'item_metadata_limit_bytes'
    | 'max_open_uploads'
    | 'rate_share_visits'
    | 'rate_share_tiles'
    | 'share_tiles_credits'
  >,
): Quotas => ({
  item_metadata_bytes: config.item_metadata_limit_bytes,
  downloads_per_day: config.downloads_per_day,
  egress_bytes_per_day: config.egress_bytes_per_day,
  open_uploads: config.max_open_uploads,
  share_visits: { name: 'share-visits', max: config.rate_share_visits, window_ms: minute_ms },
  share_tiles: { name: 'share-tiles', max: config.rate_share_tiles, window_ms: minute_ms },
  share_tiles_credits: config.share_tiles_credits,
})
