import type { ClientBase, QueryConfig, QueryResult } from 'pg'
import type { StatementResult } from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import { StatementPipeline, type FramedStatement, type PipelinedStatement } from './statement-pipeline.ts'
import { getColumnDecoder } from './values.ts'

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

/** A statement, and those that run before and after it in the same message. */
export interface TimedStatement extends PipelinedStatement {
  readonly timeout_ms: number
  readonly before?: readonly PipelinedStatement[]
  readonly after?: readonly PipelinedStatement[]
}

const noStatements: readonly PipelinedStatement[] = []

/** Runs one statement on one connection; one with a name is parsed and planned once. */
export async function runStatement(
  client: ClientBase,
  { text, values, name, timeout_ms, before = noStatements, after = noStatements }: TimedStatement,
): Promise<StatementResult> {
  try {
    if (name !== undefined || before.length > 0 || after.length > 0)
      return await runPipeline(client, { text, values, name, before, after }, timeout_ms)
    const query = { text, values: [...values], types }
    return toStatementResult(await runQuery<QueryResult<Record<string, unknown>>>(client, query, timeout_ms))
  } catch (error) {
    throw translateError(error, client, timeout_ms)
  }
}

const runPipeline = (client: ClientBase, statement: FramedStatement, timeout_ms: number): Promise<StatementResult> =>
  withinTime(timeout_ms, (onResult) => void client.query(new StatementPipeline(client, statement, onResult)))

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
