/**
 * The architecture as data: which code may import which, and what each file may contain. The rules in this folder read it
 * and `ARCHITECTURE.md` shows it; there is no other definition of a boundary.
 */

export interface PackageBoundary {
  /** Workspaces that its files may import. */
  readonly imports: readonly string[]
  /** False where the code must run outside Node: no `node:` modules then. */
  readonly allowsNode: boolean
  readonly description: string
}

export const packages = {
  'packages/contract': {
    imports: [],
    allowsNode: false,
    description: 'operations, schemas, events and problems as data',
  },
  'packages/geo': { imports: [], allowsNode: false, description: 'geodesy and geometry' },
  'packages/raster': {
    imports: ['packages/geo'],
    allowsNode: true,
    description: 'raster engine: reading, rendering, measuring and writing',
  },
  'packages/server': {
    imports: ['packages/contract', 'packages/geo', 'packages/raster'],
    allowsNode: true,
    description: 'the HTTP API: adapters, pipeline, domain modules, platform',
  },
  'packages/client': { imports: [], allowsNode: false, description: 'the generated client' },
  'packages/cli': { imports: ['packages/client'], allowsNode: true, description: 'the command line' },
  'apps/console': { imports: ['packages/client', 'packages/geo'], allowsNode: false, description: 'the console' },
} as const satisfies Record<string, PackageBoundary>

/** Folders that need Node in packages that run without it; what runs elsewhere does not import them. */
export const nodeFolders: readonly string[] = ['packages/client/src/node/']

/** The only file of a package that other workspaces may import; of packages without a row any file may be imported. */
export const entryPoints: Readonly<Record<string, string>> = {
  'packages/raster': 'packages/raster/src/index.ts',
}

/** Programs that auditors run as one file, and that the command line imports, so that there is one implementation. */
export const standalonePrograms: readonly string[] = ['tools/verify-ledger.mjs', 'tools/verify-receipt.mjs']

/** Journey tests use the real client, so tests may import it where product code may not. */
export const testImports: Readonly<Record<string, readonly string[]>> = { 'packages/server': ['packages/client'] }

export interface FolderBoundary {
  /** Folders of the same package that its files may import. */
  readonly imports: readonly string[]
  readonly description: string
}

/** The folders of packages that are layers themselves, from the lowest to the highest; files beside them may be used by all. */
export const folderMaps = {
  'packages/raster/src/': {
    io: { imports: [], description: 'byte sources, range requests, caches' },
    formats: { imports: ['io'], description: 'GeoTIFF, JPEG 2000, codecs, reference systems: a file as plain values' },
    compute: {
      imports: ['io', 'formats'],
      description: 'pixels in memory: kernels, windows, expressions, indices, areas, statistics',
    },
    render: {
      imports: ['io', 'formats', 'compute'],
      description: 'plan, warp, mosaic, style and encode: images',
    },
    cog: {
      imports: ['io', 'formats', 'compute', 'render'],
      description: 'sources of computed images, and the writer of cloud-optimized GeoTIFF',
    },
    pool: { imports: ['io', 'formats', 'compute', 'render', 'cog'], description: 'all of it in threads' },
  },
} as const satisfies Record<string, Record<string, FolderBoundary>>

export interface LayerBoundary {
  readonly imports: readonly string[]
  /** Workspaces besides `contract` and `geo`, which all layers may import. */
  readonly packages: readonly string[]
  readonly description: string
}

/** The layers of the server. `root` is the composition root: the files that import all layers and connect them. */
export const layers = {
  platform: { imports: [], packages: [], description: 'database, queue, blobs, clock, cryptography, integrations' },
  engine: { imports: ['platform'], packages: [], description: 'one pipeline for every call; tasks' },
  domains: { imports: ['engine', 'platform'], packages: ['packages/raster'], description: 'the domain modules' },
  http: { imports: ['engine', 'platform'], packages: [], description: 'adapters for REST, STAC, OGC, OIDC' },
  root: {
    imports: ['platform', 'engine', 'domains', 'http'],
    packages: ['packages/raster'],
    description: 'the composition root',
  },
} as const satisfies Record<string, LayerBoundary>

