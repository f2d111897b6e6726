import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { day_ms } from '@swath/geo/time-units.ts'
import { systemClock } from '../../clock.ts'
import { createDatabaseFromDriver } from '../connections.ts'
import type { Database } from '../database.ts'
import { toStatementTimeouts } from '../driver.ts'
import type { StatementRunner } from '../driver.ts'
import { readPgliteVersion, ensureTrimmedPostgisBundle, readPostgisVersion } from './bundle.ts'
import { assertEngineReportsGeometryErrors } from './check-engine-guard.ts'
import { removeUnfinishedDatabaseFolders, getUnfinishedDatabaseFolder } from './database-folder.ts'
import { createEmbeddedDriver } from './driver.ts'
import { openDatabaseEngineClient } from './engine-client.ts'
import { waitForFolderLock } from './folder-lock.ts'

/** The content of new databases, beyond the spatial extension. */
export interface InitialDatabaseContent {
  /** Texts that change whenever the content does: a template with other texts is not used. */
  versions(): Promise<readonly string[]>
  fill(database: Database): Promise<void>
  /** Runs the work that makes a template, and may tell a person about it. */
  announce?<T>(work: () => Promise<T>): Promise<T>
}

/** Increased whenever the recipe below changes. */
const recipe_version = 4
const ownerSession = { role: 'owner', organization: null } as const
const build_timeout_ms = 300_000
/** Of templates with content, of those without, and of an earlier version of this program. */
const templatePrefixes = ['filled-', 'empty-', 'embedded-']

/** Nobody creates a second database in a folder, so the template databases are dropped: that halves what must be copied. */
const creationStatements = [
  'create extension postgis',
  'update pg_catalog.pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'vacuum analyze',
]

/**
 * Removes preallocated segments of the write-ahead log: they are empty, and a third of what a new database would copy.
 * Segment names increase, so those after the current one sort after it.
 */
function removeSpareSegments(folder: string, currentName: string): void {
  const log = path.join(folder, 'pg_wal')
  for (const name of fs.readdirSync(log)) {
    if (/^[0-9A-F]{24}$/.test(name) && name > currentName) fs.rmSync(path.join(log, name))
  }
}

/** The segment with the last record after an orderly shutdown; the shutdown checkpoint may have started a new one. */
async function findCurrentSegment(runner: StatementRunner): Promise<string> {
  const { rows } = await runner.run(`select pg_walfile_name(pg_current_wal_insert_lsn() + 1024 * 1024) as segment`, [])
  return String(rows[0]?.['segment'])
}

/** A new database with the spatial extension and the content, created under a temporary name and then renamed. */
async function buildTemplate(
  template: string,
  cacheDir: string,
  content: InitialDatabaseContent | null,
): Promise<void> {
  const dir = getUnfinishedDatabaseFolder(template)
  const bundle = ensureTrimmedPostgisBundle(cacheDir, () => undefined)
  const engineClient = await openDatabaseEngineClient({
    engine: { dir, bundle, durable: false, storage: 'folder', create: true },
    onReopen: () => undefined,
  })
  const timeouts = toStatementTimeouts({ statement_timeout_ms: build_timeout_ms }, build_timeout_ms)
  const driver = createEmbeddedDriver(engineClient, timeouts)
  let segment: string
  try {
    const runner = driver.on(ownerSession)
    for (const text of creationStatements) await runner.script(text)
    await assertEngineReportsGeometryErrors(engineClient)
    await content?.fill(await createDatabaseFromDriver(driver, () => undefined))
    await runner.script('checkpoint')
    segment = await findCurrentSegment(runner)
  } finally {
    await driver.close()
  }
  removeSpareSegments(dir, segment)
  fs.renameSync(dir, template)
}

/** Removes templates of other versions that were not created for a day; another program may still use one from today. */
function removeOld(current: string): void {
  const cacheDir = path.dirname(current)
  for (const name of fs.readdirSync(cacheDir)) {
    const folder = path.join(cacheDir, name)
    if (!templatePrefixes.some((prefix) => name.startsWith(prefix)) || folder.startsWith(current)) continue
    const { mtimeMs } = fs.statSync(folder)
    if (systemClock.now().getTime() - mtimeMs > day_ms) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The folder that new databases with this content are copied from, by default those with only the spatial extension. Created
 * once for each pair of package versions and each content, by one process at a time.
 */
export async function ensureDatabaseTemplate(
  cacheDir: string,
  content: InitialDatabaseContent | null = null,
): Promise<string> {
  fs.mkdirSync(cacheDir, { recursive: true })
  const key = createHash('sha256').update(`${recipe_version} ${readPgliteVersion()} ${readPostgisVersion()}`)
  for (const version of (await content?.versions()) ?? []) key.update(`\0${version}`)
  const name = `${content ? 'filled' : 'empty'}-${key.digest('hex').slice(0, 16)}`
  const template = path.join(fs.realpathSync(cacheDir), name)
  if (fs.existsSync(template)) return template
  const lock = await waitForFolderLock(template, build_timeout_ms)
  try {
    if (fs.existsSync(template)) return template
    removeUnfinishedDatabaseFolders(template)
    const build = (): Promise<void> => buildTemplate(template, cacheDir, content)
    await (content?.announce?.(build) ?? build())
    removeOld(template)
    return template
  } finally {
    lock.release()
  }
}
