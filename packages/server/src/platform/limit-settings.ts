import { group, whole, wholeByPlan } from './setting-kinds.ts'

const limits = group('Limits')
const mebibyte = 1024 * 1024

/** The settings that limit what clients may request. */
export const limitSettings = {
  body_limit_bytes: limits(
    'BODY_LIMIT_BYTES',
    whole(1024, 1024 * mebibyte),
    String(10 * mebibyte),
    'Maximum size of a request body.',
  ),
  head_timeout_ms: limits(
    'REQUEST_HEAD_TIMEOUT_MS',
    whole(100, 300_000),
    '20000',
    'Maximum time for the headers of a request to arrive.',
  ),
  idle_timeout_ms: limits(
    'CONNECTION_IDLE_TIMEOUT_MS',
    whole(100, 3_600_000),
    '60000',
    'Idle time after which a connection is closed when its client stops sending a request body or reading a response.',
  ),
  max_connections: limits(
    'MAX_CONNECTIONS',
    whole(1, 1_000_000),
    '10000',
    'Maximum number of open connections; further ones are closed immediately.',
  ),
  item_metadata_limit_bytes: limits(
    'ITEM_METADATA_LIMIT_BYTES',
    whole(1024, 1024 * mebibyte),
    String(256 * 1024),
    'Maximum size of the metadata of one item: its `properties`, `assets`, `links`, `stac_extensions` and description, as JSON.',
  ),
  max_wait_ms: limits(
    'MAX_WAIT_MS',
    whole(100, 600_000),
    '2000',
    'Maximum time that a tile, statistics, a search or a password check may wait in its queue; requests that would wait longer are rejected and may be retried.',
  ),
  search_concurrency: limits(
    'SEARCH_CONCURRENCY',
    whole(1, 1000),
    '8',
    'Searches that one process runs concurrently; should be less than `DATABASE_POOL`, so that other requests get a connection.',
  ),
  statistics_concurrency: limits(
    'STATISTICS_CONCURRENCY',
    whole(1, 1000),
    '4',
    'Statistics and histograms that one process computes concurrently, so that tiles get a thread.',
  ),
  password_concurrency: limits(
    'PASSWORD_CONCURRENCY',
    whole(1, 256),
    '2',
    'Passwords that one process hashes concurrently; each uses 19 MiB and a thread of the pool that also reads files.',
  ),
  rate_calls: limits(
    'RATE_LIMIT_CALLS',
    wholeByPlan(0, 1_000_000_000),
    '600',
    'Calls per minute and organization, counted across all servers; 0 for no limit. One number for all plans, or one for each: `free:600,prepaid:1200,enterprise:6000`.',
  ),
  rate_orders: limits(
    'RATE_LIMIT_ORDERS',
    wholeByPlan(0, 1_000_000),
    '60',
    'Orders per minute and organization, in the same format.',
  ),
  rate_spending: limits(
    'RATE_LIMIT_SPENDING',
    wholeByPlan(0, 1_000_000),
    '30',
    'Other calls that spend credits, per minute and organization, in the same format.',
  ),
  rate_sign_ins: limits(
    'RATE_LIMIT_SIGN_INS',
    whole(0, 1_000_000),
    '60',
    'Failed sign-ins per minute and client IP address, including unknown tokens and API keys; 0 for no limit.',
  ),
  rate_share_visits: limits(
    'RATE_LIMIT_SHARE_VISITS',
    whole(0, 1_000_000),
    '60',
    'Requests to open share links per minute and client IP address, including wrong passwords; 0 for no limit.',
  ),
  rate_share_tiles: limits(
    'RATE_LIMIT_SHARE_TILES',
    whole(0, 1_000_000),
    '1200',
    'Tiles per minute, share link and client IP address; 0 for no limit.',
  ),
  max_open_uploads: limits(
    'MAX_OPEN_UPLOADS',
    whole(0, 1_000_000),
    '100',
    'Upload sessions that one organization may have open at the same time; 0 for no limit.',
  ),
  downloads_per_day: limits(
    'DOWNLOADS_PER_ASSET_PER_DAY',
    whole(0, 1_000_000),
    '20',
    'Downloads per asset and day (UTC); 0 for no limit.',
  ),
  egress_bytes_per_day: limits(
    'EGRESS_BYTES_PER_DAY',
    whole(0, 1_000_000_000_000_000 - 1),
    '500000000000',
    'Bytes of files that one organization may download per day (UTC); further downloads are rejected until the next day. 0 for no limit.',
  ),
  share_tiles_credits: limits(
    'SHARE_CREDITS_PER_1000_TILES',
    whole(0, 1_000_000),
    '0',
    'Credits that the owner of a share link pays per thousand tiles that its visitors view.',
  ),
  in_flight_limit_bytes: limits(
    'RESPONSE_BYTES_IN_FLIGHT',
    whole(mebibyte, 1_048_576 * mebibyte),
    String(128 * mebibyte),
    'Maximum bytes of unread responses that this process buffers for one organization.',
  ),
  in_flight_total_bytes: limits(
    'RESPONSE_BYTES_IN_FLIGHT_TOTAL',
    whole(mebibyte, 1_048_576 * mebibyte),
    String(512 * mebibyte),
    'Maximum bytes of unread responses that this process buffers for all organizations together.',
  ),
} as const