export const rootFiles = [
  'packages/server/src/main.ts',
  'packages/server/src/app.ts',
  'packages/server/src/server-routes.ts',
  'packages/server/src/services.ts',
  'packages/server/src/pipeline-dependencies.ts',
  'packages/server/src/server-metrics.ts',
  'packages/server/src/open-integrations.ts',
  'packages/server/src/terminal-keys.ts',
  'packages/server/src/initial-content.ts',
] as const

/** Files beside the modules that import all of them: handlers, the module list, event handlers and schedules. */
export const registryFiles = ['handlers.ts', 'domains.ts', 'event-handlers.ts', 'schedules.ts'] as const

/** Libraries that consist of types: only their package `@types/…` exists. */
export const typeLibraries: readonly string[] = ['geojson', 'topojson-specification']

/** The file that lists the tasks of a module, its deadlines, and the recovery from a killed process. */
export const moduleFile = 'module.ts'

export interface ModuleTier {
  readonly letter: string
  readonly description: string
  readonly modules: readonly string[]
}

/** A function may import from an earlier tier or from its own, never from a later one. */
export const tiers: readonly ModuleTier[] = [
  {
    letter: 'A',
    description: 'records that refer to others by id only',
    modules: ['provenance', 'events', 'ledger', 'usage', 'dead-letters', 'audit-trail', 'feature-flags', 'operations'],
  },
  {
    letter: 'B',
    description: 'identity and organizations',
    modules: ['identity', 'organizations', 'users', 'api_keys', 'oauth_clients', 'eulas', 'projects'],
  },
  {
    letter: 'C',
    description: 'billing',
    modules: ['rate-cards', 'contracts', 'invoicing', 'payment_methods', 'card-payments', 'billing'],
  },
  {
    letter: 'D',
    description: 'data of an organization',
    modules: [
      'collections',
      'items',
      'assets',
      'stac',
      'aois',
      'uploads',
      'visualization',
      'band_formulas',
      'tiles',
      'vectors',
      'share',
    ],
  },
  { letter: 'E', description: 'external catalogues', modules: ['glossary', 'catalog'] },
  { letter: 'F', description: 'orders and processing', modules: ['processing', 'clip', 'analytics', 'orders'] },
  {
    letter: 'G',
    description: 'notifications and administration',
    modules: ['alerts', 'notifications', 'reports', 'event_subscriptions', 'webhooks', 'sandbox', 'admin'],
  },
]

/** Prefixes of operation ids that belong to a module of another name than their first word; the longest prefix wins. */
export const moduleOfIdPrefix: Readonly<Record<string, string>> = { event_types: 'events', 'items.tile': 'tiles', cog: 'tiles' } // prettier-ignore

export interface Permission {
  /** Permitted files (or folders, ending in a slash). */
  readonly files: readonly string[]
  readonly reason: string
}

/** Files that may contain SQL, besides every `store.ts` and `store.<topic>.ts` of a module. */
export const sqlPermission: Permission = {
  files: ['packages/server/src/platform/', 'packages/server/src/engine/store.idempotency.ts'],
  reason: 'the platform runs the statements; idempotency claims belong to the engine',
}

/** Stores whose `now` is not the organization's time. */
export const processTimePermission: Permission = {
  files: [
    'packages/server/src/domains/identity/store.sessions.ts',
    'packages/server/src/domains/items/assets/store.issued-downloads.ts',
    'packages/server/src/domains/users/store.ts',
  ],
  reason: 'users belong to no organization; a signed URL expires by the time of the process that serves it',
}

