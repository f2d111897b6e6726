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

const house = group('The house')
const database = group('Database')
const files = group('Files')
const work = group('Background work')
const payments = group('Payments')
const outside = group('The outside world')

const mebibyte = 1024 * 1024

/** Every setting of the server, by the name that the code uses. This table is the only place that knows an environment name. */
export const settings = {
  data_dir: house(
    'SWATH_DATA_DIR',
    text,
    '.data',
    'Folder for the embedded database, files on disk and the master secret.',
  ),
  port: house('PORT', whole(0, 65_535), '8080', 'Port to listen on; 0 takes a free one.'),
  host: house('HOST', text, '127.0.0.1', 'Address to listen on; `0.0.0.0` or `::` for all.'),
  base_url: house(
    'BASE_URL',
    address,
    '',
    'Address under which clients reach the server; required with `DATABASE_URL` and with `TRUST_PROXY`. Empty: the host and port of each request, and nothing that is answered may be cached.',
  ),
  secret: house(
    'SWATH_SECRET',
    atLeast(32),
    '',
    'Master secret that all other keys are derived from; the same on every server of one house. Empty: a file in the data folder, made at first start.',
    'secret',
  ),
  admin_email: house('SWATH_ADMIN_EMAIL', email, 'admin@example.com', 'Person that owns the first organization.'),
  admin_password: house(
    'SWATH_ADMIN_PASSWORD',
    atLeast(8),
    '',
    'Password of that person at first start. Empty: a random one, shown once.',
    'secret',
  ),
  demo: house(
    'SWATH_DEMO',
    optionalFlag,
    '',
    'Hosts with sample imagery; at first start also a project and credits. Empty: on, but off with `DATABASE_URL` or where `BASE_URL` or `HOST` is no loopback address.',
  ),
  metrics_token: house(
    'METRICS_TOKEN',
    atLeast(16),
    '',
    'Bearer token that opens `/metrics` to other machines. Empty: this machine alone may read it.',
    'secret',
  ),
  trust_proxy: house(
    'TRUST_PROXY',
    proxies,
    'off',
    'Whose `X-Forwarded-*` headers are believed: nobody, everybody, so many hops, or these addresses.',
  ),
  log_level: house(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Least important line that is written.',
  ),
  drain_ms: house(
    'DRAIN_MS',
    whole(0, 600_000),
    '10000',
    'Time that running calls and tasks get to finish when the server stops.',
  ),

  database_url: database(
    'DATABASE_URL',
    databaseAddress,
    '',
    'PostgreSQL with PostGIS. Empty: the embedded database in the data folder.',
    'secret',
  ),
  database_migration_url: database(
    'DATABASE_MIGRATION_URL',
    databaseAddress,
    '',
    'The same database as the role that owns the schema, on a direct connection. The schema is made and updated by it at start and by `npm run db`; the role of `DATABASE_URL` then owns nothing and may only sign in. Empty: one role does both.',
    'secret',
  ),
  database_mode: database(
    'SWATH_DATABASE_MODE',
    oneOf('auto', 'plain', 'pooler', 'citus'),
    'auto',
    'How the organization is named to the database: on the connection (`plain`), inside each transaction (`pooler`, for poolers that share connections), or `citus`. `auto` finds out.',
  ),
  database_pool: database('DATABASE_POOL', whole(1, 1000), '10', 'Connections kept to PostgreSQL.'),
  statement_timeout_ms: database(
    'STATEMENT_TIMEOUT_MS',
    whole(100, 3_600_000),
    '30000',
    'A statement that runs longer is cancelled.',
  ),
  search_timeout_ms: database(
    'SEARCH_TIMEOUT_MS',
    whole(100, 3_600_000),
    '5000',
    'A search of items that runs longer is cancelled and answered with `budget-exceeded`; at most as long as other statements.',
  ),

  storage: files('STORAGE_URL', storage, '', 'Bucket and prefix for files. Empty: on disk in the data folder.'),
  storage_public_url: files(
    'STORAGE_PUBLIC_URL',
    address,
    '',
    'Endpoint that signed addresses name, where clients reach the object store by another name than the server.',
  ),
  aws_access_key_id: files(
    'AWS_ACCESS_KEY_ID',
    optionalText,
    '',
    'Key id for the object store. Empty: what the machine offers (instance role, profile).',
  ),
  aws_secret_access_key: files('AWS_SECRET_ACCESS_KEY', optionalText, '', 'Secret of that key.', 'secret'),
  aws_session_token: files('AWS_SESSION_TOKEN', optionalText, '', 'Token of temporary credentials.', 'secret'),
  aws_region: files('AWS_REGION', optionalText, '', 'Region of the bucket; `us-east-1` where an endpoint is given.'),
  aws_endpoint: files(
    'AWS_ENDPOINT_URL',
    address,
    '',
    'Endpoint of an S3-compatible store; buckets are then part of the path.',
  ),
  aws_endpoint_s3: files('AWS_ENDPOINT_URL_S3', address, '', 'The same for S3 only; wins over `AWS_ENDPOINT_URL`.'),
  upload_limit_bytes: files(
    'UPLOAD_LIMIT_BYTES',
    whole(1, 5 * 1024 ** 4),
    String(5 * 1024 ** 3),
    'Largest file that one signed address takes.',
  ),

  role: work(
    'SWATH_ROLE',
    oneOf('all', 'serve', 'work'),
    'all',
    'What this process does: answer requests and run tasks, only answer (`serve`), or only run tasks (`work`, which listens on no port). `npm start -- serve` and `npm start -- worker` say the same. The last two need `DATABASE_URL`.',
  ),
  worker_concurrency: work(
    'WORKER_CONCURRENCY',
    whole(0, 256),
    '4',
    'Tasks that run at once in this process; 0 leaves them to other processes.',
  ),
  raster_threads: work(
    'RASTER_THREADS',
    whole(0, 256),
    '0',
    'Threads that decode, draw and convert images; 0 is one for each core.',
  ),
  raster_cache_mib: work(
    'RASTER_CACHE_MIB',
    whole(0, 1_048_576),
    '512',
    'Memory for decoded blocks that these threads share, at most a quarter of the machine; 0 keeps none.',
  ),
  tile_cache_mib: work(
    'TILE_CACHE_MIB',
    whole(0, 1_048_576),
    '128',
    'Memory for the tiles and other pictures that were drawn last; 0 keeps none.',
  ),

  ...limitSettings,

  stripe_secret_key: payments(
    'STRIPE_SECRET_KEY',
    optionalText,
    '',
    'Key of an account at Stripe, which then charges the cards. Empty: a processor of our own, which moves no real money.',
    'secret',
  ),
  stripe_webhook_secret: payments(
    'STRIPE_WEBHOOK_SECRET',
    optionalText,
    '',
    'Secret that Stripe signs with what it sends to `/webhooks/payments`. Empty: nothing that comes there is believed.',
    'secret',
  ),
  stripe_api_url: payments(
    'STRIPE_API_URL',
    address,
    '',
    'Scheme, host and port of a server that answers as Stripe does. Empty: Stripe itself.',
  ),
  play_money: payments(
    'SWATH_PLAY_MONEY',
    flag,
    'off',
    'Whether a server with `DATABASE_URL`, or whose `BASE_URL` or `HOST` is no loopback address, may start with payments that move no real money.',
  ),
  seller_name: payments('SELLER_NAME', text, 'Swath', 'Who issues invoices and receipts.'),
  seller_abn: payments(
    'SELLER_ABN',
    abn,
    '',
    'Australian Business Number of that seller. Empty: what is issued is no tax invoice.',
  ),
  seller_address: payments(
    'SELLER_ADDRESS',
    textLines,
    '',
    'Address of the seller on these documents, its lines separated by semicolons.',
  ),

  outside_allow: outside(
    'OUTSIDE_ALLOW',
    origins,
    '',
    'Origins that may be fetched although they are private or use plain http, such as `http://127.0.0.1:9000`.',
  ),
  outside_timeout_ms: outside(
    'OUTSIDE_TIMEOUT_MS',
    whole(100, 600_000),
    '10000',
    'Time that one fetch of an outside address may take.',
  ),
  host_timeout_ms: outside(
    'HOST_TIMEOUT_MS',
    whole(100, 600_000),
    '30000',
    'Time that a host of imagery may take to answer one question, such as a search or the placing of an order.',
  ),
  outside_limit_bytes: outside(
    'OUTSIDE_LIMIT_BYTES',
    whole(1024, 1024 * mebibyte),
    String(64 * mebibyte),
    'Largest answer that is taken from an outside address.',
  ),
} as const

export type Settings = typeof settings
