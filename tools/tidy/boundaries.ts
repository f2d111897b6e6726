/**
 * The architecture as data: which code may import which, and what each file may contain. The rules in this folder read it
 * and `ARCHITECTURE.md` prints it; there is no other definition of a boundary.
 */

export interface PackageRow {
  /** Workspaces that its files may import. */
  readonly imports: readonly string[]
  /** False where the code must run outside Node: no `node:` modules then. */
  readonly node: boolean
  readonly about: string
}

export const packages = {
  'packages/contract': { imports: [], node: false, about: 'operations, schemas, events and problems as data' },
  'packages/geo': { imports: [], node: false, about: 'geodesy and geometry' },
  'packages/raster': { imports: ['packages/geo'], node: true, about: 'raster engine: reading, rendering, measuring and writing' },
  'packages/server': {
    imports: ['packages/contract', 'packages/geo', 'packages/raster'],
    node: true,
    about: 'the HTTP API: adapters, pipeline, domain modules, platform',
  },
  'packages/client': { imports: [], node: false, about: 'the generated client' },
  'packages/cli': { imports: ['packages/client'], node: true, about: 'the command line' },
  'apps/console': { imports: ['packages/client', 'packages/geo'], node: false, about: 'the console' },
} as const satisfies Record<string, PackageRow>

/** The only file of a package that other workspaces may import; of packages without a row any file may be imported. */
export const fronts: Readonly<Record<string, string>> = {
  'packages/raster': 'packages/raster/src/index.ts',
}

/** Journey tests use the real client, so tests may import it where product code may not. */
export const testImports: Readonly<Record<string, readonly string[]>> = { 'packages/server': ['packages/client'] }

export interface LayerRow {
  readonly imports: readonly string[]
  /** Workspaces besides `contract` and `geo`, which all layers may import. */
  readonly packages: readonly string[]
  readonly about: string
}

/** The layers of the server. `root` is the composition root: the files that import all layers and connect them. */
export const layers = {
  platform: { imports: [], packages: [], about: 'database, queue, blobs, clock, cryptography, integrations' },
  engine: { imports: ['platform'], packages: [], about: 'one pipeline for every call; tasks' },
  domains: { imports: ['engine', 'platform'], packages: ['packages/raster'], about: 'the domain modules' },
  http: { imports: ['engine', 'platform'], packages: [], about: 'adapters for REST, STAC, OGC, OIDC' },
  root: {
    imports: ['platform', 'engine', 'domains', 'http'],
    packages: ['packages/raster'],
    about: 'the composition root',
  },
} as const satisfies Record<string, LayerRow>

export const houseFiles = [
  'packages/server/src/main.ts',
  'packages/server/src/house.ts',
  'packages/server/src/initial-content.ts',
] as const

/** Files beside the modules that import all of them: the module list, event handlers and schedules. */
export const corridorFiles = ['domains.ts', 'event-handlers.ts', 'schedules.ts'] as const

/** Registers the operations and tasks of a module: the only file that may import an operation file. */
export const roomList = 'module.ts'

export interface Street {
  readonly letter: string
  readonly about: string
  readonly rooms: readonly string[]
}

/** A function may import from an earlier tier or from its own, never from a later one. */
export const streets: readonly Street[] = [
  {
    letter: 'A',
    about: 'records that refer to others by id only',
    rooms: ['provenance', 'events', 'ledger', 'usage', 'notifications', 'operations', 'idempotency'],
  },
  { letter: 'B', about: 'identity and organizations', rooms: ['identity', 'organizations', 'users', 'api_keys', 'eulas', 'projects'] },
  { letter: 'C', about: 'billing', rooms: ['billing', 'payment_methods'] },
  {
    letter: 'D',
    about: 'data of an organization',
    rooms: [
      'collections',
      'items',
      'assets',
      'stac',
      'aois',
      'uploads',
      'visualization',
      'band_formulas',
      'rendering',
      'vectors',
      'cog',
      'share',
    ],
  },
  { letter: 'E', about: 'external catalogues', rooms: ['glossary', 'catalog'] },
  { letter: 'F', about: 'orders and processing', rooms: ['processing', 'clip', 'analytics', 'orders'] },
  {
    letter: 'G',
    about: 'notifications and administration',
    rooms: ['alerts', 'reports', 'event_subscriptions', 'webhooks', 'sandbox', 'admin'],
  },
]

/** First segments of operation ids whose module has another name. */
export const roomOfWord: Readonly<Record<string, string>> = { event_types: 'events' }

export interface Licence {
  /** Permitted files (or folders, ending in a slash). */
  readonly files: readonly string[]
  readonly reason: string
}

/** Files that may contain SQL, besides every `store.ts` and `store.<topic>.ts` of a module. */
export const sqlFiles: Licence = {
  files: ['packages/server/src/platform/', 'packages/server/src/engine/store.once.ts'],
  reason: 'the platform runs the statements; idempotency claims belong to the engine',
}

