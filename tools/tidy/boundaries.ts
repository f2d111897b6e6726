/**
 * The map of the house as data: who may know whom, and what each file may hold. The rules beside this file read it,
 * `ARCHITECTURE.md` prints it, and nothing else decides where a wall stands.
 */

export interface PackageRow {
  /** Workspaces that its files may import. */
  readonly imports: readonly string[]
  /** False where the code must run outside Node: no `node:` modules then. */
  readonly node: boolean
  readonly about: string
}

export const packages = {
  'packages/contract': { imports: [], node: false, about: 'the written terms: what can be asked' },
  'packages/geo': { imports: [], node: false, about: 'the shape of the Earth' },
  'packages/raster': { imports: ['packages/geo'], node: true, about: 'the darkroom: files to pixels and back' },
  'packages/server': {
    imports: ['packages/contract', 'packages/geo', 'packages/raster'],
    node: true,
    about: 'doors, hall, rooms and ground',
  },
  'packages/client': { imports: [], node: false, about: 'the printed client' },
  'packages/cli': { imports: ['packages/client'], node: true, about: 'the command line' },
  'apps/console': { imports: ['packages/client', 'packages/geo'], node: false, about: 'the console' },
} as const satisfies Record<string, PackageRow>

/** The one file by which other workspaces may enter a package; packages without a row are entered by any file. */
export const fronts: Readonly<Record<string, string>> = {
  'packages/raster': 'packages/raster/src/index.ts',
}

/** Journeys go through the real client, so tests may know it where the product may not. */
export const testImports: Readonly<Record<string, readonly string[]>> = { 'packages/server': ['packages/client'] }

export interface LayerRow {
  readonly imports: readonly string[]
  /** Workspaces beyond `contract` and `geo`, which all layers may import. */
  readonly packages: readonly string[]
  readonly about: string
}

