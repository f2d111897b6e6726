import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { Database } from '../src/platform/database/database.ts'
import { cacheFolder } from '../src/platform/database/embedded/cache-folder.ts'
import { openEmbedded } from '../src/platform/database/embedded/open.ts'
import { engineVersion } from '../src/platform/database/embedded/bundle.ts'
import { waitForFolder } from '../src/platform/database/embedded/folder-lock.ts'
import { migrate, migrationsDir, readMigrations } from '../src/platform/database/migrate.ts'
import { openPostgres } from '../src/platform/database/postgres.ts'
import { openQueue } from '../src/platform/queue/open-queue.ts'
import { systemClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'

/** Keeps the template of the embedded database between runs. */
export const testCacheDir = cacheFolder(os.tmpdir())

export interface TestDatabaseOptions {
  /** False leaves the database empty; true (the default) runs every migration. */
  readonly migrated?: boolean
  readonly statement_timeout_ms?: number
  readonly pool_size?: number
}

/** The server that tests use instead of the embedded database; null where none was named. */
export const testServer = (): string | null => process.env['DATABASE_URL'] || null

async function onServer(server: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Makes an empty database on a server; `drop` removes it again. */
export async function createTestDatabase(server: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `swath_test_${newId().replaceAll('-', '')}`
  await onServer(server, (client) => client.query(`create database ${client.escapeIdentifier(name)}`))
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = (): Promise<void> =>
    onServer(server, (client) => client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`))
  return { url: url.href, drop }
}

/** The same database, with more to do after its end. */
function withEnd(database: Database, end: () => Promise<void>): Database {
  const whole = Object.defineProperties({} as Database, Object.getOwnPropertyDescriptors(database))
  let closing: Promise<void> | undefined
  whole.close = () => (closing ??= database.close().then(end))
  return whole
}

async function openOnServer(server: string, options: TestDatabaseOptions): Promise<Database> {
  const { url, drop } = await createTestDatabase(server)
  try {
    const { statement_timeout_ms = 30_000, pool_size = 5 } = options
    return withEnd(await openPostgres({ url, pool_size, statement_timeout_ms }), drop)
  } catch (error) {
    await drop()
    throw error
  }
}

const templatePrefix = 'furnished-'
const template_ms = 300_000
const day_ms = 24 * 60 * 60 * 1000

/** Templates of migrations that have been changed since; those of today may be in use by another run. */
async function removeOldTemplates(keep: string): Promise<void> {
  for (const name of await fs.readdir(testCacheDir)) {
    const folder = path.join(testCacheDir, name)
    if (!name.startsWith(templatePrefix) || folder.startsWith(keep)) continue
    const { mtimeMs } = await fs.stat(folder)
    if (systemClock.now().getTime() - mtimeMs > day_ms) await fs.rm(folder, { recursive: true, force: true })
  }
}

const exists = (folder: string): Promise<boolean> =>
  fs.access(folder).then(
    () => true,
    () => false,
  )

/** The tables of the queue and a queue for each kind of work: every house would make them again, in half the time of its start. */
async function makeQueues(database: Database): Promise<void> {
  // Not at the top: most that open a database need none of the rooms.
  const { tasks } = await import('../src/domains/domains.ts')
  const kinds = tasks.map(({ name, retry }) => ({ name, retry, run: () => Promise.resolve() }))
  const queue = await openQueue(database, kinds, { poll_s: 60, concurrency: 1 })
  await queue.stop(0)
}

/** A folder with every migration run, made once for their present text, so that a test file starts with a copy. */
async function migratedTemplate(): Promise<string> {
  await fs.mkdir(testCacheDir, { recursive: true })
  const key = createHash('sha256').update(engineVersion())
  for (const migration of await readMigrations(migrationsDir)) key.update(migration.checksum)
  const template = path.join(testCacheDir, `${templatePrefix}${key.digest('hex').slice(0, 16)}`)
  if (await exists(template)) return template
  const lock = await waitForFolder(template, template_ms)
  try {
    if (await exists(template)) return template
    const unfinished = path.join(testCacheDir, `${templatePrefix}unfinished-${newId()}`)
    const database = await openEmbedded({
      dir: unfinished,
      cacheDir: testCacheDir,
      statement_timeout_ms: 60_000,
      durable: false,
    })
    try {
      await migrate(database, migrationsDir)
      await makeQueues(database)
    } finally {
      await database.close()
    }
    await fs.rename(unfinished, template)
    await fs.rm(`${unfinished}.lock`, { force: true })
    await removeOldTemplates(template)
    return template
  } finally {
    lock.release()
  }
}

async function openInFolder(options: TestDatabaseOptions): Promise<Database> {
  const template = (options.migrated ?? true) ? { template: await migratedTemplate() } : {}
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-test-'))
  const { statement_timeout_ms = 30_000 } = options
  const database = await openEmbedded({
    dir: path.join(home, 'database'),
    cacheDir: testCacheDir,
    statement_timeout_ms,
    durable: false,
    ...template,
  })
  return withEnd(database, () => fs.rm(home, { recursive: true, force: true }))
}

/** A database of its own for one test file, gone after `close()`: on the server named by DATABASE_URL, embedded otherwise. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const server = testServer()
  const database = server ? await openOnServer(server, options) : await openInFolder(options)
  try {
    if (options.migrated ?? true) await migrate(database, migrationsDir)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
