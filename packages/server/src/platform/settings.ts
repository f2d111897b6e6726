import {
  abnSetting,
  bsbSetting,
  baseMapsSetting,
  httpUrlSetting,
  smtpUrlSetting,
  minLengthTextSetting,
  databaseUrlSetting,
  emailSetting,
  flagSetting,
  createSettingGroup,
  oneOfSetting,
  someOfSetting,
  tokensByHostSetting,
  optionalFlagSetting,
  optionalEmailSetting,
  optionalTextSetting,
  originsSetting,
  redirectUrisSetting,
  clientIdsSetting,
  trustedProxiesSetting,
  bucketUrlSetting,
  textSetting,
  textLinesSetting,
  integerSetting,
  secondsListSetting,
  fractionSetting,
  headerListSetting,
} from './setting-types.ts'
import { knownHostNames } from './integrations/hosts/known-host-names.ts'
import { requestLimitSettings } from './limit-settings.ts'

const general = createSettingGroup('General')
const databaseSetting = createSettingGroup('Database')
const fileSetting = createSettingGroup('Files')
const backgroundWork = createSettingGroup('Background work')
const paymentSetting = createSettingGroup('Payments')
const outboundRequests = createSettingGroup('Outbound requests')
const traces = createSettingGroup('Traces')

const mebibyte = 1024 * 1024

