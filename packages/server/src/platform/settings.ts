import {
  abn,
  address,
  atLeast,
  databaseAddress,
  email,
  flag,
  group,
  oneOf,
  optionalFlag,
  optionalText,
  origins,
  proxies,
  storage,
  text,
  textLines,
  whole,
} from './setting-kinds.ts'
import { limitSettings } from './limit-settings.ts'

const house = group('General')
const database = group('Database')
const files = group('Files')
const work = group('Background work')
const payments = group('Payments')
const outside = group('Outbound requests')

const mebibyte = 1024 * 1024

/** Every setting of the server, by its name in the code. Environment variable names occur only in this table. */
export const settings = {
  data_dir: house(
    'SWATH_DATA_DIR',
    text,
    '.data',
    'Folder of the embedded database, stored files and the master secret.',
  ),
  port: house('PORT', whole(0, 65_535), '8080', 'Port to listen on; 0 selects a free port.'),
  host: house('HOST', text, '127.0.0.1', 'IP address to listen on; `0.0.0.0` or `::` for all.'),
  base_url: house(
    'BASE_URL',
    address,
    '',
    'URL under which clients reach the server; required with `DATABASE_URL` and with `TRUST_PROXY`. Empty: the host and port of each request are used, and responses are not cacheable.',
  ),
  secret: house(
    'SWATH_SECRET',
    atLeast(32),
    '',
    'Master secret from which all other keys are derived; must be the same on every server of one installation. Empty: a file in the data folder, created at the first start.',
    'secret',
  ),
  admin_email: house(
    'SWATH_ADMIN_EMAIL',
    email,
    'admin@example.com',
    'E-mail address of the user who owns the first organization.',
  ),
  admin_password: house(
    'SWATH_ADMIN_PASSWORD',
    atLeast(8),
    '',
    'Password of that user at the first start. Empty: a random one, shown once.',
    'secret',
  ),
  demo: house(
    'SWATH_DEMO',
    optionalFlag,
    '',
    'Enables demo hosts with sample imagery, and at the first start a project and credits. Empty: on, but off with `DATABASE_URL` or if `BASE_URL` or `HOST` is not a loopback address.',
  ),
  metrics_token: house(
    'METRICS_TOKEN',
    atLeast(16),
    '',
    'Bearer token for access to `/metrics` from other machines. Empty: only this machine may read it.',
    'secret',
  ),
  trust_proxy: house(
    'TRUST_PROXY',
    proxies,
    'off',
    'Proxies whose `X-Forwarded-*` headers are trusted: none (`off`), all (`on`), a number of hops, or these IP addresses.',
  ),
  log_level: house(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Minimum level of log lines.',
  ),
  drain_ms: house(
    'DRAIN_MS',
    whole(0, 600_000),
    '10000',
    'Time for running requests and tasks to finish when the server stops.',
  ),

  database_url: database(
    'DATABASE_URL',
    databaseAddress,
    '',
    'URL of a PostgreSQL database with PostGIS. Empty: the embedded database in the data folder.',
    'secret',
  ),
  database_migration_url: database(
    'DATABASE_MIGRATION_URL',
    databaseAddress,
    '',
    'URL of the same database with the role that owns the schema, on a direct connection. This role creates and updates the schema at startup and with `npm run db`; the role of `DATABASE_URL` then owns nothing and may only sign in. Empty: one role does both.',
    'secret',
  ),
  database_mode: database(
    'SWATH_DATABASE_MODE',
    oneOf('auto', 'plain', 'pooler', 'citus'),
    'auto',
    'How the organization of a session is set in the database: on the connection (`plain`), inside each transaction (`pooler`, for poolers that share connections), or `citus`. `auto` detects it.',
  ),
  database_pool: database('DATABASE_POOL', whole(1, 1000), '10', 'Maximum number of connections to PostgreSQL.'),
  statement_timeout_ms: database(
    'STATEMENT_TIMEOUT_MS',
    whole(100, 3_600_000),
    '30000',
    'Timeout of an SQL statement.',
  ),
  search_timeout_ms: database(
    'SEARCH_TIMEOUT_MS',
    whole(100, 3_600_000),
    '5000',
    'Timeout of an item search, which then fails with `budget-exceeded`; at most `STATEMENT_TIMEOUT_MS`.',
  ),

  storage: files('STORAGE_URL', storage, '', 'Bucket and prefix for stored files. Empty: the data folder.'),
  storage_public_url: files(
    'STORAGE_PUBLIC_URL',
    address,
    '',
    'Endpoint for signed URLs, if clients reach the object store under another name than the server.',
  ),
  aws_access_key_id: files(
    'AWS_ACCESS_KEY_ID',
    optionalText,
    '',
    'Access key id for the object store. Empty: the credentials of the machine (instance role, profile).',
  ),
  aws_secret_access_key: files('AWS_SECRET_ACCESS_KEY', optionalText, '', 'Secret access key.', 'secret'),
  aws_session_token: files('AWS_SESSION_TOKEN', optionalText, '', 'Session token of temporary credentials.', 'secret'),
  aws_region: files(
    'AWS_REGION',
    optionalText,
    '',
    'Region of the bucket; defaults to `us-east-1` if an endpoint is set.',
  ),
  aws_endpoint: files('AWS_ENDPOINT_URL', address, '', 'Endpoint of an S3-compatible store, with path-style buckets.'),
  aws_endpoint_s3: files(
    'AWS_ENDPOINT_URL_S3',
    address,
    '',
    'The same for S3 only; takes precedence over `AWS_ENDPOINT_URL`.',
  ),
  upload_limit_bytes: files(
    'UPLOAD_LIMIT_BYTES',
    whole(1, 5 * 1024 ** 4),
    String(5 * 1024 ** 3),
    'Maximum size of a file that is uploaded to one signed URL.',
  ),

  role: work(
    'SWATH_ROLE',
    oneOf('all', 'serve', 'work'),
    'all',
    'What this process does: serve requests and run tasks (`all`), only serve requests (`serve`), or only run tasks (`work`, which listens on no port). `npm start -- serve` and `npm start -- worker` do the same. `serve` and `work` require `DATABASE_URL`.',
  ),
  worker_concurrency: work(
    'WORKER_CONCURRENCY',
    whole(0, 256),
    '4',
    'Tasks that this process runs concurrently; 0 leaves them to other processes.',
  ),
  raster_threads: work(
    'RASTER_THREADS',
    whole(0, 256),
    '0',
    'Threads that decode, render and convert rasters; 0 means one per core.',
  ),
  raster_cache_mib: work(
    'RASTER_CACHE_MIB',
    whole(0, 1_048_576),
    '512',
    'Memory for the shared cache of decoded blocks, at most a quarter of the memory of the machine; 0 disables it.',
  ),
  tile_cache_mib: work(
    'TILE_CACHE_MIB',
    whole(0, 1_048_576),
    '128',
    'Memory for the cache of rendered tiles and other images; 0 disables it.',
  ),

  ...limitSettings,

  stripe_secret_key: payments(
    'STRIPE_SECRET_KEY',
    optionalText,
    '',
    'Secret key of a Stripe account, which then charges the cards. Empty: the embedded payment processor, which moves no real money.',
    'secret',
  ),
  stripe_webhook_secret: payments(
    'STRIPE_WEBHOOK_SECRET',
    optionalText,
    '',
    'Secret with which Stripe signs the webhooks that it sends to `/webhooks/payments`. Empty: all webhooks are rejected.',
    'secret',
  ),
  stripe_api_url: payments(
    'STRIPE_API_URL',
    address,
    '',
    'Scheme, host and port of a server with the API of Stripe. Empty: Stripe itself.',
  ),
  play_money: payments(
    'SWATH_PLAY_MONEY',
    flag,
    'off',
    'Whether a server with `DATABASE_URL`, or whose `BASE_URL` or `HOST` is not a loopback address, may start with payments that move no real money.',
  ),
  seller_name: payments('SELLER_NAME', text, 'Swath', 'Name of the issuer of invoices and receipts.'),
  seller_abn: payments(
    'SELLER_ABN',
    abn,
    '',
    'Australian Business Number of the seller. Empty: issued documents are not tax invoices.',
  ),
  seller_address: payments(
    'SELLER_ADDRESS',
    textLines,
    '',
    'Postal address of the seller on these documents, with lines separated by semicolons.',
  ),

  outside_allow: outside(
    'OUTSIDE_ALLOW',
    origins,
    '',
    'Origins that may be fetched even if they are private or use plain http, such as `http://127.0.0.1:9000`.',
  ),
  outside_timeout_ms: outside(
    'OUTSIDE_TIMEOUT_MS',
    whole(100, 600_000),
    '10000',
    'Timeout of a fetch of a remote URL.',
  ),
  host_timeout_ms: outside(
    'HOST_TIMEOUT_MS',
    whole(100, 600_000),
    '30000',
    'Timeout of a request to an imagery host, such as a search or placing an order.',
  ),
  outside_limit_bytes: outside(
    'OUTSIDE_LIMIT_BYTES',
    whole(1024, 1024 * mebibyte),
    String(64 * mebibyte),
    'Maximum size of the response of a remote URL.',
  ),
} as const

export type Settings = typeof settings
