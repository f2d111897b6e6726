import { createSettingGroup, integerSetting, integerByPlanSetting } from './setting-types.ts'

const limitSetting = createSettingGroup('Limits')
const mebibyte = 1024 * 1024

/** The settings that limit what clients may request. */
export const requestLimitSettings = {
  body_limit_bytes: limitSetting(
    'BODY_LIMIT_BYTES',
    integerSetting(1024, 1024 * mebibyte),
    String(10 * mebibyte),
    'Maximum size of a request body.',
  ),
  head_timeout_ms: limitSetting(
    'REQUEST_HEAD_TIMEOUT_MS',
    integerSetting(100, 300_000),
    '20000',
    'Maximum time for the headers of a request to arrive.',
  ),
  idle_timeout_ms: limitSetting(
    'CONNECTION_IDLE_TIMEOUT_MS',
    integerSetting(100, 3_600_000),
    '60000',
    'Idle time after which a connection is closed when its client stops sending a request body or reading a response.',
  ),
  max_connections: limitSetting(
    'MAX_CONNECTIONS',
    integerSetting(1, 1_000_000),
    '10000',
    'Maximum number of open connections; further ones are closed immediately.',
  ),
  item_metadata_limit_bytes: limitSetting(
    'ITEM_METADATA_LIMIT_BYTES',
    integerSetting(1024, 1024 * mebibyte),
    String(256 * 1024),
    'Maximum size of the metadata of one item: its `properties`, `assets`, `links`, `stac_extensions` and description, as JSON.',
  ),
  max_wait_ms: limitSetting(
    'MAX_WAIT_MS',
    integerSetting(100, 600_000),
    '2000',
    'Maximum time that a tile, statistics, a search or a password check may wait in its queue; requests that would wait longer are rejected and may be retried.',
  ),
  search_concurrency: limitSetting(
    'SEARCH_CONCURRENCY',
    integerSetting(1, 1000),
    '8',
    'Searches that one process runs concurrently; should be less than `DATABASE_POOL`, so that other requests get a connection.',
  ),
  statistics_concurrency: limitSetting(
    'STATISTICS_CONCURRENCY',
    integerSetting(1, 1000),
    '4',
    'Statistics and histograms that one process computes concurrently, so that tiles get a thread; up to three times as many more for organizations that compute none.',
  ),
  password_concurrency: limitSetting(
    'PASSWORD_CONCURRENCY',
    integerSetting(1, 256),
    '2',
    'Passwords that one process hashes concurrently; each uses 19 MiB and a thread of the pool that also reads files.',
  ),
  rate_calls: limitSetting(
    'RATE_LIMIT_CALLS',
    integerByPlanSetting(0, 1_000_000_000),
    '600',
    'Calls per minute and organization, counted across all servers; 0 for no limit. One number for all plans, or one for each: `free:600,prepaid:1200,enterprise:6000`.',
  ),
  rate_orders: limitSetting(
    'RATE_LIMIT_ORDERS',
    integerByPlanSetting(0, 1_000_000),
    '60',
    'Orders per minute and organization, in the same format.',
  ),
  rate_spending: limitSetting(
    'RATE_LIMIT_SPENDING',
    integerByPlanSetting(0, 1_000_000),
    '30',
    'Other calls that spend credits, per minute and organization, in the same format.',
  ),
  rate_sign_ins: limitSetting(
    'RATE_LIMIT_SIGN_INS',
    integerSetting(0, 1_000_000),
    '60',
    'Failed sign-ins per minute and client IP address, including unknown tokens and API keys; 0 for no limit.',
  ),
  rate_share_visits: limitSetting(
    'RATE_LIMIT_SHARE_VISITS',
    integerSetting(0, 1_000_000),
    '60',
    'Requests to open share links per minute and client IP address, including wrong passwords; 0 for no limit.',
  ),
  rate_share_tiles: limitSetting(
    'RATE_LIMIT_SHARE_TILES',
    integerSetting(0, 1_000_000),
    '1200',
    'Tiles per minute, share link and client IP address; 0 for no limit.',
  ),
  max_open_uploads: limitSetting(
    'MAX_OPEN_UPLOADS',
    integerSetting(0, 1_000_000),
    '100',
    'Upload sessions that one organization may have open at the same time; 0 for no limit.',
  ),
  downloads_per_day: limitSetting(
    'DOWNLOADS_PER_ASSET_PER_DAY',
    integerSetting(0, 1_000_000),
    '20',
    'Downloads per asset and day (UTC); 0 for no limit.',
  ),
  egress_bytes_per_day: limitSetting(
    'EGRESS_BYTES_PER_DAY',
    integerSetting(0, 1_000_000_000_000_000 - 1),
    '500000000000',
    'Bytes of files that one organization may download per day (UTC); further downloads are rejected until the next day. 0 for no limit.',
  ),
  two_person_credits: limitSetting(
    'TWO_PERSON_CREDITS',
    integerSetting(0, 1_000_000_000),
    '1000000',
    'Credits above which an adjustment of a wallet by an operator needs the approval of a second one; 0 for no limit.',
  ),
  share_tiles_credits: limitSetting(
    'SHARE_CREDITS_PER_1000_TILES',
    integerSetting(0, 1_000_000),
    '0',
    'Credits that the owner of a share link pays per thousand tiles that its visitors view.',
  ),
  in_flight_limit_bytes: limitSetting(
    'RESPONSE_BYTES_IN_FLIGHT',
    integerSetting(mebibyte, 1_048_576 * mebibyte),
    String(128 * mebibyte),
    'Maximum bytes of unread responses that this process buffers for one organization.',
  ),
  in_flight_total_bytes: limitSetting(
    'RESPONSE_BYTES_IN_FLIGHT_TOTAL',
    integerSetting(mebibyte, 1_048_576 * mebibyte),
    String(512 * mebibyte),
    'Maximum bytes of unread responses that this process buffers for all organizations together.',
  ),
} as const
