import type { PoolClient } from 'pg'
import {
  type DatabaseSession,
  type DriverTransaction,
  type StatementResult,
  type StatementRunner,
  type StatementTimeouts,
  findDatabaseWorkKind,
} from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import type { FairPool, PoolConnectionLease } from './pool/fair-pool.ts'
import {
  type CitusMode,
  type DatabaseSessionSettings,
  type DatabaseSessionSettingScope,
  type StatementNames,
  applySettingsToConnection,
  buildBeginStatements,
  forgetDatabaseSessionSettings,
  hasSessionSettings,
  isConnectionUsableAfter,
  runStatement,
  runStatements,
  toDatabaseSessionSettings,
} from './postgres-session.ts'
import type { StatementPreparationMode } from './sql.ts'
import type { EncodedParameter } from './values.ts'

/** The timeout of scripts, migrations and maintenance. */
export const script_timeout_ms = 600_000

/** The state that all sessions on an open pool share. */
export interface PostgresPoolState {
  readonly pool: FairPool
  readonly limits: StatementTimeouts
  readonly sessionScope: DatabaseSessionSettingScope
  /** Set if the rows are distributed over several servers by Citus. */
  readonly citus: CitusMode | null
  /** Null behind a pooler, where the next statement may run on another connection without the prepared statement. */
  readonly statementNames: StatementNames | null
}

/** A connection, if possible one that has the settings already. */
async function checkOut(
  pool: FairPool,
  session: DatabaseSession,
  settings: DatabaseSessionSettings | null,
): Promise<PoolConnectionLease> {
  try {
    return await pool.connect(
      findDatabaseWorkKind(session),
      (client) => settings !== null && hasSessionSettings(client, settings),
    )
  } catch (error) {
    throw new DatabaseFailure('database-unavailable', 'no connection to the database could be opened', error)
  }
}

/** Lends a connection to `work`; closes it after an error that leaves its state unknown. */
export async function withPooledConnection<T>(
  pool: FairPool,
  session: DatabaseSession,
  work: (client: PoolClient) => Promise<T>,
  settings: DatabaseSessionSettings | null = null,
): Promise<T> {
  const { client, release } = await checkOut(pool, session, settings)
  let isUsable = true
  try {
    return await work(client)
  } catch (error) {
    isUsable = isConnectionUsableAfter(error)
    throw error
  } finally {
    release(isUsable)
  }
}

/** Runs a statement on a connection with the settings of the session. */
function runInSession(
  { pool, limits, sessionScope, statementNames }: PostgresPoolState,
  session: DatabaseSession,
  {
    text,
    values,
    prepared = false,
  }: {
    readonly text: string
    readonly values: readonly EncodedParameter[]
    readonly prepared?: StatementPreparationMode
  },
): Promise<StatementResult> {
  const settings = toDatabaseSessionSettings(session, limits, prepared)
  const run = async (client: PoolClient): Promise<StatementResult> => {
    const pendingSettings =
      sessionScope === 'connection' ? applySettingsToConnection(client, settings, limits) : undefined
    if (pendingSettings) await pendingSettings
    const name = prepared ? statementNames?.find(text) : undefined
    return runStatement(client, { text, values, timeout_ms: settings.limit_ms, name })
  }
  return withPooledConnection(pool, session, run, settings)
}

/** Runs the statements of a session, each on the connection that is free then. */
export function createPostgresRunner(
  setup: PostgresPoolState,
  session: DatabaseSession,
  begin: () => Promise<DriverTransaction>,
): StatementRunner {
  const { pool, limits, sessionScope: sessionSetup, citus } = setup
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
  /** Sends a script in one message, so that a pooler uses one connection. A script that commits itself has done so. */
  const runScriptInTransaction = (text: string): Promise<StatementResult[]> =>
    withPooledConnection(pool, session, async (client) => {
      const sessionSetup = buildBeginStatements(session, { ...limits, statement_ms: script_timeout_ms }, citus)
      try {
        const results = await runStatements(client, `${sessionSetup.join('; ')}; ${text}\n; commit`, script_timeout_ms)
        return results.slice(sessionSetup.length, -1)
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    })
  const runScriptInSession = (text: string): Promise<StatementResult[]> =>
    withPooledConnection(pool, session, async (client) => {
      await applySettingsToConnection(client, toDatabaseSessionSettings(session, limits), limits)
      forgetDatabaseSessionSettings(client)
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
    run: async (text, values, prepared = false) => {
      if (sessionSetup === 'transaction' && session.role !== 'owner')
        return inOwnTransaction((transaction) => transaction.run(text, values))
      return runInSession(setup, session, { text, values, prepared })
    },
    script: sessionSetup === 'transaction' ? runScriptInTransaction : runScriptInSession,
  }
}

/** Begins a transaction with the settings of the session. */
async function beginOnConnection(
  { limits, sessionScope, citus }: PostgresPoolState,
  client: PoolClient,
  { session, settings }: { readonly session: DatabaseSession; readonly settings: DatabaseSessionSettings },
): Promise<void> {
  if (sessionScope === 'transaction') {
    await runStatements(client, buildBeginStatements(session, limits, citus).join('; '), settings.limit_ms)
    return
  }
  await applySettingsToConnection(client, settings, limits)
  await runStatement(client, { text: 'begin', values: [], timeout_ms: settings.limit_ms })
}

/** Begins a transaction of a session on a connection that it has until its end. */
export async function beginTransaction(setup: PostgresPoolState, session: DatabaseSession): Promise<DriverTransaction> {
  const { pool, limits, statementNames } = setup
  const settings = toDatabaseSessionSettings(session, limits)
  const { client, release: giveBack } = await checkOut(pool, session, settings)
  const timeout_ms = settings.limit_ms
  let isUsable = true
  let isEnded = false
  const trackUsable = async <T>(work: T | Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      isUsable &&= isConnectionUsableAfter(error)
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
    await beginOnConnection(setup, client, { session, settings })
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
    script: async (text, limit_ms = script_timeout_ms) => {
      await run(`set local statement_timeout = ${limit_ms}`)
      const results = await trackUsable(runStatements(client, text, limit_ms))
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
