import type { Database } from '../database.ts'
import type { DatabaseDriver } from '../driver.ts'
import { toStatementTimeouts } from '../driver.ts'
import { runPeriodically } from '../../run-periodically.ts'
import { DatabaseFailure, isDiskFullError } from '../failures.ts'
import { createDatabaseFromDriver } from '../connections.ts'
import type { OnBackgroundError } from '../connections.ts'
import { openDatabaseEngineClient } from './engine-client.ts'
import type { DatabaseEngineClient } from './engine-client.ts'
import { ensureTrimmedPostgisBundle, getPackagedPostgisBundleUrl } from './bundle.ts'
import { createEmbeddedDriver } from './driver.ts'
import { lockFolder, resolveFolder } from './folder-lock.ts'
import type { FolderLock } from './folder-lock.ts'
import { checkDatabaseVersion, ensureDatabaseFolder } from './database-folder.ts'
import { ensureDatabaseTemplate } from './template.ts'
import type { DatabaseEngineOptions } from './messages.ts'
import type { DatabaseEngineThreadOpener } from './thread.ts'
import { createDatabaseMaintenance } from './maintenance.ts'
import type { DatabaseMaintenanceReport, DatabaseMaintenanceRules } from './maintenance.ts'

/** The log of the embedded database. */
export interface EmbeddedDatabaseLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

export interface EmbeddedDatabaseOptions {
  /** The data folder; created if missing. */
  readonly dir: string
  /** Holds the template and the trimmed bundle; may be shared, and may be deleted while no process starts. */
  readonly cacheDir: string
  /** A statement beyond this fails with `statement-too-long`. */
  readonly statement_timeout_ms: number
  /** The same for searches, which fail with `search-too-long`; absent: that of other statements. */
  readonly search_timeout_ms?: number
  /** False lets a commit return before the data is on disk; for tests. */
  readonly durable?: boolean
  /** Returns the folder that a new database is copied from, instead of the template with only the extension. */
  readonly template?: () => Promise<string>
  readonly log?: EmbeddedDatabaseLog
}

/** Counters for tests and metrics. */
export interface EmbeddedDatabaseCounters {
  /** Syncs to disk since opening. */
  readonly syncs: number
  /** The number of times that the engine was terminated and reopened. */
  readonly reopened: number
}

export interface EmbeddedDatabase extends Database {
  counters(): EmbeddedDatabaseCounters
  /** Runs the maintenance that is due under these rules now. */
  maintain(rules: DatabaseMaintenanceRules): Promise<DatabaseMaintenanceReport>
}

const script_timeout_ms = 600_000
const maintenance_interval_ms = 60_000
const ownerSession = { role: 'owner', organization: null } as const

const openOnFolder = (options: EmbeddedDatabaseOptions, dir: string, bundle: string): Promise<DatabaseEngineClient> =>
  openDatabaseEngineClient({
    engine: { dir, bundle, durable: options.durable ?? true, storage: 'folder' },
    onReopen: (reason) => options.log?.warn({ reason }, 'reopening the embedded database'),
  })

const bundleWarning = 'the trimmed PostGIS bundle cannot be used; using the packaged one'

/** Opens with the trimmed bundle, or with the packaged one if that fails. */
export async function openWithFallbackBundle(
  options: EmbeddedDatabaseOptions,
  dir: string,
  trimmed: string,
): Promise<DatabaseEngineClient> {
  if (trimmed === getPackagedPostgisBundleUrl()) return openOnFolder(options, dir, trimmed)
  try {
    return await openOnFolder(options, dir, trimmed)
  } catch (error) {
    if (isDiskFullError(error)) throw error
    options.log?.warn({ error }, bundleWarning)
    return openOnFolder(options, dir, getPackagedPostgisBundleUrl())
  }
}

const trimmedBundleFor = (options: Pick<EmbeddedDatabaseOptions, 'cacheDir' | 'log'>): string =>
  ensureTrimmedPostgisBundle(options.cacheDir, (error) => options.log?.warn({ error }, bundleWarning))

/**
 * Opens the embedded PostgreSQL with PostGIS on a data folder that no other process uses. Throws `folder-in-use` if
 * another process has the folder, `folder-unusable` if it holds something else, `database-unavailable` if the engine does
 * not open.
 */
