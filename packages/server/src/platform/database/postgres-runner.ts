import type { PoolClient } from 'pg'
import {
  type DatabaseSession,
  type DriverTransaction,
  type StatementResult,
  type StatementRunner,
  findDatabaseWorkKind,
} from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import type { FairPool, PoolConnectionLease } from './pool/fair-pool.ts'
import {
  type DatabaseSessionSettings,
  type SessionSettingsPolicy,
  applySettingsToConnection,
  buildBeginStatements,
  buildStatementFrame,
  forgetDatabaseSessionSettings,
  hasSessionSettings,
  toDatabaseSessionSettings,
} from './pool/session-settings.ts'
import { type StatementNames, isConnectionUsableAfter, runStatement, runStatements } from './postgres-session.ts'
import type { StatementPreparationMode } from './sql.ts'
import type { PipelinedStatement } from './statement-pipeline.ts'
import type { EncodedParameter } from './values.ts'

/** The timeout of scripts, migrations and maintenance. */
export const script_timeout_ms = 600_000

/** The state that all sessions on an open pool share. */
export interface PostgresPoolState extends SessionSettingsPolicy {
  readonly pool: FairPool
  /** Null behind a pooler, where the next statement may run on another connection without the prepared statement. */
  readonly statementNames: StatementNames | null
}

/**
 * The name by which a connection keeps a statement, if it does. On Citus not without parameters: PostgreSQL then keeps the plan of
 * one organization, whatever the plan mode is.
 */
const findStatementName = (
  { statementNames, citus }: PostgresPoolState,
  text: string,
  values: readonly EncodedParameter[],
): string | undefined => (citus !== null && values.length === 0 ? undefined : statementNames?.find(text))

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

interface SessionStatement {
  readonly text: string
  readonly values: readonly EncodedParameter[]
  readonly prepared?: StatementPreparationMode
}

/** Runs a statement, on a connection that is free then, with the settings of the session. */
function runInSession(
  setup: PostgresPoolState,
  session: DatabaseSession,
  { text, values, prepared = false }: SessionStatement,
): Promise<StatementResult> {
  const settings = toDatabaseSessionSettings(session, setup, prepared)
  const run = async (client: PoolClient): Promise<StatementResult> => {
    const pendingSettings =
      setup.sessionScope === 'connection' ? applySettingsToConnection(client, settings, setup) : undefined
    if (pendingSettings) await pendingSettings
    const name = prepared ? findStatementName(setup, text, values) : undefined
    const { before, after } = buildStatementFrame(session, setup)
    try {
      return await runStatement(client, { text, values, timeout_ms: settings.limit_ms, name, before, after })
    } catch (error) {
      // The message began a transaction, which is open now.
      if (after.length > 0 && isConnectionUsableAfter(error)) await rollBack(client, settings.limit_ms)
      throw error
    }
  }
  return withPooledConnection(setup.pool, session, run, settings)
}

/** Throws if the connection does not answer: it cannot be reused then. */
const rollBack = (client: PoolClient, timeout_ms: number): Promise<StatementResult> =>
  runStatement(client, { text: 'rollback', values: [], timeout_ms })

/** Runs a script with the settings of a session; in a transaction, where its connection does not have them. */
function runScriptInSession(
  setup: PostgresPoolState,
  session: DatabaseSession,
  text: string,
): Promise<StatementResult[]> {
  const { pool, sessionScope, citus } = setup
  const timeout_ms = script_timeout_ms
  const scriptSetup = { ...setup, limits: { ...setup.limits, statement_ms: timeout_ms } }
  return withPooledConnection(pool, session, async (client) => {
    if (sessionScope === 'connection') {
      await applySettingsToConnection(client, toDatabaseSessionSettings(session, scriptSetup), scriptSetup)
      forgetDatabaseSessionSettings(client)
    }
    try {
      if (sessionScope === 'connection' && citus === null) return await runStatements(client, text, timeout_ms)
      const [begin, ...settings] = buildBeginStatements(session, scriptSetup)
      await runStatement(client, { ...begin, after: settings, timeout_ms })
      // In the same message: a script that commits itself has done so.
      return (await runStatements(client, `${text}\n; commit`, timeout_ms)).slice(0, -1)
    } catch (error) {
      if (isConnectionUsableAfter(error)) await rollBack(client, timeout_ms)
      throw error
    }
  })
}

/** Runs the statements of a session, each on the connection that is free then. */
export const createPostgresRunner = (setup: PostgresPoolState, session: DatabaseSession): StatementRunner => ({
  run: (text, values, prepared = false) => runInSession(setup, session, { text, values, prepared }),
  script: (text) => runScriptInSession(setup, session, text),
})

const noStatements: readonly PipelinedStatement[] = []

/**
 * Begins a transaction of a session on a connection that it has until its end. The server begins it with the first statement, in
 * one message.
 */
export async function beginTransaction(setup: PostgresPoolState, session: DatabaseSession): Promise<DriverTransaction> {
  const settings = toDatabaseSessionSettings(session, setup)
  const begin = buildBeginStatements(session, setup)
  const { client, release: giveBack } = await checkOut(setup.pool, session, settings)
  const timeout_ms = settings.limit_ms
  let isBegun = false
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
  const run = (text: string, values: readonly EncodedParameter[] = [], name?: string): Promise<StatementResult> => {
    const before = isBegun ? noStatements : begin
    isBegun = true
    return trackUsable(runStatement(client, { text, values, name, timeout_ms, before }))
  }
  try {
    if (setup.sessionScope === 'connection') await applySettingsToConnection(client, settings, setup)
  } catch (error) {
    isUsable = false
    release()
    throw error
  }
  return {
    run: (text, values, prepared) => run(text, values, prepared ? findStatementName(setup, text, values) : undefined),
    script: async (text, limit_ms = script_timeout_ms) => {
      await run(`set local statement_timeout = ${limit_ms}`)
      const results = await trackUsable(runStatements(client, text, limit_ms))
      await run(`set local statement_timeout = ${Math.trunc(timeout_ms)}`)
      return results
    },
    commit: async () => {
      try {
        if (isBegun) requireCommitted(await run('commit'))
      } finally {
        release()
      }
    },
    rollback: async () => {
      if (isEnded) return
      // A transaction that may still be open must not be given to the next caller.
      if (isBegun && isUsable) await run('rollback').catch(() => (isUsable = false))
      release()
    },
  }
}

/** PostgreSQL answers a commit with ROLLBACK if an earlier statement failed. */
function requireCommitted(result: StatementResult | undefined): void {
  if (result?.command !== 'ROLLBACK') return
  throw new DatabaseFailure('transaction-rolled-back', 'an earlier statement failed, so the commit rolled back')
}
