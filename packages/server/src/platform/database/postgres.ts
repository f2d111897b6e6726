import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import type {
  DatabaseDriver,
  DriverTransaction,
  StatementResult,
  StatementRunner,
  DatabaseSession,
  StatementTimeouts,
} from './driver.ts'
import { statementTimeout_ms, toStatementTimeouts, workKindOf } from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import { createDatabase } from './connections.ts'
import { createFairPool, type FairPool, type LentConnection } from './pool/fair-pool.ts'
import { openNotificationListener } from './postgres-listen.ts'
import { withAdvisoryLock } from './postgres-lock.ts'
import {
  StatementNames,
  runStatements,
  runStatement,
  beginStatements,
  forgetAppliedSession,
  isUsableAfter,
  applySessionToConnection,
  recordConnectionErrors,
} from './postgres-session.ts'
import type { SessionSettingScope } from './postgres-session.ts'

export interface PostgresLog {
  warn(fields: object, message: string): void
}

export interface PostgresOptions {
  readonly url: string
  /** Maximum number of connections in the pool. */
  readonly pool_size: number
  readonly statement_timeout_ms: number
  /** For searches; absent: that of other statements. */
  readonly search_timeout_ms?: number
  /** `plain`, `pooler` or `citus`; `auto` detects it. */
  readonly mode?: 'auto' | 'plain' | 'pooler' | 'citus'
  readonly log?: PostgresLog
  /** Default: ten seconds. */
  readonly connect_timeout_ms?: number
}

const script_timeout_ms = 600_000
const connect_timeout_ms = 10_000
const min_server_version = 150_000
const ownerSession: DatabaseSession = { role: 'owner', organization: null }

interface PostgresSetup {
  readonly pool: FairPool
  readonly limits: StatementTimeouts
  readonly sessionScope: SessionSettingScope
  /** True if the rows are distributed over several servers by Citus. */
  readonly isCitus: boolean
  /** Null behind a pooler, where the next statement may run on another connection without the prepared statement. */
  readonly statementNames: StatementNames | null
}

async function checkOut(pool: FairPool, session: DatabaseSession): Promise<LentConnection> {
  try {
    return await pool.connect(workKindOf(session))
  } catch (error) {
    throw new DatabaseFailure('database-unavailable', 'no connection to the database could be opened', error)
  }
}

/** Lends a connection to `work`; closes it after an error that leaves its state unknown. */
async function withClient<T>(
  pool: FairPool,
  session: DatabaseSession,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const { client, release } = await checkOut(pool, session)
  let isUsable = true
  try {
    return await work(client)
  } catch (error) {
    isUsable = isUsableAfter(error)
    throw error
  } finally {
    release(isUsable)
  }
}