/** Every setting of the server, by its name in the code. Environment variable names occur only in this table. */
export const settings = {
  data_dir: general(
    'SWATH_DATA_DIR',
    textSetting,
    '.data',
    'Folder of the embedded database, stored files and the master secret.',
  ),
  port: general('PORT', integerSetting(0, 65_535), '8080', 'Port to listen on; 0 selects a free port.'),
  host: general('HOST', textSetting, '127.0.0.1', 'IP address to listen on; `0.0.0.0` or `::` for all.'),
  base_url: general(
    'BASE_URL',
    httpUrlSetting,
    '',
    'URL under which clients reach the server; required with `DATABASE_URL` and with `TRUST_PROXY`. Empty: the host and port of each request are used, which must be `localhost`, `127.0.0.1`, `[::1]` or the address in `HOST`, and responses are not cacheable.',
  ),
  secret: general(
    'SWATH_SECRET',
    minLengthTextSetting(32),
    '',
    'Master secret from which all other keys are derived; must be the same on every server of one installation. Empty: a file in the data folder, created at the first start.',
    'secret',
  ),
  secret_previous: general(
    'SWATH_SECRET_PREVIOUS',
    minLengthTextSetting(32),
    '',
    'The master secret that `SWATH_SECRET` replaces: what was signed or encrypted with it is still accepted. Empty: a file in the data folder, or none.',
    'secret',
  ),
  admin_email: general(
    'SWATH_ADMIN_EMAIL',
    emailSetting,
    'admin@example.com',
    'E-mail address of the user who owns the first organization.',
  ),
  admin_password: general(
    'SWATH_ADMIN_PASSWORD',
    minLengthTextSetting(8),
    '',
    'Password of that user at the first start. Empty: a random one, shown once.',
    'secret',
  ),
  demo: general(
    'SWATH_DEMO',
    optionalFlagSetting,
    '',
    'Enables demo hosts with sample imagery, and at the first start a project and credits. Empty: on, but off with `DATABASE_URL` or if `BASE_URL` or `HOST` is not a loopback address.',
  ),
  console_redirect_uris: general(
    'CONSOLE_REDIRECT_URIS',
    redirectUrisSetting,
    '',
    'Additional redirect URIs of the client `swath-console`, for developers of the console, such as `http://localhost:5173/auth/callback`. One of `http://127.0.0.1` or `http://[::1]` without a port permits every port.',
  ),
  oauth_public_client_ids: general(
    'OAUTH_PUBLIC_CLIENT_IDS',
    clientIdsSetting,
    'up42-sdk,up42-api',
    'Ids, besides `swath`, with which programs that have no secret sign people in by password or on another device, such as those of the first generation of tools.',
  ),
  console_base_maps: general(
    'CONSOLE_BASEMAP_URL',
    baseMapsSetting,
    '',
    'Backgrounds of the map that can be chosen in its corner, besides that of the server: the first one is shown at first. Each is the URL of a MapLibre style, of a TileJSON document or of a PMTiles archive, a template of raster tiles with `{z}`, `{x}` and `{y}`, or the absolute path of a PMTiles archive, which the server serves. Several are separated by semicolons; a title may come before each: `Roads=https://…`. Tiles, fonts and icons must come from the origin of their URL, which has to allow requests from the console (CORS).',
  ),
  metrics_token: general(
    'METRICS_TOKEN',
    minLengthTextSetting(16),
    '',
    'Bearer token for access to `/metrics`. Empty: only programs on this machine may read it, and none with `TRUST_PROXY` or if `BASE_URL` is not a loopback address, since a proxy on this machine asks for everyone.',
    'secret',
  ),
  metrics_port: general(
    'METRICS_PORT',
    integerSetting(0, 65_535),
    '0',
    'Port on which a process that only runs tasks serves `/metrics`, `/healthz` and `/readyz`; 0 for none. Other processes serve them on `PORT`.',
  ),
  hsts_max_age_s: general(
    'HSTS_MAX_AGE_S',
    integerSetting(0, 63_072_000),
    '0',
    'Seconds for which browsers that were here reach this host by https only (the header `Strict-Transport-Security`); 0 does not send it. Requires an https URL as `BASE_URL`. 31536000 is a year; start with a short time, since it cannot be taken back.',
  ),
  trust_proxy: general(
    'TRUST_PROXY',
    trustedProxiesSetting,
    'off',
    'Proxies whose `X-Forwarded-*` headers are trusted: none (`off`), all (`on`), a number of hops, or these IP addresses.',
  ),
  log_level: general(
    'LOG_LEVEL',
    oneOfSetting('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Minimum level of log lines.',
  ),
  stop_delay_ms: general(
    'STOP_DELAY_MS',
    integerSetting(0, 600_000),
    '0',
    'Time for which a stopping server still accepts requests while `/readyz` responds with 503, so that a load balancer sends no more. Should be longer than two of its health checks.',
  ),
  drain_ms: general(
    'DRAIN_MS',
    integerSetting(0, 600_000),
    '10000',
    'Time for running requests and tasks to finish when the server stops.',
  ),

  database_url: databaseSetting(
    'DATABASE_URL',
    databaseUrlSetting,
    '',
    'URL of a PostgreSQL database with PostGIS. Empty: the embedded database in the data folder.',
    'secret',
  ),
  database_migration_url: databaseSetting(
    'DATABASE_MIGRATION_URL',
    databaseUrlSetting,
    '',
    'URL of the same database with the role that owns the schema, on a direct connection. This role creates and updates the schema at startup and with `npm run db`; the role of `DATABASE_URL` then owns nothing and may only sign in. Empty: one role does both.',
    'secret',
  ),
  database_replica_url: databaseSetting(
    'DATABASE_REPLICA_URL',
    databaseUrlSetting,
    '',
    'URL of a streaming replica of the same database. Item searches run there once it has replayed everything that was committed before the search, and otherwise on the server of `DATABASE_URL`.',
    'secret',
  ),
  database_mode: databaseSetting(
    'SWATH_DATABASE_MODE',
    oneOfSetting('auto', 'plain', 'pooler', 'citus', 'citus-strict'),
    'auto',
    'How the organization of a session is set in the database: on the connection (`plain`), inside each transaction (`pooler`, for poolers that share connections), or `citus`. `auto` detects it. `citus-strict` refuses statements of an organization that leave its shard, for tests.',
  ),
  database_pool: databaseSetting(
    'DATABASE_POOL',
    integerSetting(1, 1000),
    '10',
    'Maximum number of connections to PostgreSQL.',
  ),
  database_shards: databaseSetting(
    'DATABASE_SHARDS',
    integerSetting(2, 512),
    '32',
    'Shards of each table of organizations on Citus, when `npm run db -- distribute` distributes the first of them: at most as many workers share the rows. Tables that are distributed later have as many as the first ones.',
  ),
  statement_timeout_ms: databaseSetting(
    'STATEMENT_TIMEOUT_MS',
    integerSetting(100, 3_600_000),
    '30000',
    'Timeout of an SQL statement.',
  ),
  search_timeout_ms: databaseSetting(
    'SEARCH_TIMEOUT_MS',
    integerSetting(100, 3_600_000),
    '5000',
    'Timeout of an item search, which then fails with `budget-exceeded`; at most `STATEMENT_TIMEOUT_MS`.',
  ),

  storage: fileSetting(
    'STORAGE_URL',
    bucketUrlSetting,
    '',
    'Bucket and prefix for stored files. Empty: the data folder. Uploads from the console need a CORS rule of the bucket: PUT and the header content-type from the origin of BASE_URL.',
  ),
  storage_public_url: fileSetting(
    'STORAGE_PUBLIC_URL',
    httpUrlSetting,
    '',
    'Endpoint for signed URLs, if clients reach the object store under another name than the server.',
  ),
  aws_access_key_id: fileSetting(
    'AWS_ACCESS_KEY_ID',
    optionalTextSetting,
    '',
    'Access key id for the object store. Empty: the credentials of the machine (instance role, profile).',
  ),
  aws_secret_access_key: fileSetting('AWS_SECRET_ACCESS_KEY', optionalTextSetting, '', 'Secret access key.', 'secret'),
  aws_session_token: fileSetting(
    'AWS_SESSION_TOKEN',
    optionalTextSetting,
    '',
    'Session token of temporary credentials.',
    'secret',
  ),
  aws_region: fileSetting(
    'AWS_REGION',
    optionalTextSetting,
    '',
    'Region of the bucket; defaults to `us-east-1` if an endpoint is set.',
  ),
  aws_endpoint: fileSetting(
    'AWS_ENDPOINT_URL',
    httpUrlSetting,
    '',
    'Endpoint of an S3-compatible store, with path-style buckets.',
  ),
  aws_endpoint_s3: fileSetting(
    'AWS_ENDPOINT_URL_S3',
    httpUrlSetting,
    '',
    'The same for S3 only; takes precedence over `AWS_ENDPOINT_URL`.',
  ),
  upload_limit_bytes: fileSetting(
    'UPLOAD_LIMIT_BYTES',
    integerSetting(1, 5 * 1024 ** 4),
    String(5 * 1024 ** 3),
    'Maximum size of a file that is uploaded to one signed URL.',
  ),

  role: backgroundWork(
    'SWATH_ROLE',
    oneOfSetting('all', 'serve', 'work'),
    'all',
    'What this process does: serve requests and run tasks (`all`), only serve requests (`serve`), or only run tasks (`work`, which listens on no port). `npm start -- serve` and `npm start -- worker` do the same. `serve` and `work` require `DATABASE_URL`.',
  ),
  scheduler: backgroundWork(
    'SWATH_SCHEDULER',
    flagSetting,
    'on',
    'Whether this process enqueues the periodic tasks. At least one process that runs tasks must; if several do, each task is still enqueued once.',
  ),
  worker_concurrency: backgroundWork(
    'WORKER_CONCURRENCY',
    integerSetting(0, 256),
    '4',
    'Tasks that this process begins concurrently; 0 leaves them to other processes. Another one may begin when one takes longer than a quarter of a second; of each kind, an organization has at most this many.',
  ),
  raster_threads: backgroundWork(
    'RASTER_THREADS',
    integerSetting(0, 256),
    '0',
    'Threads that decode and render rasters; 0 means one per core. Statistics and conversions have two threads for each of these, and up to six more for organizations that have none.',
  ),
  raster_cache_mib: backgroundWork(
    'RASTER_CACHE_MIB',
    integerSetting(0, 1_048_576),
    '512',
    'Memory for the shared cache of decoded blocks, at most a quarter of the memory of the machine; 0 disables it.',
  ),
  tile_cache_mib: backgroundWork(
    'TILE_CACHE_MIB',
    integerSetting(0, 1_048_576),
    '128',
    'Memory for the cache of rendered tiles and other images; 0 disables it.',
  ),

  ...requestLimitSettings,

  stripe_secret_key: paymentSetting(
    'STRIPE_SECRET_KEY',
    optionalTextSetting,
    '',
    'Secret key of a Stripe account, which then charges the cards. Empty: the embedded payment processor, which moves no real money.',
    'secret',
  ),
  stripe_webhook_secret: paymentSetting(
    'STRIPE_WEBHOOK_SECRET',
    optionalTextSetting,
    '',
    'Secret with which Stripe signs the webhooks that it sends to `/webhooks/payments`. Empty: all webhooks are rejected.',
    'secret',
  ),
  stripe_api_url: paymentSetting(
    'STRIPE_API_URL',
    httpUrlSetting,
    '',
    'Scheme, host and port of a server with the API of Stripe. Empty: Stripe itself.',
  ),
  play_money: paymentSetting(
    'SWATH_PLAY_MONEY',
    flagSetting,
    'off',
    'Whether a server with `DATABASE_URL`, or whose `BASE_URL` or `HOST` is not a loopback address, may start with payments that move no real money.',
  ),
  seller_name: paymentSetting('SELLER_NAME', textSetting, 'Swath', 'Name of the issuer of invoices and receipts.'),
  seller_abn: paymentSetting(
    'SELLER_ABN',
    abnSetting,
    '',
    'Australian Business Number of the seller. Empty: issued documents are not tax invoices.',
  ),
  seller_address: paymentSetting(
    'SELLER_ADDRESS',
    textLinesSetting,
    '',
    'Postal address of the seller on these documents, with lines separated by semicolons.',
  ),
  seller_email: paymentSetting(
    'SELLER_EMAIL',
    optionalEmailSetting,
    '',
    'E-mail address of the seller on these documents, for questions about them.',
  ),
  seller_bank_account: paymentSetting(
    'SELLER_BANK_ACCOUNT',
    optionalTextSetting,
    '',
    'Number or IBAN of the bank account to which invoices are paid. Empty: invoices have no bank details.',
  ),
  seller_bank_bsb: paymentSetting(
    'SELLER_BANK_BSB',
    bsbSetting,
    '',
    'Bank State Branch number of an Australian account.',
  ),
  seller_bank_bic: paymentSetting('SELLER_BANK_BIC', optionalTextSetting, '', 'BIC (SWIFT code) of the bank.'),
  seller_bank_name: paymentSetting('SELLER_BANK_NAME', optionalTextSetting, '', 'Name of the bank.'),
  seller_bank_account_name: paymentSetting(
    'SELLER_BANK_ACCOUNT_NAME',
    optionalTextSetting,
    '',
    'Name of the holder of the account. Empty: the name of the seller.',
  ),
  seller_payment_terms: paymentSetting(
    'SELLER_PAYMENT_TERMS',
    optionalTextSetting,
    '',
    'Terms of payment, printed beside the due date of an invoice.',
  ),

  outside_allow: outboundRequests(
    'OUTSIDE_ALLOW',
    originsSetting,
    '',
    'Origins that may be fetched even if they are private or use plain http, such as `http://127.0.0.1:9000`.',
  ),
  outside_timeout_ms: outboundRequests(
    'OUTSIDE_TIMEOUT_MS',
    integerSetting(100, 600_000),
    '10000',
    'Timeout of a fetch of a remote URL.',
  ),
  smtp_url: outboundRequests(
    'SMTP_URL',
    smtpUrlSetting,
    '',
    'SMTP server that sends e-mails, such as `smtps://user:password@mail.example.com`. It should sign them with DKIM, including the headers `List-Unsubscribe` and `List-Unsubscribe-Post`. Empty: e-mails are written to the folder `outbox` in the data folder.',
    'secret',
  ),
  mail_from: outboundRequests('MAIL_FROM', textSetting, 'Swath <swath@localhost>', 'Sender of e-mails.'),
  webhook_retry_s: outboundRequests(
    'WEBHOOK_RETRY_S',
    secondsListSetting(20, 7 * 86_400),
    '0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400',
    'Seconds before each attempt at the delivery of a webhook; after the last one it is dead-lettered.',
  ),
  webhook_hold_s: outboundRequests(
    'WEBHOOK_HOLD_S',
    secondsListSetting(2, 86_400),
    '15, 900',
    'Seconds for which nothing is sent to an endpoint that is down: at first, and at most after doubling. Should be longer than the 10 s of an attempt.',
  ),
  host_timeout_ms: outboundRequests(
    'HOST_TIMEOUT_MS',
    integerSetting(100, 600_000),
    '30000',
    'Timeout of a request to an imagery host, such as a search or placing an order.',
  ),
  catalog_hosts: outboundRequests(
    'CATALOG_HOSTS',
    someOfSetting(...knownHostNames),
    '',
    `Public STAC catalogues to search and order from, besides the demo hosts: ${knownHostNames.map((name) => `\`${name}\``).join(', ')}; separated by commas. Empty: none.`,
  ),
  catalog_hosts_file: outboundRequests(
    'CATALOG_HOSTS_FILE',
    optionalTextSetting,
    '',
    'JSON file with imagery hosts of your own: STAC APIs, and archives in a folder or bucket, with their prices. See [imagery hosts](notes/imagery-hosts.md).',
  ),
  catalog_host_tokens: outboundRequests(
    'CATALOG_HOST_TOKENS',
    tokensByHostSetting,
    '',
    'Bearer tokens of STAC catalogues that require one, by host: `cdse:TOKEN, mine:TOKEN`.',
    'secret',
  ),
  outside_limit_bytes: outboundRequests(
    'OUTSIDE_LIMIT_BYTES',
    integerSetting(1024, 1024 * mebibyte),
    String(64 * mebibyte),
    'Maximum size of the response of a remote URL.',
  ),

  otel_endpoint: traces(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrlSetting,
    '',
    'URL of an OpenTelemetry collector that receives traces by OTLP over HTTP, such as `http://127.0.0.1:4318`. Empty: nothing is traced.',
  ),
  otel_headers: traces(
    'OTEL_EXPORTER_OTLP_HEADERS',
    headerListSetting,
    '',
    'Headers for the collector, percent-encoded: `authorization=Bearer%20TOKEN`.',
    'secret',
  ),
  otel_service_name: traces('OTEL_SERVICE_NAME', textSetting, 'swath', 'Name of the service in traces.'),
  otel_sample_ratio: traces(
    'OTEL_TRACES_SAMPLER_ARG',
    fractionSetting,
    '1',
    'Share of traces that are recorded. The decision follows from the id of the trace, so it is the same in every process.',
  ),
} as const

export type Settings = typeof settings
