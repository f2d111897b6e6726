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

/** Where the embedded database tells what happens to it. */
export interface EmbeddedLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

export interface EmbeddedOptions {
  /** The data folder; made when it is missing. */
  readonly dir: string
  /** Holds the template and the small bundle; may be shared and may be deleted while nothing starts. */
  readonly cacheDir: string
  /** A statement beyond this ends with `statement-too-long`. */
  readonly statement_timeout_ms: number
  /** The same for searches, which end with `search-too-long`; absent: no sooner than others. */
  readonly search_timeout_ms?: number
  /** False lets a commit return before the disk has it; for tests. */
  readonly durable?: boolean
  /** Gives the folder that a new database is copied from, instead of the template with nothing but the extension in it. */
  readonly template?: () => Promise<string>
  readonly log?: EmbeddedLog
}

/** What tests and metrics look at. */
export interface EmbeddedFacts {
  /** Syncs to disk since the opening. */
  readonly syncs: number
  /** How often the engine was given up and reopened. */
  readonly reopened: number
}

export interface EmbeddedDatabase extends Database {
  facts(): EmbeddedFacts
  /** Does at once what upkeep finds due under these rules. */
  upkeep(rules: UpkeepRules): Promise<UpkeepReport>
}

const script_ms = 600_000
const upkeep_ms = 60_000
const owner = { eyes: 'owner', organization: null } as const

const onFolder = (options: EmbeddedOptions, dir: string, bundle: string): Promise<Bridge> =>
  openBridge({
    engine: { dir, bundle, durable: options.durable ?? true, storage: 'folder' },
    onReopen: (reason) => options.log?.warn({ reason }, 'the embedded database is reopened'),
  })

const bundleWarning = 'the small spatial bundle does not do; using the stock one'

/** With the small bundle, or with the stock one where that does not do. */
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
 * Opens the embedded PostgreSQL with PostGIS on a data folder, alone on it. Throws `folder-in-use` when another process has the folder,
 * `folder-unusable` when it holds something else, `database-unavailable` when the engine does not open.
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<EmbeddedDatabase> =>
  (await prepareEmbedded(options))()

/**
 * The first half of opening: the folder is there, locked, and of this version. The result is the second half, whose work is done by
 * another thread. Throws `folder-in-use` and `folder-unusable`.
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
    async () => options.log?.info({ ...(await upkeep.run()) }, 'looked after the embedded database'),
    (error) => options.log?.warn({ error }, 'the embedded database could not be looked after'),
  )
  const close = async (): Promise<void> => {
    await endUpkeep()
    await runner
      .script('checkpoint')
      .catch((error: unknown) => options.log?.warn({ error }, 'no checkpoint before the end'))
    await driver.close()
    lock.release()
  }
  return assemble(options, bridge, { ...driver, close })
}

export interface InMemoryOptions extends Omit<EmbeddedOptions, 'dir' | 'durable' | 'template'> {
  /** The folder that the database begins as a copy of. */
  readonly template: string
  readonly openThread: OpenThread
}

/** How a thread opens the engine of a database in memory. */
export const memoryEngine = (options: Pick<InMemoryOptions, 'template' | 'cacheDir' | 'log'>): EngineOptions => ({
  dir: options.template,
  bundle: bundleOf(options),
  durable: false,
  storage: 'memory',
})

/**
 * Opens a database in memory that begins as a copy of the template, on a thread that the caller may keep for the next one: for tests,
 * which open hundreds. A thread that has to be given up takes the database with it. Throws `database-unavailable`.
 */
export async function openInMemory(options: InMemoryOptions): Promise<EmbeddedDatabase> {
  const bridge = await openBridge({
    engine: memoryEngine(options),
    openThread: onlyOnce(options.openThread),
    onReopen: (reason) => options.log?.warn({ reason }, 'the database in memory is lost'),
  })
  const driver = embeddedDriver(bridge, toStatementLimits(options, script_ms))
  return assemble(options, bridge, driver)
}

/** A second thread would hold an empty copy of the template where the rows of the first are expected. */
function onlyOnce(openThread: OpenThread): OpenThread {
  let opened = false
  return (engine, events) => {
    if (opened) throw new DatabaseFailure('database-unavailable', 'the database in memory was lost with its thread')
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
