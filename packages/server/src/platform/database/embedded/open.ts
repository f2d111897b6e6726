import type { Database } from '../database.ts'
import type { Driver } from '../driver.ts'
import { toStatementLimits } from '../driver.ts'
import { repeat } from '../../repeat.ts'
import { DatabaseFailure, isFullDisk } from '../failures.ts'
import { makeDatabase } from '../handles.ts'
import type { OnFault } from '../handles.ts'
import { openBridge } from './bridge.ts'
import type { Bridge } from './bridge.ts'
import { smallBundle, stockBundle } from './bundle.ts'
import { embeddedDriver } from './driver.ts'
import { lockFolder, realFolder } from './folder-lock.ts'
import type { FolderLock } from './folder-lock.ts'
import { checkVersion, ensureFolder, ensureTemplate } from './template.ts'
import type { EngineOptions } from './messages.ts'
import type { OpenThread } from './thread.ts'
import { openUpkeep } from './upkeep.ts'
import type { UpkeepReport, UpkeepRules } from './upkeep.ts'

/** The log of the embedded database. */
export interface EmbeddedLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

export interface EmbeddedOptions {
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
  readonly log?: EmbeddedLog
}

/** Counters for tests and metrics. */
export interface EmbeddedFacts {
  /** Syncs to disk since opening. */
  readonly syncs: number
  /** How often the engine was terminated and reopened. */
  readonly reopened: number
}

export interface EmbeddedDatabase extends Database {
  facts(): EmbeddedFacts
  /** Runs the maintenance that is due under these rules now. */
  upkeep(rules: UpkeepRules): Promise<UpkeepReport>
}

const script_ms = 600_000
const upkeep_ms = 60_000
const owner = { eyes: 'owner', organization: null } as const

const onFolder = (options: EmbeddedOptions, dir: string, bundle: string): Promise<Bridge> =>
  openBridge({
    engine: { dir, bundle, durable: options.durable ?? true, storage: 'folder' },
    onReopen: (reason) => options.log?.warn({ reason }, 'reopening the embedded database'),
  })

const bundleWarning = 'the trimmed PostGIS bundle cannot be used; using the packaged one'

/** Opens with the trimmed bundle, or with the packaged one if that fails. */
export async function openEither(options: EmbeddedOptions, dir: string, small: string): Promise<Bridge> {
  if (small === stockBundle()) return onFolder(options, dir, small)
  try {
    return await onFolder(options, dir, small)
  } catch (error) {
    if (isFullDisk(error)) throw error
    options.log?.warn({ error }, bundleWarning)
    return onFolder(options, dir, stockBundle())
  }
}

const bundleOf = (options: Pick<EmbeddedOptions, 'cacheDir' | 'log'>): string =>
  smallBundle(options.cacheDir, (error) => options.log?.warn({ error }, bundleWarning))

/**
 * Opens the embedded PostgreSQL with PostGIS on a data folder that no other process uses. Throws `folder-in-use` if
 * another process has the folder, `folder-unusable` if it holds something else, `database-unavailable` if the engine does
 * not open.
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<EmbeddedDatabase> =>
  (await prepareEmbedded(options))()

/**
 * The first half of opening: creates, locks and checks the folder. The returned function is the second half, whose work is
 * done by another thread. Throws `folder-in-use` and `folder-unusable`.
 */
export async function prepareEmbedded(options: EmbeddedOptions): Promise<() => Promise<EmbeddedDatabase>> {
  const dir = realFolder(options.dir)
  const lock = lockFolder(dir)
  try {
    const template = await (options.template?.() ?? ensureTemplate(options.cacheDir))
    await ensureFolder(dir, template, options.durable ?? true)
    checkVersion(dir, template)
  } catch (error) {
    lock.release()
    throw error
  }
  return () => openFolder(options, dir, lock)
}

async function openFolder(options: EmbeddedOptions, dir: string, lock: FolderLock): Promise<EmbeddedDatabase> {
  let bridge: Bridge
  try {
    bridge = await openEither(options, dir, bundleOf(options))
  } catch (error) {
    lock.release()
    throw error
  }
  const driver = embeddedDriver(bridge, toStatementLimits(options, script_ms))
  const runner = driver.on(owner)
  const upkeep = openUpkeep(runner)
  const endUpkeep = repeat(
    upkeep_ms,
    async () => options.log?.info({ ...(await upkeep.run()) }, 'maintained the embedded database'),
    (error) => options.log?.warn({ error }, 'the maintenance of the embedded database failed'),
  )
  const close = async (): Promise<void> => {
    await endUpkeep()
    await runner
      .script('checkpoint')
      .catch((error: unknown) => options.log?.warn({ error }, 'the checkpoint before closing failed'))
    await driver.close()
    lock.release()
  }
  return assemble(options, bridge, { ...driver, close })
}

export interface InMemoryOptions extends Omit<EmbeddedOptions, 'dir' | 'durable' | 'template'> {
  /** The folder that the database is copied from. */
  readonly template: string
  readonly openThread: OpenThread
}

/** The engine options of an in-memory database. */
export const memoryEngine = (options: Pick<InMemoryOptions, 'template' | 'cacheDir' | 'log'>): EngineOptions => ({
  dir: options.template,
  bundle: bundleOf(options),
  durable: false,
  storage: 'memory',
})

/**
 * Opens an in-memory database that starts as a copy of the template, on a thread that the caller may reuse for the next
 * one: for tests, which open hundreds. If the thread is terminated, the database is lost. Throws `database-unavailable`.
 */
export async function openInMemory(options: InMemoryOptions): Promise<EmbeddedDatabase> {
  const bridge = await openBridge({
    engine: memoryEngine(options),
    openThread: onlyOnce(options.openThread),
    onReopen: (reason) => options.log?.warn({ reason }, 'the in-memory database is lost'),
  })
  const driver = embeddedDriver(bridge, toStatementLimits(options, script_ms))
  return assemble(options, bridge, driver)
}

/** A second thread would hold a fresh copy of the template instead of the rows of the first. */
function onlyOnce(openThread: OpenThread): OpenThread {
  let opened = false
  return (engine, events) => {
    if (opened) throw new DatabaseFailure('database-unavailable', 'the in-memory database was lost with its thread')
    opened = true
    return openThread(engine, events)
  }
}

async function assemble(
  options: Pick<EmbeddedOptions, 'log'>,
  bridge: Bridge,
  driver: Driver,
): Promise<EmbeddedDatabase> {
  let closing: Promise<void> | undefined
  const onFault: OnFault = (error, doing) => options.log?.warn({ error }, doing)
  const database = await makeDatabase({ ...driver, close: () => (closing ??= driver.close()) }, onFault)
  const more = {
    facts: () => bridge.facts(),
    upkeep: (rules: UpkeepRules) => openUpkeep(driver.on(owner), rules).run(),
  }
  return Object.defineProperties(more as EmbeddedDatabase, Object.getOwnPropertyDescriptors(database))
}