export const openEmbeddedPostgres = async (options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> =>
  (await prepareEmbeddedDatabase(options))()

/**
 * The first half of opening: locks the folder. The returned function is the second half, which creates and checks the folder and
 * opens the engine; most of that is work of another thread. Throws `folder-in-use`; the second half `folder-unusable`.
 */
export async function prepareEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<() => Promise<EmbeddedDatabase>> {
  const dir = resolveFolder(options.dir)
  const lock = lockFolder(dir)
  return () => openLockedFolder(options, dir, lock)
}

async function openFolder(options: EmbeddedDatabaseOptions, dir: string): Promise<DatabaseEngineClient> {
  const template = await (options.template?.() ?? ensureDatabaseTemplate(options.cacheDir))
  await ensureDatabaseFolder(dir, template, options.durable ?? true)
  checkDatabaseVersion(dir, template)
  return openWithFallbackBundle(options, dir, trimmedBundleFor(options))
}

async function openLockedFolder(
  options: EmbeddedDatabaseOptions,
  dir: string,
  lock: FolderLock,
): Promise<EmbeddedDatabase> {
  let engineClient: DatabaseEngineClient
  try {
    engineClient = await openFolder(options, dir)
  } catch (error) {
    lock.release()
    throw error
  }
  const driver = createEmbeddedDriver(engineClient, toStatementTimeouts(options, script_timeout_ms))
  const runner = driver.on(ownerSession)
  const maintenance = createDatabaseMaintenance(runner)
  const stopMaintenance = runPeriodically(
    maintenance_interval_ms,
    async () => options.log?.info({ ...(await maintenance.runDue()) }, 'maintained the embedded database'),
    (error) => options.log?.warn({ error }, 'the maintenance of the embedded database failed'),
  )
  const close = async (): Promise<void> => {
    await stopMaintenance()
    await runner
      .script('checkpoint')
      .catch((error: unknown) => options.log?.warn({ error }, 'the checkpoint before closing failed'))
    await driver.close()
    lock.release()
  }
  return createEmbeddedDatabase(options, engineClient, { ...driver, close })
}

export interface InMemoryDatabaseOptions extends Omit<EmbeddedDatabaseOptions, 'dir' | 'durable' | 'template'> {
  /** The folder that the database is copied from. */
  readonly template: string
  readonly openThread: DatabaseEngineThreadOpener
}

/** The engine options of an in-memory database. */
export const createMemoryDatabaseEngineOptions = (
  options: Pick<InMemoryDatabaseOptions, 'template' | 'cacheDir' | 'log'>,
): DatabaseEngineOptions => ({
  dir: options.template,
  bundle: trimmedBundleFor(options),
  durable: false,
  storage: 'memory',
})

/**
 * Opens an in-memory database that starts as a copy of the template, on a thread that the caller may reuse for the next
 * one: for tests, which open hundreds. If the thread is terminated, the database is lost. Throws `database-unavailable`.
 */
export async function openInMemoryDatabase(options: InMemoryDatabaseOptions): Promise<EmbeddedDatabase> {
  const engineClient = await openDatabaseEngineClient({
    engine: createMemoryDatabaseEngineOptions(options),
    openThread: openOnce(options.openThread),
    onReopen: (reason) => options.log?.warn({ reason }, 'the in-memory database is lost'),
  })
  const driver = createEmbeddedDriver(engineClient, toStatementTimeouts(options, script_timeout_ms))
  return createEmbeddedDatabase(options, engineClient, driver)
}

/** A second thread would hold a fresh copy of the template instead of the rows of the first. */
function openOnce(openEngineThread: DatabaseEngineThreadOpener): DatabaseEngineThreadOpener {
  let opened = false
  return (engine, events) => {
    if (opened) throw new DatabaseFailure('database-unavailable', 'the in-memory database was lost with its thread')
    opened = true
    return openEngineThread(engine, events)
  }
}

async function createEmbeddedDatabase(
  options: Pick<EmbeddedDatabaseOptions, 'log'>,
  engineClient: DatabaseEngineClient,
  driver: DatabaseDriver,
): Promise<EmbeddedDatabase> {
  let closing: Promise<void> | undefined
  const onError: OnBackgroundError = (error, activity) => options.log?.warn({ error }, activity)
  const database = await createDatabaseFromDriver({ ...driver, close: () => (closing ??= driver.close()) }, onError)
  const members = {
    counters: () => engineClient.counters(),
    maintain: (rules: DatabaseMaintenanceRules) => createDatabaseMaintenance(driver.on(ownerSession), rules).runDue(),
  }
  return Object.defineProperties(members as EmbeddedDatabase, Object.getOwnPropertyDescriptors(database))
}
