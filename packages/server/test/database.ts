import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Client } from 'pg'
import type { Database } from '../src/platform/database/database.ts'
import { findTemplateCacheFolder } from '../src/platform/database/embedded/cache-folder.ts'
import {
  createMemoryDatabaseEngineOptions,
  openEmbeddedPostgres,
  openInMemoryDatabase,
} from '../src/platform/database/embedded/open.ts'
import { ensureDatabaseTemplate } from '../src/platform/database/embedded/template.ts'
import { initialDatabaseContent } from '../src/initial-content.ts'
import { migrateSchema, migrationsDir } from '../src/platform/database/migrate.ts'
import { openPostgres } from '../src/platform/database/postgres.ts'
import { newId } from '../src/platform/ids.ts'
import {
  createDistributedDatabase,
  readDistributionVersion,
  listCitusNodes,
  toDatabaseUrl,
  withServerClient,
} from './citus/cluster.ts'
import { createEnginePool } from './engine-pool.ts'

/** Caches the template of the embedded database between runs. */
export const testCacheDir = findTemplateCacheFolder(os.tmpdir())

export interface TestDatabaseOptions {
  /** False leaves the database empty; true (the default) runs every migration. */
  readonly migrated?: boolean
  readonly statement_timeout_ms?: number
  readonly search_timeout_ms?: number
  readonly pool_size?: number
}

/** The URL of the PostgreSQL server, or of the coordinator, that tests use instead of the embedded database; null if none is set. */
export const testDatabaseUrl = (): string | null => listCitusNodes()?.[0] ?? (process.env['DATABASE_URL'] || null)

/** The nodes of the cluster that a server is the coordinator of; null for one by itself. */
const findClusterNodes = (server: string): readonly string[] | null => {
  const nodes = listCitusNodes()
  return nodes?.[0] === server ? nodes : null
}

/** Creates a database on a server, empty or as a copy of a template, which each node of a cluster has; `drop` removes it. */
export async function createTestDatabase(
  server: string,
  template?: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `swath_test_${newId().replaceAll('-', '')}`
  const nodes = template === undefined ? [server] : (findClusterNodes(server) ?? [server])
  const templateClause = template === undefined ? '' : ` template ${template} strategy file_copy`
  const onEachNode = async (statement: string): Promise<void> => {
    // The workers first: a coordinator with the database connects to them.
    for (const node of nodes.toReversed()) await withServerClient(node, (client) => client.query(statement))
  }
  await onEachNode(`create database ${name}${templateClause}`)
  const drop = async (): Promise<void> => {
    // The daemon of Citus would wait for a connection to a database that is being dropped, and then be a session that does not end.
    if (nodes.length > 1) await onEachNode(`alter database ${name} allow_connections false`)
    await onEachNode(`drop database if exists ${name} with (force)`)
  }
  return { url: toDatabaseUrl(server, name), drop }
}

/** A new database on the server of `DATABASE_URL`; null without it, for the embedded database. */
export async function createDatabaseIfServer(): Promise<Awaited<ReturnType<typeof createTestDatabase>> | null> {
  const server = testDatabaseUrl()
  return server === null ? null : createInstallationDatabase(server)
}

/** A new database for a server that fills it: empty, but distributed already on a cluster. */
export const createInstallationDatabase = (server: string): ReturnType<typeof createTestDatabase> =>
  findClusterNodes(server) === null ? createTestDatabase(server) : createDatabaseFromTemplate(server)

/** Creates a database with the initial content. */
export const createDatabaseFromTemplate = async (server: string): ReturnType<typeof createTestDatabase> =>
  createTestDatabase(server, await ensureServerTemplate(server))

/** An arbitrary key for the advisory lock that nothing else on the server uses. */
const template_lock_key = 5_203_117_840_226_003n

/**
 * The name of a template database with the initial content, distributed on a cluster, created on first use: a copy takes a
 * tenth of migrating.
 */