function createRunner(
  { pool, limits, sessionScope: sessionSetup, isCitus, statementNames }: PostgresSetup,
  session: DatabaseSession,
  begin: () => Promise<DriverTransaction>,
): StatementRunner {
  const timeout_ms = statementTimeout_ms(session, limits)
  const inOwnTransaction = async <T>(work: (transaction: DriverTransaction) => Promise<T>): Promise<T> => {
    const transaction = await begin()
    try {
      const result = await work(transaction)
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollback()
      throw error
    }
  }
  /** In one message, so that a pooler uses one connection for all of it. A script that commits itself has already done so. */
  const runScriptInTransaction = (text: string): Promise<StatementResult[]> =>
    withClient(pool, session, async (client) => {
      const sessionSetup = beginStatements(session, { ...limits, statement_ms: script_timeout_ms }, isCitus)
      try {
        const results = await runStatements(client, `${sessionSetup.join('; ')}; ${text}\n; commit`, script_timeout_ms)
        return results.slice(sessionSetup.length, -1)
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    })
  const runScriptInSession = (text: string): Promise<StatementResult[]> =>
    withClient(pool, session, async (client) => {
      await applySessionToConnection(client, session, limits)
      forgetAppliedSession(client)
      try {
        return await runStatements(
          client,
          `set statement_timeout = ${script_timeout_ms}; ${text}`,
          script_timeout_ms,
        ).then((results) => results.slice(1))
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    })
  return {
    run: async (text, values, prepared) => {
      if (sessionSetup === 'transaction' && session.role !== 'owner')
        return inOwnTransaction((transaction) => transaction.run(text, values))
      return withClient(pool, session, async (client) => {
        const pendingSettings =
          sessionSetup === 'connection' ? applySessionToConnection(client, session, limits, prepared) : undefined
        if (pendingSettings) await pendingSettings
        const name = prepared ? statementNames?.find(text) : undefined
        return runStatement(client, { text, values, timeout_ms, name })
      })
    },
    script: sessionSetup === 'transaction' ? runScriptInTransaction : runScriptInSession,
  }
}

async function beginTransaction(
  { pool, limits, sessionScope: sessionSetup, isCitus, statementNames }: PostgresSetup,
  session: DatabaseSession,
): Promise<DriverTransaction> {
  const { client, release: giveBack } = await checkOut(pool, session)
  const timeout_ms = statementTimeout_ms(session, limits)
  let isUsable = true
  let isEnded = false
  const trackUsable = async <T>(work: T | Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      isUsable &&= isUsableAfter(error)
      throw error
    }
  }
  const release = (): void => {
    if (isEnded) return
    isEnded = true
    giveBack(isUsable)
  }
  const run = (text: string): Promise<StatementResult> =>
    trackUsable(runStatement(client, { text, values: [], timeout_ms }))
  try {
    if (sessionSetup === 'connection') {
      await trackUsable(applySessionToConnection(client, session, limits))
      await run('begin')
    } else {
      await trackUsable(runStatements(client, beginStatements(session, limits, isCitus).join('; '), timeout_ms))
    }
  } catch (error) {
    isUsable = false
    release()
    throw error
  }
  return {
    run: (text, values, prepared) =>
      trackUsable(
        runStatement(client, { text, values, timeout_ms, name: prepared ? statementNames?.find(text) : undefined }),
      ),
    script: async (text) => {
      await run(`set local statement_timeout = ${script_timeout_ms}`)
      const results = await trackUsable(runStatements(client, text, script_timeout_ms))
      await run(`set local statement_timeout = ${Math.trunc(timeout_ms)}`)
      return results
    },
    commit: async () => {
      try {
        requireCommitted(await run('commit'))
      } finally {
        release()
      }
    },
    rollback: async () => {
      if (isEnded) return
      if (isUsable) await run('rollback').catch(() => undefined)
      release()
    },
  }
}

/** PostgreSQL answers a commit with ROLLBACK if an earlier statement failed. */
function requireCommitted(result: StatementResult | undefined): void {
  if (result?.command !== 'ROLLBACK') return
  throw new DatabaseFailure('transaction-rolled-back', 'an earlier statement failed, so the commit rolled back')
}

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
): Promise<{ sessionScope: SessionSettingScope; citus: boolean }> {
  return withClient(pool, ownerSession, async (client) => {
    const text = `
      select current_setting('server_version_num')::int as version, pg_backend_pid() as pid,
        exists (select 1 from pg_catalog.pg_extension where extname = 'citus') as citus`
    const [row] = (await runStatement(client, { text, values: [], timeout_ms: connect_timeout_ms })).rows
    if (Number(row?.['version']) < min_server_version) {
      throw new DatabaseFailure('database-unavailable', 'the server is older than PostgreSQL 15')
    }
    const citus = mode === 'citus' || (mode === 'auto' && row?.['citus'] === true)
    // A pooler reports its own process number, so the two differ behind one.
    const isPooled =
      mode === 'pooler' || (mode === 'auto' && (client as { processID?: number }).processID !== row?.['pid'])
    return { sessionScope: citus || isPooled ? 'transaction' : 'connection', citus }
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
  const fairPool = createFairPool(pool, {
    size: options.pool_size,
    timeout_ms: connection.connectionTimeoutMillis,
  })
  let server: { sessionScope: SessionSettingScope; citus: boolean }
  try {
    server = await inspectServerAtStart(fairPool, options.mode ?? 'auto')
  } catch (error) {
    await pool.end()
    throw error
  }
  const limits = toStatementTimeouts(options, script_timeout_ms)
  const setup: PostgresSetup = {
    pool: fairPool,
    limits,
    sessionScope: server.sessionScope,
    isCitus: server.citus,
    statementNames: server.sessionScope === 'connection' ? new StatementNames() : null,
  }
  const begin = (session: DatabaseSession): Promise<DriverTransaction> => beginTransaction(setup, session)
  let closing: Promise<void> | undefined
  const driver: DatabaseDriver = {
    kind: 'postgres',
    queue_backend: server.citus ? 'citus' : 'postgres',
    on: (session) => createRunner(setup, session, () => begin(session)),
    begin,
    withLock: (key, work) => withAdvisoryLock(connection, key, script_timeout_ms, work),
    readPool: () => ({
      in_use: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: fairPool.waiting,
    }),
    close: () => (closing ??= pool.end()),
    ...(server.sessionScope === 'connection' || server.citus
      ? {
          listen: (channel, onNotification, onConnect) =>
            openNotificationListener(connection, channel, onNotification, onConnect),
        }
      : {}),
  }
  try {
    return await createDatabase(driver, (error, activity) => options.log?.warn({ error }, activity))
  } catch (error) {
    await driver.close()
    throw error
  }
}