/** Stores whose `now` is not the organization's time. */
export const processTimeStores: Licence = {
  files: [
    'packages/server/src/domains/identity/store.sessions.ts',
    'packages/server/src/domains/items/store.given-downloads.ts',
    'packages/server/src/domains/users/store.ts',
  ],
  reason: 'users belong to no organization; a signed URL expires by the time of the process that serves it',
}

/** Files that may use `database.unscoped`, the connection that row-level security does not limit to one organization. */
export const acrossFiles: readonly Licence[] = [
  {
    files: ['packages/server/src/platform/database/', 'packages/server/src/platform/queue/'],
    reason: 'the platform creates the connection; the queue works for all organizations',
  },
  {
    files: [
      'packages/server/src/main.ts',
      'packages/server/src/house.ts',
      'packages/server/src/engine/call.ts',
      'packages/server/src/engine/open-call.ts',
    ],
    reason: 'they pass it on',
  },
  {
    files: [
      'packages/server/src/domains/identity/',
      'packages/server/src/domains/users/',
      'packages/server/src/domains/organizations/',
      'packages/server/src/domains/api_keys/',
    ],
    reason: 'users, API keys and organizations are looked up before the organization is known',
  },
  {
    files: [
      'packages/server/src/domains/orders/sweep.task.ts',
      'packages/server/src/domains/billing/sweep-deadlines.task.ts',
      'packages/server/src/domains/uploads/sweep.task.ts',
      'packages/server/src/domains/items/sweep-retention.task.ts',
      'packages/server/src/domains/items/sweep-retention.ts',
      'packages/server/src/domains/schedules.ts',
    ],
    reason: 'a sweep lists what is due in all organizations and then works for one at a time',
  },
  {
    files: ['packages/server/src/domains/idempotency/forget-claims.task.ts'],
    reason: 'expired idempotency keys are deleted for all organizations at once',
  },
  {
    files: [
      'packages/server/src/domains/billing/storage/reconciliation.ts',
      'packages/server/src/domains/billing/billing.reconciliation.list_corrections.ts',
      'packages/server/src/domains/billing/billing.reconciliation.list_runs.ts',
    ],
    reason: 'operators reconcile the stored bytes of a named organization, or of all',
  },
  {
    files: [
      'packages/server/src/domains/billing/billing.cleanup_deleted_orgs.ts',
      'packages/server/src/domains/billing/billing.deletions.pending.ts',
      'packages/server/src/domains/billing/billing.enterprise.accrual.ts',
      'packages/server/src/domains/billing/billing.enterprise.mark_invoiced.ts',
      'packages/server/src/domains/billing/billing.free_tier.approve.ts',
      'packages/server/src/domains/billing/billing.free_tier.grant_all.ts',
      'packages/server/src/domains/billing/billing.free_tier.list_pending.ts',
      'packages/server/src/domains/billing/billing.free_tier.revoke.ts',
      'packages/server/src/domains/billing/billing.jobs.settle_unsettled.ts',
      'packages/server/src/domains/billing/billing.run_monthly_cron.ts',
      'packages/server/src/domains/billing/months/each-organization.ts',
      'packages/server/src/domains/billing/months/plan-month-ends.task.ts',
      'packages/server/src/domains/billing/store.deadlines.ts',
      'packages/server/src/domains/billing/months/store.free-tier.ts',
    ],
    reason: 'operators bill a named organization, or all of them one after the other',
  },
  {
    files: [
      'packages/server/src/domains/billing/dead-letters.ts',
      'packages/server/src/domains/billing/processor/processor-events.ts',
    ],
    reason: 'webhook events and permanently failed tasks may not belong to an organization yet',
  },
  {
    files: ['packages/server/src/platform/outside/payments/embedded/'],
    reason: 'the embedded payment processor has tables of its own that no organization can see',
  },
  {
    files: ['packages/server/src/domains/share/open-link.ts', 'packages/server/src/domains/share/share.link.create.ts'],
    reason: 'the token of a share link is looked up before the sharing organization is known',
  },
  {
    files: [
      'packages/server/src/domains/items/items.expire_batch.ts',
      'packages/server/src/domains/items/items.list_expiring.ts',
      'packages/server/src/domains/items/store.life.ts',
    ],
    reason: 'operators expire items of any organization whose retention has ended',
  },
  { files: ['packages/server/src/domains/admin/'], reason: 'operators act on the organization that they name' },
]