async function ensureServerTemplate(server: string): Promise<string> {
  const nodes = findClusterNodes(server)
  const key = createHash('sha256').update(nodes === null ? '' : readDistributionVersion())
  for (const version of await initialDatabaseContent.versions()) key.update(`\0${version}`)
  const name = `swath_template_${key.digest('hex').slice(0, 16)}`
  await withServerClient(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [template_lock_key])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    if (nodes === null) await createServerTemplate(client, server, name)
    else await createDistributedDatabase(nodes, name, initialDatabaseContent.fill)
  })
  return name
}

async function createServerTemplate(client: Client, server: string, name: string): Promise<void> {
  const unfinished = `${name}_unfinished`
  await client.query(`drop database if exists ${unfinished} with (force)`)
  await client.query(`create database ${unfinished}`)
  const database = await openPostgres({
    url: toDatabaseUrl(server, unfinished),
    pool_size: 2,
    statement_timeout_ms: 60_000,
  })
  try {
    await initialDatabaseContent.fill(database)
  } finally {
    await database.close()
  }
  await client.query(`alter database ${unfinished} rename to ${name}`)
}

/** The same database with a hook that runs after it is closed. */
function withCloseHook(database: Database, afterClose: () => Promise<void>): Database {
  const wrapped = Object.defineProperties({} as Database, Object.getOwnPropertyDescriptors(database))
  let closing: Promise<void> | undefined
  wrapped.close = () => (closing ??= database.close().then(afterClose))
  return wrapped
}

const searchTimeoutOptions = ({ search_timeout_ms }: TestDatabaseOptions) =>
  search_timeout_ms === undefined ? {} : { search_timeout_ms }

async function openServerDatabase(server: string, options: TestDatabaseOptions): Promise<Database> {
  const migrated = options.migrated ?? true
  const { url, drop } = await createTestDatabase(server, migrated ? await ensureServerTemplate(server) : undefined)
  try {
    const { statement_timeout_ms = 30_000, pool_size = 5 } = options
    const timeouts = { statement_timeout_ms, ...searchTimeoutOptions(options) }
    const mode = migrated && listCitusNodes() !== null ? 'citus-strict' : 'auto'
    return withCloseHook(await openPostgres({ url, pool_size, mode, ...timeouts }), drop)
  } catch (error) {
    await drop()
    throw error
  }
}

/** One pool for all databases of this process, so that engines are reused. */
const enginePool = createEnginePool()

/** Starts an engine while the test file that will use it is loaded: a start takes a second. */
export async function prestartEngine(): Promise<void> {
  if (testDatabaseUrl() !== null) return
  const template = await ensureDatabaseTemplate(testCacheDir, initialDatabaseContent)
  enginePool.prestart(createMemoryDatabaseEngineOptions({ template, cacheDir: testCacheDir }))
}

/** Opens a database in memory, on a reused engine of this process; in a folder if a statement timeout is set. */
async function openEmbeddedDatabase(options: TestDatabaseOptions): Promise<Database> {
  const migrated = options.migrated ?? true
  const template = (): Promise<string> => ensureDatabaseTemplate(testCacheDir, migrated ? initialDatabaseContent : null)
  const { statement_timeout_ms } = options
  const commonOptions = { cacheDir: testCacheDir, statement_timeout_ms: statement_timeout_ms ?? 30_000 }
  if (statement_timeout_ms === undefined) {
    return openInMemoryDatabase({ ...commonOptions, template: await template(), openThread: enginePool.open })
  }
  const temporaryFolder = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-test-'))
  const dir = path.join(temporaryFolder, 'database')
  const database = await openEmbeddedPostgres({
    ...commonOptions,
    ...searchTimeoutOptions(options),
    dir,
    durable: false,
    template,
  })
  return withCloseHook(database, () => fs.rm(temporaryFolder, { recursive: true, force: true }))
}

/** Opens a database for one test file, removed by `close()`: on the server of DATABASE_URL, or embedded. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const server = testDatabaseUrl()
  const database = server ? await openServerDatabase(server, options) : await openEmbeddedDatabase(options)
  try {
    if (options.migrated ?? true) await migrateSchema(database, migrationsDir)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
