import type { ClientBase, QueryConfig, QueryResult } from 'pg'
import {
  choosePlanCacheMode,
  postgres_roles,
  computeStatementTimeout_ms,
  type StatementResult,
  type DatabaseSession,
  type StatementTimeouts,
} from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import { findPreparedColumns, PreparedQuery, rememberPreparedColumns } from './prepared-query.ts'
import type { StatementPreparationMode } from './sql.ts'
import { getColumnDecoder } from './values.ts'
import type { EncodedParameter } from './values.ts'

/**
 * The way in which role and organization are set on the server. `connection`: as settings of the connection, whenever
 * they differ from the previous ones. `transaction`: by SET LOCAL in every transaction, if connections are shared (a
 * pooler) or connection settings are not propagated (Citus).
 */
export type DatabaseSessionSettingScope = 'connection' | 'transaction'

/** `strict`: a statement of an organization that leaves its shard is an error, by which tests find it. */
export type CitusMode = 'lenient' | 'strict'

const types = { getTypeParser: (type: number) => getColumnDecoder(type) }

/** Errors of the connection have no five-character SQLSTATE, unlike those of a statement. */
const isSqlState = (code: unknown): boolean => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)

const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/**
 * The error with which the server ended a connection; pg emits it separately from the statements, and without a listener
 * it would end the process.
 */
const connectionErrors = new WeakMap<ClientBase, Error>()

/** False if the connection was lost. */
export const isConnectionAlive = (client: ClientBase): boolean => !connectionErrors.has(client)

/** Records the errors of a new connection for its lifetime. */
export const recordConnectionErrors = (client: ClientBase): void => {
  client.on('error', (error: Error) => {
    if (!connectionErrors.has(client)) connectionErrors.set(client, error)
  })
}

function translateError(error: unknown, client: ClientBase, timeout_ms: number): unknown {
  const code = isSqlState(errorCode(error)) ? errorCode(error) : errorCode(connectionErrors.get(client))
  if (code === '57014') {
    return new DatabaseFailure(
      'statement-too-long',
      `the statement ran longer than ${timeout_ms} ms and was cancelled`,
      error,
    )
  }
  if (code === '25P03') {
    return new DatabaseFailure(
      'transaction-abandoned',
      `the transaction was idle for ${timeout_ms} ms and was rolled back`,
      error,
    )
  }
  if (isSqlState(errorCode(error)) || error instanceof DatabaseFailure) return error
  return new DatabaseFailure('outcome-unknown', 'the connection to the database was lost during the statement', error)
}

const severityOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'severity' in error ? error.severity : undefined

/** Says whether the connection can be reused after this error. */
export const isConnectionUsableAfter = (error: unknown): boolean =>
  error instanceof DatabaseFailure
    ? error.failure === 'statement-too-long' && isSqlState(errorCode(error.cause))
    : isSqlState(errorCode(error)) && severityOf(error) !== 'FATAL' && severityOf(error) !== 'PANIC'

/** Added to the server's timeout, for a server that does not respond at all. */
const client_timeout_margin_ms = 5_000

const toStatementResult = (result: QueryResult<Record<string, unknown>>): StatementResult => ({
  rows: result.rows,
  command: result.command,
})

/**
 * Names of prepared statements by their text, the same on each connection of a pool. There are no more than statements in the
 * code and those that the preparation policy admits.
 */
export class StatementNames {
  private readonly names = new Map<string, string>()

  find(text: string): string {
    const existing = this.names.get(text)
    if (existing !== undefined) return existing
    const name = `kept_${this.names.size}`
    this.names.set(text, name)
    return name
  }
}

type QuerySettings = QueryConfig<(string | null)[]> & { readonly types: typeof types }

/**
 * Runs a query of pg; rejects if the server does not respond at all. With a callback and a timer of our own, because those
 * that pg makes for its promise and for `query_timeout` keep every query with its rows until the next full garbage
 * collection, so that each of the short ones copies them.
 */
const runQuery = <Result>(client: ClientBase, query: QuerySettings, timeout_ms: number): Promise<Result> =>
  withinTime(timeout_ms, (onResult) => void client.query(query, onResult))

type OnResult = (error: Error | null, result: unknown) => void

const withinTime = <Result>(timeout_ms: number, run: (onResult: OnResult) => void): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the server did not respond in time')),
      timeout_ms + client_timeout_margin_ms,
    )
    run((error, result) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(result as Result)
    })
  })

/** Runs a statement that the connection prepares the first time. */
async function runPrepared(
  client: ClientBase,
  name: string,
  { text, values, timeout_ms }: TimedStatement,
): Promise<StatementResult> {
  const columns = findPreparedColumns(client, name)
  if (columns !== undefined)
    return withinTime(timeout_ms, (onResult) => void client.query(new PreparedQuery(name, values, columns, onResult)))
  const query = { name, text, values: [...values], types }
  const result = await runQuery<QueryResult<Record<string, unknown>>>(client, query, timeout_ms)
  rememberPreparedColumns(client, name, result.fields)
  return toStatementResult(result)
}

interface TimedStatement {
  readonly text: string
  readonly values: readonly EncodedParameter[]
  readonly timeout_ms: number
}