/** Libraries that may be imported in one place only, so that each can be replaced there. */
export const libraries: readonly (Licence & { readonly library: RegExp })[] = [
  { library: /^pg$/, files: ['packages/server/src/platform/database/'], reason: 'one driver behind one interface' },
  { library: /^@electric-sql\//, files: ['packages/server/src/platform/database/'], reason: 'the embedded database' },
  { library: /^node:sqlite$/, files: ['packages/server/src/platform/database/embedded/'], reason: 'the folder lock' },
  { library: /^pg-boss$/, files: ['packages/server/src/platform/queue/'], reason: 'the queue behind one interface' },
  {
    library: /^node:async_hooks$/,
    files: ['packages/server/src/platform/queue/'],
    reason: 'the only ambient context',
  },
  { library: /^@aws-sdk\//, files: ['packages/server/src/platform/blobs/'], reason: 'object storage behind one interface' },
  {
    library: /^stripe$/,
    files: ['packages/server/src/platform/outside/payments/'],
    reason: 'the payment processor behind one interface',
  },
  {
    library: /^@?fastify/,
    files: ['packages/server/src/http/', 'packages/server/src/house.ts'],
    reason: 'the HTTP framework can be replaced in one place; the application holds the listening server',
  },
  {
    library: /^node:(https?|net|tls|dns|dgram|http2)(\/|$)/,
    files: [
      'packages/server/src/platform/outside/',
      'packages/server/src/http/',
      'packages/server/src/platform/queue/local-door.ts',
    ],
    reason: 'only integrations connect to networks and only http listens; the admin socket in the data folder is local',
  },
  {
    library: /^pino$/,
    files: ['packages/server/src/platform/log.ts', 'packages/server/src/platform/log-output.ts'],
    reason: 'one log line per call, written in one place',
  },
  {
    library: /^pdfkit$/,
    files: ['packages/server/src/domains/billing/documents/print-document.ts'],
    reason: 'documents are laid out on an abstract canvas; one file writes the PDF',
  },
  {
    library: /^typebox/,
    files: [
      'packages/contract/src/',
      'packages/server/src/engine/',
      'packages/server/src/platform/',
      'packages/server/src/domains/',
    ],
    reason:
      'schemas are declared in the contract and compiled in the engine; tasks and settings have schemas of their own',
  },
]

export interface WordRow extends Licence {
  readonly word: RegExp
  readonly name: string
}

/** Patterns that product code (not tests, not tools) may contain only in the named files. */
export const words: readonly WordRow[] = [
  {
    name: 'process.env',
    word: /\bprocess\.env\b/g,
    files: ['packages/server/src/platform/config.ts', 'packages/server/src/main.ts', 'packages/cli/src/main.ts'],
    reason: 'settings are defined in one table; the two main files pass the environment to it',
  },
  {
    name: 'the current time',
    word: /\bDate\.now\s*\(|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()|\bperformance\.now\s*\(|\bprocess\.hrtime\b|\bTemporal\.Now\b/g,
    files: [
      'packages/server/src/platform/clock.ts',
      'packages/server/src/platform/ids.ts',
      'packages/client/src/',
      'packages/cli/src/',
    ],
    reason: 'tests set the clock; a UUIDv7 begins with the time; clients are not part of the server',
  },
  {
    name: 'the process clock',
    word: /\bclocks?\.process\b|\bClock\b(?!\.)|\bsystemClock\b|\btimes\.usual\b/g,
    files: [
      'packages/server/src/platform/',
      'packages/server/src/house.ts',
      'packages/server/src/http/signed-blob-routes.ts',
      'packages/server/src/engine/page-token.ts',
      'packages/server/src/domains/identity/',
      'packages/server/src/domains/organizations/organizations.create.ts',
      'packages/server/src/domains/billing/processor/processor-events.ts',
      'packages/server/src/domains/billing/dead-letters.ts',
      'packages/server/src/domains/items/given-downloads.ts',
      'packages/server/src/domains/items/download-asset.ts',
      'packages/server/src/domains/items/archive/',
      'packages/server/src/domains/items/outside-raster.ts',
      'packages/server/src/domains/share/visitors.ts',
      'packages/server/src/domains/uploads/',
    ],
    reason:
      "rows of an organization use its own clock; the process clock is for signed URLs, user sessions, queued tasks, in-memory caches and what belongs to no organization",
  },
  {
    name: 'acting as another organization',
    word: /\bcall\.asOrganization\s*\(/g,
    files: ['packages/server/src/domains/share/'],
    reason: 'a call with a share link token acts for the organization that shares',
  },
  {
    name: 'randomness',
    word: /\bMath\.random\s*\(|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b|\brandomFillSync\b/g,
    files: ['packages/server/src/platform/ids.ts', 'packages/server/src/platform/crypto/'],
    reason: 'ids and secrets are each generated in one place',
  },
  {
    name: 'fetch',
    word: /(?<![.\w])fetch\s*\(|\bglobalThis\.fetch\b/g,
    files: ['packages/server/src/platform/outside/', 'packages/client/src/', 'packages/cli/src/'],
    reason: 'only integrations connect to networks; other code receives a function',
  },
  {
    name: 'console',
    word: /\bconsole\.\w+/g,
    files: ['packages/cli/src/', 'packages/server/src/main.ts'],
    reason: 'the server writes a log; only the command line and the first start print for a person',
  },
]

/** File names that say nothing about the content. */
export const bannedNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'base', 'lib', 'shared']

/** Permitted `index` files: the public API of a package, of its kernels, and the entry point of their compilation. */
export const indexFiles = [
  'packages/raster/src/index.ts',
  'packages/raster/src/kernels/index.ts',
  'packages/raster/src/kernels/assembly/index.ts',
]