/** Files that may use `database.unscoped`, the connection that row-level security does not limit to one organization. */
export const unscopedPermissions: readonly Permission[] = [
  {
    files: [
      'packages/server/src/platform/database/',
      'packages/server/src/platform/queue/',
      'packages/server/src/platform/installation.ts',
      'packages/server/src/platform/secret-rotation/',
    ],
    reason: 'the platform creates the connection; the queue, the installation and its keys belong to no organization',
  },
  {
    files: [
      'packages/server/src/main.ts',
      'packages/server/src/app.ts',
      'packages/server/src/terminal-keys.ts',
      'packages/server/src/pipeline-dependencies.ts',
      'packages/server/src/engine/call.ts',
      'packages/server/src/engine/call-context.ts',
    ],
    reason: 'they pass it on',
  },
  {
    files: [
      'packages/server/src/domains/identity/',
      'packages/server/src/domains/users/',
      'packages/server/src/domains/organizations/',
      'packages/server/src/domains/api_keys/',
      'packages/server/src/domains/oauth_clients/',
      'packages/server/src/domains/orders/standing/run-standing-order.ts',
    ],
    reason: 'users, API keys and organizations are looked up before the organization is known',
  },
  {
    files: [
      'packages/server/src/domains/orders/sweep.task.ts',
      'packages/server/src/domains/orders/standing/sweep.task.ts',
      'packages/server/src/domains/catalog/saved-searches/sweep.task.ts',
      'packages/server/src/domains/billing/sweep-deadlines.task.ts',
      'packages/server/src/domains/uploads/sweep.task.ts',
      'packages/server/src/domains/analytics/sweep-results.task.ts',
      'packages/server/src/domains/processing/sweep.task.ts',
      'packages/server/src/domains/items/retention/sweep-retention.task.ts',
      'packages/server/src/domains/items/retention/sweep-retention.ts',
      'packages/server/src/domains/notifications/sweep.task.ts',
      'packages/server/src/domains/reports/sweep.task.ts',
      'packages/server/src/domains/reports/run-schedule.ts',
      'packages/server/src/domains/notifications/sweep-retention.task.ts',
      'packages/server/src/domains/event_subscriptions/delivery-worker.ts',
      'packages/server/src/domains/event_subscriptions/log/sweep-delivery-log.task.ts',
      'packages/server/src/domains/event_subscriptions/event-days/sweep-event-days.task.ts',
      'packages/server/src/domains/event_subscriptions/due-organizations.ts',
      'packages/server/src/domains/webhooks/operations/webhooks.drain.ts',
      'packages/server/src/domains/schedules.ts',
    ],
    reason: 'a sweep lists what is due in all organizations and then works for one at a time',
  },
  {
    files: ['packages/server/src/engine/delete-expired-claims.task.ts'],
    reason: 'expired idempotency keys are deleted for all organizations at once',
  },
  {
    files: [
      'packages/server/src/domains/usage/reconciliation/reconciliation.ts',
      'packages/server/src/domains/billing/operations/billing.reconciliation.list_corrections.ts',
      'packages/server/src/domains/billing/operations/billing.reconciliation.list_runs.ts',
    ],
    reason: 'operators reconcile the stored bytes of a named organization, or of all',
  },
  {
    files: [
      'packages/server/src/domains/billing/operations/billing.cleanup_deleted_orgs.ts',
      'packages/server/src/domains/billing/operations/billing.deletions.pending.ts',
      'packages/server/src/domains/billing/operations/billing.enterprise.accrual.ts',
      'packages/server/src/domains/billing/operations/billing.enterprise.mark_invoiced.ts',
      'packages/server/src/domains/billing/operations/billing.free_tier.approve.ts',
      'packages/server/src/domains/billing/operations/billing.free_tier.grant_all.ts',
      'packages/server/src/domains/billing/operations/billing.free_tier.list_pending.ts',
      'packages/server/src/domains/billing/operations/billing.free_tier.revoke.ts',
      'packages/server/src/domains/billing/operations/billing.jobs.settle_unsettled.ts',
      'packages/server/src/domains/billing/operations/billing.run_monthly_cron.ts',
      'packages/server/src/domains/billing/for-each-organization.ts',
      'packages/server/src/domains/invoicing/billing-cycle/schedule-month-ends.task.ts',
      'packages/server/src/domains/ledger/store.deadlines.ts',
      'packages/server/src/domains/billing/store.free-tier.ts',
    ],
    reason: 'operators bill a named organization, or all of them one after the other',
  },
  {
    files: [
      'packages/server/src/domains/dead-letters/',
      'packages/server/src/domains/card-payments/processor/processor-events.ts',
    ],
    reason: 'webhook events and permanently failed tasks may not belong to an organization yet',
  },
  {
    files: ['packages/server/src/platform/integrations/payments/embedded/'],
    reason: 'the embedded payment processor has tables of its own that no organization can see',
  },
  {
    files: ['packages/server/src/platform/integrations/hosts/constellation/'],
    reason: 'the simulated constellation has tables of its own that no organization can see',
  },
  {
    files: [
      'packages/server/src/domains/share/authorize-share-link.ts',
      'packages/server/src/domains/share/operations/share.link.create.ts',
    ],
    reason: 'the token of a share link is looked up before the sharing organization is known',
  },
  {
    files: ['packages/server/src/domains/notifications/unsubscribe.ts'],
    reason: 'an unsubscribe link names the organization, which may be a sandbox whose time was not read yet',
  },
  {
    files: [
      'packages/server/src/domains/items/operations/items.expire_batch.ts',
      'packages/server/src/domains/items/operations/items.list_expiring.ts',
      'packages/server/src/domains/items/store.item-lifecycle.ts',
    ],
    reason: 'operators expire items of any organization whose retention has ended',
  },
  {
    files: ['packages/server/src/domains/orders/operations/orders.tasking.groups.list.ts'],
    reason: 'operators read the tasking order of the organization that they name',
  },
  {
    files: ['packages/server/src/platform/sandbox/sandbox-times.ts', 'packages/server/src/engine/sandbox-runner.ts'],
    reason: 'the time of a sandbox is read before its connection is used, and what is due in all tables that have it',
  },
  { files: ['packages/server/src/domains/admin/'], reason: 'operators act on the organization that they name' },
]

