import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import type { Driver, OpenTransaction, Outcome, Runner, Session, StatementLimits } from './driver.ts'
import { statementLimit_ms, toStatementLimits } from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import { makeDatabase } from './handles.ts'
import { openListener } from './postgres-listen.ts'
import { withAdvisoryLock } from './postgres-lock.ts'
import {
  askMany,
  askOne,
  beginNamed,
  forget,
  isUsableAfter,
  nameOnConnection,
  watchClient,
} from './postgres-session.ts'
import type { Naming } from './postgres-session.ts'

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
}

const script_ms = 600_000
const connect_ms = 10_000
const oldestVersion = 150_000
const none: Outcome = { rows: [], command: '' }

interface Setup {
  readonly pool: Pool
  readonly limits: StatementLimits
  readonly naming: Naming
  /** False behind a pooler, where the next statement may run on another connection without the prepared statement. */
  readonly keeps: boolean
}

async function checkOut(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new DatabaseFailure('database-unavailable', 'no connection to the database could be opened', error)
  }
}

/** Lends a connection to `work`; closes it after an error that leaves its state unknown. */
async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await checkOut(pool)
  let usable = true
  try {
    return await work(client)
  } catch (error) {
    usable = isUsableAfter(error)
    throw error
  } finally {
    client.release(!usable)
  }
}

function runnerOn(
  { pool, limits, naming, keeps }: Setup,
  session: Session,
  begin: () => Promise<OpenTransaction>,
): Runner {
  const limit_ms = statementLimit_ms(session, limits)
  const alone = async <T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T> => {
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
  const scriptAlone = (text: string): Promise<Outcome[]> =>
    withClient(pool, async (client) => {
      const naming = beginNamed(session, { ...limits, statement_ms: script_ms })
      try {
        const all = await askMany(client, `${naming.join('; ')}; ${text}\n; commit`, script_ms)
        return all.slice(naming.length, -1)
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    })
  const scriptNamed = (text: string): Promise<Outcome[]> =>
    withClient(pool, async (client) => {
      await nameOnConnection(client, session, limits)
      forget(client)
      try {
        return await askMany(client, `set statement_timeout = ${script_ms}; ${text}`, script_ms).then((all) =>
          all.slice(1),
        )
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    })
  return {
    run: async (text, values, kept) => {
      if (naming === 'transaction' && session.eyes !== 'owner')
        return alone((transaction) => transaction.run(text, values))
      return withClient(pool, async (client) => {
        if (naming === 'connection') await nameOnConnection(client, session, limits, kept)
        return askOne(client, text, values, limit_ms, kept && keeps)
      })
    },
    script: naming === 'transaction' ? scriptAlone : scriptNamed,
  }
}

async function beginOn({ pool, limits, naming, keeps }: Setup, session: Session): Promise<OpenTransaction> {
  const client = await checkOut(pool)
  const limit_ms = statementLimit_ms(session, limits)
  let usable = true
  let ended = false
  const during = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      usable &&= isUsableAfter(error)
      throw error
    }
  }
  const end = (): void => {
    if (ended) return
    ended = true
    client.release(!usable)
  }
  const ask = (text: string): Promise<Outcome> => during(askOne(client, text, [], limit_ms))
  try {
    if (naming === 'connection') {
      await during(nameOnConnection(client, session, limits))
      await ask('begin')
    } else {
      await during(askMany(client, beginNamed(session, limits).join('; '), limit_ms))
    }
  } catch (error) {
    usable = false
    end()
    throw error
  }
  return {
    run: (text, values, kept) => during(askOne(client, text, values, limit_ms, kept && keeps)),
    script: async (text) => {
      await ask(`set local statement_timeout = ${script_ms}`)
      const outcomes = await during(askMany(client, text, script_ms))
      await ask(`set local statement_timeout = ${Math.trunc(limit_ms)}`)
      return outcomes
    },
    commit: async () => {
      try {
        const { command } = (await ask('commit')) ?? none
        if (command === 'ROLLBACK') {
          throw new DatabaseFailure('transaction-rolled-back', 'an earlier statement failed, so the commit rolled back')
        }
      } finally {
        end()
      }
    },
    rollback: async () => {
      if (ended) return
      if (usable) await ask('rollback').catch(() => undefined)
      end()
    },
  }
}

/** Detects the server's version and mode, once at startup. Throws if it is too old. */
async function inspect(pool: Pool, mode: PostgresOptions['mode']): Promise<{ naming: Naming; citus: boolean }> {
  return withClient(pool, async (client) => {
    const text = `
      select current_setting('server_version_num')::int as version, pg_backend_pid() as pid,
        exists (select 1 from pg_catalog.pg_extension where extname = 'citus') as citus`
    const [row] = (await askOne(client, text, [], connect_ms)).rows
    if (Number(row?.['version']) < oldestVersion) {
      throw new DatabaseFailure('database-unavailable', 'the server is older than PostgreSQL 15')
    }
    const citus = mode === 'citus' || (mode === 'auto' && row?.['citus'] === true)
    // A pooler reports its own process number, so the two differ behind one.
    const pooled =
      mode === 'pooler' || (mode === 'auto' && (client as { processID?: number }).processID !== row?.['pid'])
    return { naming: citus || pooled ? 'transaction' : 'connection', citus }
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
    connectionTimeoutMillis: connect_ms,
  }
  const pool = new Pool({ ...connection, max: options.pool_size })
  pool.on('connect', watchClient)
  pool.on('error', (error) => options.log?.warn({ error }, 'an idle connection to the database was lost'))
  let found: { naming: Naming; citus: boolean }
  try {
    found = await inspect(pool, options.mode ?? 'auto')
  } catch (error) {
    await pool.end()
    throw error
  }
  const limits = toStatementLimits(options, script_ms)
  const setup: Setup = { pool, limits, naming: found.naming, keeps: found.naming === 'connection' }
  const begin = (session: Session): Promise<OpenTransaction> => beginOn(setup, session)
  let closing: Promise<void> | undefined
  const driver: Driver = {
    kind: 'postgres',
    queue_backend: found.citus ? 'citus' : 'postgres',
    on: (session) => runnerOn(setup, session, () => begin(session)),
    begin,
    exclusively: (key, work) => withAdvisoryLock(connection, key, script_ms, work),
    close: () => (closing ??= pool.end()),
    ...(found.naming === 'connection' || found.citus
      ? { listen: (channel, heard, again) => openListener(connection, channel, heard, again) }
      : {}),
  }
  try {
    return await makeDatabase(driver, (error, doing) => options.log?.warn({ error }, doing))
  } catch (error) {
    await driver.close()
    throw error
  }
}