/** Inside the server. `house` is the files that know everybody and introduce them to each other. */
export const layers = {
  platform: { imports: [], packages: [], about: 'the ground: database, queue, bytes, clock, secrets, outside' },
  engine: { imports: ['platform'], packages: [], about: 'the hall: one pipeline for every call' },
  domains: { imports: ['engine', 'platform'], packages: ['packages/raster'], about: 'the rooms' },
  http: { imports: ['engine', 'platform'], packages: [], about: 'the doors' },
  house: {
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

/** Files beside the rooms that know all of them: the list, who listens to which event, what runs by the clock. */
export const corridorFiles = ['domains.ts', 'reactions.ts', 'schedules.ts'] as const

/** A room's list of its operations and tasks: the only file that may import an operation file. */
export const roomList = 'room.ts'

export interface Street {
  readonly letter: string
  readonly about: string
  readonly rooms: readonly string[]
}

/** A function may walk to an earlier street or along its own, never to a later one. */
export const streets: readonly Street[] = [
  {
    letter: 'A',
    about: 'records; know only ids',
    rooms: ['provenance', 'events', 'ledger', 'usage', 'notifications', 'operations', 'idempotency'],
  },
  { letter: 'B', about: 'people', rooms: ['identity', 'organizations', 'users', 'api_keys', 'eulas', 'projects'] },
  { letter: 'C', about: 'money', rooms: ['billing', 'payment_methods'] },
  {
    letter: 'D',
    about: 'holdings',
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
  { letter: 'E', about: "others' catalogues", rooms: ['glossary', 'catalog'] },
  { letter: 'F', about: 'work', rooms: ['processing', 'clip', 'analytics', 'orders'] },
  {
    letter: 'G',
    about: 'watchers and operators',
    rooms: ['alerts', 'reports', 'event_subscriptions', 'webhooks', 'sandbox', 'admin'],
  },
]

/** First words whose operations live in a room of another name. */
export const roomOfWord: Readonly<Record<string, string>> = { event_types: 'events' }

export interface Licence {
  /** Files (or folders, ending in a slash) that may. */
  readonly files: readonly string[]
  readonly reason: string
}

/** Where SQL is written, beside every `store.ts` and `store.<topic>.ts` of a room. */
export const sqlFiles: Licence = {
  files: ['packages/server/src/platform/', 'packages/server/src/engine/store.once.ts'],
  reason: 'the ground runs the statements; the claims of the hall are its own rows',
}

/** Stores whose `now` is not the time of an organization. */
export const processTimeStores: Licence = {
  files: [
    'packages/server/src/domains/identity/store.sessions.ts',
    'packages/server/src/domains/items/store.given-downloads.ts',
    'packages/server/src/domains/users/store.ts',
  ],
  reason: 'people belong to no organization; a signed address ends by the time of whoever serves it',
}

/** Who may hold `database.across`, the handle that row-level security does not bind to one organization. */
export const acrossFiles: readonly Licence[] = [
  {
    files: ['packages/server/src/platform/database/', 'packages/server/src/platform/queue/'],
    reason: 'the ground makes the handle; the queue works for all organizations',
  },
  {
    files: [
      'packages/server/src/main.ts',
      'packages/server/src/house.ts',
      'packages/server/src/engine/call.ts',
      'packages/server/src/engine/open-call.ts',
    ],
    reason: 'they hand it on',
  },
  {
    files: [
      'packages/server/src/domains/identity/',
      'packages/server/src/domains/users/',
      'packages/server/src/domains/organizations/',
      'packages/server/src/domains/api_keys/',
    ],
    reason: 'the directories of people, keys and organizations are read before the organization is known',
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
    reason: 'a sweep looks for what is due in any organization and then works for one',
  },
  {
    files: ['packages/server/src/domains/idempotency/forget-claims.task.ts'],
    reason: 'keys whose day is over are forgotten for all organizations at once',
  },
  {
    files: [
      'packages/server/src/domains/billing/storage/reconciliation.ts',
      'packages/server/src/domains/billing/billing.reconciliation.list_corrections.ts',
      'packages/server/src/domains/billing/billing.reconciliation.list_runs.ts',
    ],
    reason: 'operators compare and correct the stored bytes of the organization that they name, or of all',
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
    reason: 'operators bill the organization that they name, or all of them one after the other',
  },
  {
    files: [
      'packages/server/src/domains/billing/dead-letters.ts',
      'packages/server/src/domains/billing/processor/processor-events.ts',
    ],
    reason: 'what the processor tells, and work that failed for good, may belong to nobody yet',
  },
  {
    files: ['packages/server/src/platform/outside/payments/embedded/'],
    reason: 'the embedded processor is a company of its own, with tables that no organization sees',
  },
  {
    files: ['packages/server/src/domains/share/open-link.ts', 'packages/server/src/domains/share/share.link.create.ts'],
    reason: 'the token of a link is looked up before it is known who shares',
  },
  {
    files: [
      'packages/server/src/domains/items/items.expire_batch.ts',
      'packages/server/src/domains/items/items.list_expiring.ts',
      'packages/server/src/domains/items/store.life.ts',
    ],
    reason: 'operators end the retention of whatever organization is due',
  },
  { files: ['packages/server/src/domains/admin/'], reason: 'operators act on the organization that they name' },
]

/** Libraries that stand for a decision: confined, so that each can be replaced in one place. */
export const libraries: readonly (Licence & { readonly library: RegExp })[] = [
  { library: /^pg$/, files: ['packages/server/src/platform/database/'], reason: 'one driver behind one interface' },
  { library: /^@electric-sql\//, files: ['packages/server/src/platform/database/'], reason: 'the embedded database' },
  { library: /^node:sqlite$/, files: ['packages/server/src/platform/database/embedded/'], reason: 'the folder lock' },
  { library: /^pg-boss$/, files: ['packages/server/src/platform/queue/'], reason: 'the queue behind its face' },
  {
    library: /^node:async_hooks$/,
    files: ['packages/server/src/platform/queue/'],
    reason: 'the one ambient context of the house',
  },
  { library: /^@aws-sdk\//, files: ['packages/server/src/platform/blobs/'], reason: 'object storage behind its face' },
  {
    library: /^stripe$/,
    files: ['packages/server/src/platform/outside/payments/'],
    reason: 'a processor of payments behind its face',
  },
  {
    library: /^@?fastify/,
    files: ['packages/server/src/http/', 'packages/server/src/house.ts'],
    reason: 'the framework is replaceable in a day; the house holds the server that listens',
  },
  {
    library: /^node:(https?|net|tls|dns|dgram|http2)(\/|$)/,
    files: [
      'packages/server/src/platform/outside/',
      'packages/server/src/http/',
      'packages/server/src/platform/queue/local-door.ts',
    ],
    reason: 'only outside speaks to networks, only the doors are spoken to; a socket in the data folder is no network',
  },
  {
    library: /^pino$/,
    files: ['packages/server/src/platform/log.ts', 'packages/server/src/platform/log-output.ts'],
    reason: 'one wide line a call, written in one place',
  },
  {
    library: /^pdfkit$/,
    files: ['packages/server/src/domains/billing/documents/print-document.ts'],
    reason: 'documents are laid out on paper of our own; one file puts them into PDF',
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
      'schemas are declared in the contract and compiled in the hall; tasks and settings have shapes of their own',
  },
]

export interface WordRow extends Licence {
  readonly word: RegExp
  readonly name: string
}

/** Words that product code (not tests, not tools) may say only in the named files. */
export const words: readonly WordRow[] = [
  {
    name: 'process.env',
    word: /\bprocess\.env\b/g,
    files: ['packages/server/src/platform/config.ts', 'packages/server/src/main.ts', 'packages/cli/src/main.ts'],
    reason: 'settings come from one table; the two mains hand the environment to it',
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
    reason: 'tests move the clock by hand; an id of version 7 begins with the time; a client is outside of the house',
  },
  {
    name: 'the time of the process',
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
      'rows of an organization are written and compared by its own clock; the process tells the end of signed addresses, sessions of people, tasks in the queue and what it keeps in memory, and what belongs to no organization',
  },
  {
    name: 'within an organization',
    word: /\bcall\.within\s*\(/g,
    files: ['packages/server/src/domains/share/'],
    reason: 'a visitor with the token of a link is served by the organization that shares',
  },
  {
    name: 'randomness',
    word: /\bMath\.random\s*\(|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b|\brandomFillSync\b/g,
    files: ['packages/server/src/platform/ids.ts', 'packages/server/src/platform/crypto/'],
    reason: 'ids and secrets are made in one place each',
  },
  {
    name: 'fetch',
    word: /(?<![.\w])fetch\s*\(|\bglobalThis\.fetch\b/g,
    files: ['packages/server/src/platform/outside/', 'packages/client/src/', 'packages/cli/src/'],
    reason: 'only outside speaks to networks; everybody else is handed a function',
  },
  {
    name: 'console',
    word: /\bconsole\.\w+/g,
    files: ['packages/cli/src/', 'packages/server/src/main.ts'],
    reason: 'the server writes its log, the command line and the first greeting speak to a person',
  },
]

/** Names that say nothing about what a file holds. */
export const bannedNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'base', 'lib', 'shared']

/** Where a file called `index` is right: the public words of a package, of its kernels, and what they compile to. */
export const indexFiles = [
  'packages/raster/src/index.ts',
  'packages/raster/src/kernels/index.ts',
  'packages/raster/src/kernels/assembly/index.ts',
]
