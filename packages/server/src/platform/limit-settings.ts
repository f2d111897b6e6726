import { group, whole, wholeByPlan } from './setting-kinds.ts'

const limits = group('Limits')
const mebibyte = 1024 * 1024

/** The part of the settings that bounds what callers may ask for. */
export const limitSettings = {
  body_limit_bytes: limits(
    'BODY_LIMIT_BYTES',
    whole(1024, 1024 * mebibyte),
    String(10 * mebibyte),
    'Largest body of a call.',
  ),
  head_timeout_ms: limits(
    'REQUEST_HEAD_TIMEOUT_MS',
    whole(100, 300_000),
    '20000',
    'Time that the head of a request may take to arrive.',
  ),
  idle_timeout_ms: limits(
    'CONNECTION_IDLE_TIMEOUT_MS',
    whole(100, 3_600_000),
    '60000',
    'Time without a byte after which a client loses its connection: one that stops sending a body, or reading a response.',
  ),
  max_connections: limits(
    'MAX_CONNECTIONS',
    whole(1, 1_000_000),
    '10000',
    'Connections that are open at once; further ones are closed as they come.',
  ),
  item_metadata_limit_bytes: limits(
    'ITEM_METADATA_LIMIT_BYTES',
    whole(1024, 1024 * mebibyte),
    String(256 * 1024),
    'Largest metadata of one item: its `properties`, `assets`, `links`, `stac_extensions` and description, as JSON.',
  ),
  max_wait_ms: limits(
    'MAX_WAIT_MS',
    whole(100, 600_000),
    '2000',
    'Time that a tile, statistics, a search or the check of a password may wait for its turn; who would wait longer is told to come back.',
  ),
  search_concurrency: limits(
    'SEARCH_CONCURRENCY',
    whole(1, 1000),
    '8',
    'Searches that one process runs at once; fewer than `DATABASE_POOL`, so that other calls find a connection.',
  ),
  statistics_concurrency: limits(
    'STATISTICS_CONCURRENCY',
    whole(1, 1000),
    '4',
    'Statistics and histograms that one process works on at once, so that tiles find a thread.',
  ),
  password_concurrency: limits(
    'PASSWORD_CONCURRENCY',
    whole(1, 256),
    '2',
    'Passwords that one process hashes at once; each takes 19 MiB and a thread that files are read with.',
  ),
  rate_calls: limits(
    'RATE_LIMIT_CALLS',
    wholeByPlan(0, 1_000_000_000),
    '600',
    'Calls per minute of one organization, counted over all servers; 0 for no limit. A number for every plan, or one for each: `free:600,prepaid:1200,enterprise:6000`.',
  ),
  rate_orders: limits(
    'RATE_LIMIT_ORDERS',
    wholeByPlan(0, 1_000_000),
    '60',
    'Orders that one organization places per minute, likewise.',
  ),
  rate_spending: limits(
    'RATE_LIMIT_SPENDING',
    wholeByPlan(0, 1_000_000),
    '30',
    'Other calls per minute of one organization that spend, likewise.',
  ),
  rate_sign_ins: limits(
    'RATE_LIMIT_SIGN_INS',
    whole(0, 1_000_000),
    '60',
    'Failed sign-ins per minute and client address, unknown tokens and API keys included; 0 for no limit.',
  ),
  rate_share_visits: limits(
    'RATE_LIMIT_SHARE_VISITS',
    whole(0, 1_000_000),
    '60',
    'Openings of share links per minute and client address, wrong passwords included; 0 for no limit.',
  ),
  rate_share_tiles: limits(
    'RATE_LIMIT_SHARE_TILES',
    whole(0, 1_000_000),
    '1200',
    'Tiles per minute of one share link to one client address; 0 for no limit.',
  ),
  max_open_uploads: limits(
    'MAX_OPEN_UPLOADS',
    whole(0, 1_000_000),
    '100',
    'Upload sessions that one organization may have open at once; 0 for no limit.',
  ),
  downloads_per_day: limits(
    'DOWNLOADS_PER_ASSET_PER_DAY',
    whole(0, 1_000_000),
    '20',
    'Downloads of one asset in a day (UTC); 0 for no limit.',
  ),
  egress_bytes_per_day: limits(
    'EGRESS_BYTES_PER_DAY',
    whole(0, 1_000_000_000_000_000 - 1),
    '500000000000',
    'Bytes of files that one organization sends in a day (UTC) before downloads wait for the next; 0 for no limit.',
  ),
  share_tiles_credits: limits(
    'SHARE_CREDITS_PER_1000_TILES',
    whole(0, 1_000_000),
    '0',
    'Credits that the organization behind a share link pays for each thousand tiles that its visitors see.',
  ),
  in_flight_limit_bytes: limits(
    'RESPONSE_BYTES_IN_FLIGHT',
    whole(mebibyte, 1_048_576 * mebibyte),
    String(128 * mebibyte),
    'Bytes of responses that this process holds for one organization at once, until its clients have read them.',
  ),
  in_flight_total_bytes: limits(
    'RESPONSE_BYTES_IN_FLIGHT_TOTAL',
    whole(mebibyte, 1_048_576 * mebibyte),
    String(512 * mebibyte),
    'The same for all organizations together.',
  ),
} as const