/** Runs one statement on one connection; one with a name is parsed and planned once. */
export async function runStatement(
  client: ClientBase,
  { name, ...statement }: TimedStatement & { readonly name?: string | undefined },
): Promise<StatementResult> {
  const { text, values, timeout_ms } = statement
  try {
    if (name !== undefined) return await runPrepared(client, name, statement)
    const query = { text, values: [...values], types }
    return toStatementResult(await runQuery<QueryResult<Record<string, unknown>>>(client, query, timeout_ms))
  } catch (error) {
    throw translateError(error, client, timeout_ms)
  }
}

/** Runs several statements; pg then returns a list of results. */
export async function runStatements(client: ClientBase, text: string, timeout_ms: number): Promise<StatementResult[]> {
  try {
    const results = await runQuery<QueryResult<Record<string, unknown>> | QueryResult<Record<string, unknown>>[]>(
      client,
      { text, types },
      timeout_ms,
    )
    return (Array.isArray(results) ? results : [results]).map(toStatementResult)
  } catch (error) {
    throw translateError(error, client, timeout_ms)
  }
}

const uuid = /^[0-9a-f-]{36}$/i

// No JIT: compiling a large statement takes longer than running it, and high estimates of a far page would cause it.
const initialSettingsSql = `
  select set_config('role', $1, false), set_config('app.organization_id', $2, false),
    set_config('statement_timeout', $3, false), set_config('plan_cache_mode', $4, false),
    set_config('idle_in_transaction_session_timeout', $5, false),
    set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO', false), set_config('jit', 'off', false)`
const sessionSettingsSql = `
  select set_config('role', $1, false), set_config('app.organization_id', $2, false),
    set_config('statement_timeout', $3, false), set_config('plan_cache_mode', $4, false)`

/** The settings of a session on its connection. */
export interface DatabaseSessionSettings {
  readonly role: string
  readonly organization: string
  readonly limit_ms: number
  readonly planMode: string
}

/** The settings last applied to each connection. */
const appliedSettings = new WeakMap<ClientBase, DatabaseSessionSettings>()

export const toDatabaseSessionSettings = (
  session: DatabaseSession,
  limits: StatementTimeouts,
  prepared: StatementPreparationMode = false,
): DatabaseSessionSettings => ({
  role: postgres_roles[session.role],
  organization: session.organization ?? '',
  limit_ms: computeStatementTimeout_ms(session, limits),
  planMode: choosePlanCacheMode(prepared),
})

/** True if the connection has these settings already. */
export const hasSessionSettings = (client: ClientBase, wanted: DatabaseSessionSettings): boolean => {
  const applied = appliedSettings.get(client)
  return (
    applied?.role === wanted.role &&
    applied.organization === wanted.organization &&
    applied.limit_ms === wanted.limit_ms &&
    applied.planMode === wanted.planMode
  )
}

/** Applies the settings to a connection. Returns no promise if it has them already. */
export const applySettingsToConnection = (
  client: ClientBase,
  wanted: DatabaseSessionSettings,
  { statement_ms }: StatementTimeouts,
): void | Promise<void> => {
  if (hasSessionSettings(client, wanted)) return
  return applySettings(client, wanted, !appliedSettings.has(client), statement_ms)
}

async function applySettings(
  client: ClientBase,
  wanted: DatabaseSessionSettings,
  isNew: boolean,
  timeout_ms: number,
): Promise<void> {
  appliedSettings.delete(client)
  const values = [wanted.role, wanted.organization, String(Math.trunc(wanted.limit_ms)), wanted.planMode]
  if (isNew)
    await runStatement(client, { text: initialSettingsSql, values: [...values, String(timeout_ms)], timeout_ms })
  else await runStatement(client, { text: sessionSettingsSql, values, timeout_ms, name: 'session_settings' })
  appliedSettings.set(client, wanted)
}

/** Forgets the settings of a connection, because a script may have changed them. */
export const forgetDatabaseSessionSettings = (client: ClientBase): void => void appliedSettings.delete(client)

/**
 * The statements that begin a transaction and apply the session inside it. SET accepts no parameters, so this is the only
 * place where a value becomes SQL text: an organization id is validated as 36 hexadecimal digits and dashes.
 */
export function buildBeginStatements(
  session: DatabaseSession,
  limits: StatementTimeouts,
  citus: CitusMode | null = null,
): string[] {
  const { organization } = session
  if (organization !== null && !uuid.test(organization)) {
    throw new DatabaseFailure('bad-parameter', 'the id of an organization must be a UUID')
  }
  return [
    'begin',
    // Before anything is sent on: Citus enters its nodes as this role, and would set it there for the owner, too.
    ...(session.role === 'owner' ? [] : [`set local role ${postgres_roles[session.role]}`]),
    `set local statement_timeout = ${Math.trunc(computeStatementTimeout_ms(session, limits))}`,
    `set local idle_in_transaction_session_timeout = ${Math.trunc(limits.statement_ms)}`,
    `set local timezone = 'UTC'`,
    `set local datestyle = 'ISO'`,
    'set local jit = off',
    ...(citus === 'strict' && session.role === 'app' ? [`set local citus.multi_task_query_log_level = 'error'`] : []),
    // What is set locally after it also holds on the servers that have the rows, for a message to each of them.
    ...(citus === null ? [] : [`set local citus.propagate_set_commands = 'local'`]),
    ...(organization === null ? [] : [`set local app.organization_id = '${organization}'`]),
  ]
}