/** Libraries that may be imported in one place only, so that each can be replaced there. */
export const libraryPermissions: readonly (Permission & { readonly library: RegExp })[] = [
  { library: /^pg$/, files: ['packages/server/src/platform/database/'], reason: 'one driver behind one interface' },
  { library: /^@electric-sql\//, files: ['packages/server/src/platform/database/'], reason: 'the embedded database' },
  { library: /^node:sqlite$/, files: ['packages/server/src/platform/database/embedded/'], reason: 'the folder lock' },
  { library: /^pg-boss$/, files: ['packages/server/src/platform/queue/'], reason: 'the queue behind one interface' },
  { library: /^node:async_hooks$/, files: ['packages/server/src/platform/queue/', 'packages/server/src/platform/tracing/'], reason: 'the ambient contexts: the transaction of a call of pg-boss, and the current span' }, // prettier-ignore
  { library: /^@opentelemetry\//, files: ['packages/server/src/platform/tracing/'], reason: 'traces behind one interface' }, // prettier-ignore
  { library: /^@aws-sdk\//, files: ['packages/server/src/platform/blobs/'], reason: 'object storage behind one interface' }, // prettier-ignore
  { library: /^stripe$/, files: ['packages/server/src/platform/integrations/payments/'], reason: 'the payment processor behind one interface' }, // prettier-ignore
  { library: /^openid-client$/, files: ['packages/server/src/platform/integrations/openid/'], reason: 'OpenID' },
  { library: /^nodemailer$/, files: ['packages/server/src/platform/integrations/mail/'], reason: 'e-mail' },
  { library: /^@?fastify/, files: ['packages/server/src/http/', 'packages/server/src/app.ts', 'packages/server/src/server-routes.ts'], reason: 'the HTTP framework can be replaced in one place; the application holds the listening server' }, // prettier-ignore
  { library: /^node:(https?|net|tls|dns|dgram|http2)(\/|$)/, files: ['packages/server/src/platform/integrations/', 'packages/server/src/http/', 'packages/server/src/platform/queue/admin-socket.ts'], reason: 'only integrations connect to networks and only http listens; the admin socket in the data folder is local' }, // prettier-ignore
  { library: /^pino$/, files: ['packages/server/src/platform/log.ts', 'packages/server/src/platform/log-output.ts'], reason: 'one log line per call, written in one place' }, // prettier-ignore
  { library: /^lru-cache$/, files: ['packages/server/src/platform/bounded-cache.ts'], reason: 'one bounded cache instead of one in every module' }, // prettier-ignore
  { library: /^satellite\.js$/, files: ['packages/geo/src/orbit/satellite.ts'], reason: 'SGP4 behind one interface' },
  { library: /^pdfkit$/, files: ['packages/server/src/domains/invoicing/documents/print-document.ts', 'packages/server/src/domains/reports/pdf/'], reason: 'documents of money are laid out on an abstract canvas, and one file writes the PDF; reports draw charts and maps' }, // prettier-ignore
  { library: /^(subset-font|fontverter|fontkit|harfbuzzjs|bidi-js)$/, files: ['packages/server/src/platform/pdf-text/'], reason: 'text of any script is shaped in one place, for reports and for documents of money' }, // prettier-ignore
  { library: /^(d3-geo|d3-scale|topojson-client)$/, files: ['packages/server/src/domains/reports/pdf/'], reason: 'the drawing of reports can be replaced in one place' }, // prettier-ignore
  { library: /^(otpauth|uqr)$/, files: ['packages/server/src/domains/identity/second-factor/totp.ts'], reason: 'codes of authenticator apps in one place' }, // prettier-ignore
  { library: /^iconv-lite$/, files: ['packages/server/src/domains/vectors/read/dbf-decoder.ts'], reason: 'code pages of tables in one place' }, // prettier-ignore
  { library: /^find-my-way$/, files: ['packages/server/src/http/route-table.ts'], reason: 'the router of Fastify, asked for the methods of a path in one place' }, // prettier-ignore
  { library: /^negotiator$/, files: ['packages/server/src/platform/html/accepted-language.ts', 'packages/server/src/http/bodies/compression.ts', 'packages/server/src/http/problem-media-type.ts'], reason: 'the language, the coding and the type of a response are each chosen in one place' }, // prettier-ignore
  { library: /^@simplewebauthn\//, files: ['packages/server/src/domains/identity/passkeys/webauthn.ts'], reason: 'passkeys behind a few functions' }, // prettier-ignore
  { library: /^eventsource-parser$/, files: ['packages/client/src/streams/'], reason: 'the one library of the published client' }, // prettier-ignore
  { library: /^typebox/, files: ['packages/contract/src/', 'packages/server/src/engine/', 'packages/server/src/platform/', 'packages/server/src/domains/'], reason: 'schemas are declared in the contract and compiled in the engine; tasks and settings have schemas of their own' }, // prettier-ignore
]

export interface RestrictedPattern extends Permission {
  readonly pattern: RegExp
  readonly name: string
}

/** Patterns that product code (not tests, not tools) may contain only in the named files. */
export const restrictedPatterns: readonly RestrictedPattern[] = [
  {
    name: 'process.env',
    pattern: /\bprocess\.env\b/g,
    files: ['packages/server/src/platform/config.ts', 'packages/server/src/main.ts', 'packages/cli/src/main.ts'],
    reason: 'settings are defined in one table; the two main files pass the environment to it',
  },
  {
    name: 'the current time',
    pattern:
      /\bDate\.now\s*\(|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()|\bperformance\.now\s*\(|\bprocess\.hrtime\b|\bTemporal\.Now\b/g,
    files: [
      'packages/server/src/platform/clock.ts',
      'packages/server/src/platform/ids.ts',
      'packages/client/src/',
      'packages/cli/src/',
      'apps/console/src/',
    ],
    reason: 'tests set the clock; a UUIDv7 begins with the time; clients are not part of the server',
  },
  {
    name: 'the process clock',
    pattern: /\bclocks?\.process\b|\bClock\b(?!\.)|\bsystemClock\b|\btimes\.processTime\b/g,
    files: [
      'packages/server/src/platform/',
      'packages/server/src/app.ts',
      'packages/server/src/services.ts',
      'packages/server/src/open-integrations.ts',
      'packages/server/src/http/routes/signed-blob-routes.ts',
      'packages/server/src/engine/page-token.ts',
      'packages/server/src/domains/identity/',
      'packages/server/src/domains/organizations/operations/organizations.create.ts',
      'packages/server/src/domains/organizations/seal-audit.task.ts',
      'packages/server/src/domains/organizations/federation/verify-domains.task.ts',
      'packages/server/src/domains/organizations/delegations.ts',
      'packages/server/src/domains/audit-trail/audit-trail.ts',
      'packages/server/src/domains/admin/users/',
      'packages/server/src/domains/organizations/support-access/',
      'packages/server/src/domains/admin/operations/admin.feature_flags.set.ts',
      'packages/server/src/domains/admin/effective-versions.ts',
      'packages/server/src/domains/admin/stuck-work/stuck-work.ts',
      'packages/server/src/domains/sandbox/',
      'packages/server/src/domains/card-payments/processor/processor-events.ts',
      'packages/server/src/domains/dead-letters/',
      'packages/server/src/domains/items/assets/issued-downloads.ts',
      'packages/server/src/domains/items/assets/download-url.ts',
      'packages/server/src/domains/items/assets/archive/',
      'packages/server/src/domains/tiles/url/remote-raster.ts',
      'packages/server/src/domains/event_subscriptions/',
      'packages/server/src/domains/notifications/send-email.ts',
      'packages/server/src/domains/notifications/sweep.task.ts',
      'packages/server/src/domains/processing/',
      'packages/server/src/engine/sandbox-runner.ts',
      'packages/server/src/domains/share/share-visitors.ts',
      'packages/server/src/domains/uploads/',
    ],
    reason:
      'rows of an organization use its own clock; the process clock is for signed URLs, user sessions, queued tasks, leases, in-memory caches and what belongs to no organization',
  },
  {
    name: 'acting as another organization',
    pattern: /\bcall\.asOrganization\s*\(/g,
    files: ['packages/server/src/domains/share/', 'packages/server/src/domains/webhooks/operations/webhooks.drain.ts'],
    reason:
      'a call with a share link token acts for the organization that shares; an operator sends the deliveries of all',
  },
  {
    name: 'randomness',
    pattern: /\bMath\.random\s*\(|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b|\brandomFillSync\b/g,
    files: ['packages/server/src/platform/ids.ts', 'packages/server/src/platform/crypto/', 'packages/client/src/', 'apps/console/src/api/', 'packages/cli/src/operations/random-values.ts'], // prettier-ignore
    reason:
      'ids and secrets are each generated in one place; clients make idempotency keys, and the client waits at random',
  },
  {
    name: 'fetch',
    pattern: /(?<![.\w])fetch\s*\(|\bglobalThis\.fetch\b/g,
    files: [
      'packages/server/src/platform/integrations/',
      'packages/client/src/',
      'packages/cli/src/',
      'apps/console/src/session/',
    ],
    reason: 'only integrations connect to networks; other code receives a function',
  },
  {
    name: 'console',
    pattern: /\bconsole\.\w+/g,
    files: ['packages/cli/src/', 'packages/server/src/main.ts'],
    reason: 'the server writes a log; only the command line and the first start print for a person',
  },
]

/**
 * Product code that may have state at module level. Each entry is either derived from constants alone, or belongs to the
 * process whatever application runs in it.
 */
export const processStatePermissions: readonly Permission[] = [
  { files: ['packages/raster/src/'], reason: 'the raster engine is redesigned in an issue of its own' },
  { files: ['packages/server/src/main.ts'], reason: 'the entry point starts one application' },
  { files: ['packages/server/src/platform/ids.ts'], reason: 'ids of a process are made in order and never repeated' },
  { files: ['packages/server/src/platform/clock.ts'], reason: 'the text of the current millisecond, for the log' },
  {
    files: ['packages/server/src/platform/log.ts', 'packages/server/src/http/http-call.ts'],
    reason: 'what a name or a media type means, a pure function that is computed once for each',
  },
  {
    files: ['packages/server/src/platform/metrics.ts', 'packages/server/src/http/rate-limit-headers.ts'],
    reason: 'the text of a constant object, written once',
  },
  {
    files: ['packages/server/src/engine/input/'],
    reason: 'validators compiled from the schemas of the contract, which are constants',
  },
  {
    files: ['packages/server/src/domains/items/search/cql2/case-folding.ts'],
    reason: 'tables derived from Unicode alone, made on first use',
  },
  {
    files: [
      'packages/server/src/platform/database/raw.ts',
      'packages/server/src/platform/database/postgres-session.ts',
      'packages/server/src/platform/database/statement-pipeline.ts',
      'packages/server/src/platform/database/pool/session-settings.ts',
    ],
    reason: 'private members of connections, in weak maps because the driver makes the objects',
  },
  { files: ['packages/server/src/domains/vectors/vector-worker/worker-thread.ts'], reason: 'the entry point of a thread, which serves one process' }, // prettier-ignore
]

/** File names that say nothing about the content. */
export const bannedNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'base', 'lib', 'shared']

/** Permitted `index` files: the entry points of a package, the public API of kernels, and the entry point of their compilation. */
// prettier-ignore
export const allowedIndexFiles = [
  'packages/client/src/index.ts', 'packages/client/src/node/index.ts', 'packages/client/src/tiles/index.ts', 'packages/client/src/webhooks/index.ts',
  'packages/raster/src/index.ts', 'packages/raster/src/compute/kernels/index.ts', 'packages/raster/src/compute/kernels/assembly/index.ts',
]
