import { Client, type ClientConfig, Pool } from 'pg'
import type { Database } from './database.ts'
import { type DatabaseDriver, type DatabaseSession, toStatementTimeouts } from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import { createDatabaseFromDriver } from './connections.ts'
import { type FairPool, createFairPool } from './pool/fair-pool.ts'
import { createIdleConnections } from './pool/idle-connections.ts'
import type { CitusMode, DatabaseSessionSettingScope } from './pool/session-settings.ts'
import { createNotificationListener } from './postgres-listen.ts'
import {
  type PostgresPoolState,
  beginTransaction,
  createPostgresRunner,
  script_timeout_ms,
  withPooledConnection,
} from './postgres-runner.ts'
import { StatementNames, isConnectionAlive, recordConnectionErrors, runStatement } from './postgres-session.ts'

/**
 * Runs `work` while holding an advisory lock, on its own connection: a pool with one connection would wait for itself. The
 * lock belongs to a transaction, not to the session, so it also holds behind a connection pooler. Throws
 * `database-unavailable` if the lock is not acquired within `timeout_ms`.
 */
async function withAdvisoryLock<T>(
  connection: ClientConfig,
  key: bigint,
  timeout_ms: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = new Client(connection)
  // A connection that breaks releases the lock; the next statement of `work` fails if the server is down.
  client.on('error', () => undefined)
  try {
    try {
      await client.connect()
      await client.query(
        `begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = ${Math.trunc(timeout_ms)}`,
      )
      await client.query('select pg_advisory_xact_lock($1)', [key])
    } catch (error) {
      throw new DatabaseFailure('database-unavailable', 'the startup lock could not be acquired', error)
    }
    return await work()
  } finally {
    await client.end().catch(() => undefined)
  }
}

export interface PostgresLog {
  warn(fields: object, message: string): void
}

export interface PostgresOptions {
  readonly url: string
  /** Maximum number of connections in the pool. */
  readonly pool_size: number
  readonly statement_timeout_ms: number
  /** Timeout of searches; default: that of other statements. */
  readonly search_timeout_ms?: number
  /** `plain`, `pooler` or `citus`; `auto` detects it. `citus-strict` refuses statements that leave the shard of their organization. */
  readonly mode?: 'auto' | 'plain' | 'pooler' | 'citus' | 'citus-strict'
  readonly log?: PostgresLog
  /** Default: ten seconds. */
  readonly connect_timeout_ms?: number
}

const connect_timeout_ms = 10_000
const min_server_version = 150_000
const ownerSession: DatabaseSession = { role: 'owner', organization: null }

const isConnectTimeout = (error: unknown): boolean =>
  error instanceof DatabaseFailure && error.cause instanceof Error && /timeout/.test(error.cause.message)

/**
 * Detects the server's version and mode, once at startup. Throws if it is too old. A timeout is not believed the first
 * time: the process loads its modules meanwhile, on a busy machine for longer than the timeout, and cannot see an answer.
 */
const inspectServerAtStart = (pool: FairPool, mode: PostgresOptions['mode']): ReturnType<typeof inspectServer> =>
  inspectServer(pool, mode).catch((error: unknown) => {
    if (!isConnectTimeout(error)) throw error
    return inspectServer(pool, mode)
  })

async function inspectServer(
  pool: FairPool,
  mode: PostgresOptions['mode'],
): Promise<{ sessionScope: DatabaseSessionSettingScope; citus: CitusMode | null }> {
  return withPooledConnection(pool, ownerSession, async (client) => {
    const text = `
      select current_setting('server_version_num')::int as version, pg_backend_pid() as pid,
        exists (select 1 from pg_catalog.pg_extension where extname = 'citus') as citus`
    const [row] = (await runStatement(client, { text, values: [], timeout_ms: connect_timeout_ms })).rows
    if (Number(row?.['version']) < min_server_version) {
      throw new DatabaseFailure('database-unavailable', 'the server is older than PostgreSQL 15')
    }
    const isCitus = mode === 'citus' || (mode === 'auto' && row?.['citus'] === true)
    const citus = mode === 'citus-strict' ? 'strict' : isCitus ? 'lenient' : null
    // A pooler reports its own process number, so the two differ behind one.
    const isPooled =
      mode === 'pooler' || (mode !== 'plain' && (client as { processID?: number }).processID !== row?.['pid'])
    return { sessionScope: isPooled ? 'transaction' : 'connection', citus }
  })
}

/**
 * Opens a pool of connections to PostgreSQL 15 or later. Throws `database-unavailable` if no connection can be opened
 * within ten seconds or the server is too old.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const connection = {
    connectionString: options.url,
    keepAlive: true,
    application_name: 'swath',
    connectionTimeoutMillis: options.connect_timeout_ms ?? connect_timeout_ms,
  }
  const pool = new Pool({ ...connection, max: options.pool_size })
  pool.on('connect', recordConnectionErrors)
  pool.on('error', (error) => options.log?.warn({ error }, 'an idle connection to the database was lost'))
  const fairPool = createFairPool(pool, createIdleConnections(isConnectionAlive), {
    size: options.pool_size,
    timeout_ms: connection.connectionTimeoutMillis,
  })
  let server: { sessionScope: DatabaseSessionSettingScope; citus: CitusMode | null }
  try {
    server = await inspectServerAtStart(fairPool, options.mode ?? 'auto')
  } catch (error) {
    await fairPool.close()
    throw error
  }
  const limits = toStatementTimeouts(options, script_timeout_ms)
  const setup: PostgresPoolState = {
    pool: fairPool,
    limits,
    sessionScope: server.sessionScope,
    citus: server.citus,
    statementNames: server.sessionScope === 'connection' ? new StatementNames() : null,
  }
  let closing: Promise<void> | undefined
  const driver: DatabaseDriver = {
    kind: 'postgres',
    queue_backend: server.citus === null ? 'postgres' : 'citus',
    on: (session) => createPostgresRunner(setup, session),
    begin: (session) => beginTransaction(setup, session),
    withLock: (key, work) => withAdvisoryLock(connection, key, script_timeout_ms, work),
    readPool: () => ({
      in_use: fairPool.in_use,
      idle: pool.totalCount - fairPool.in_use,
      waiting: fairPool.waiting,
    }),
    close: () => (closing ??= fairPool.close()),
    ...(server.sessionScope === 'connection' || server.citus !== null
      ? { listen: createNotificationListener(connection) }
      : {}),
  }
  try {
    return await createDatabaseFromDriver(driver, (error, activity) => options.log?.warn({ error }, activity))
  } catch (error) {
    await driver.close()
    throw error
  }
}
