import type { ClientBase, QueryResult } from 'pg'
import {
  planModeOf,
  rolesOfEyes,
  statementLimit_ms,
  type Outcome,
  type Session,
  type StatementLimits,
} from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import type { Preparation } from './sql.ts'
import { decoderOf } from './values.ts'
import type { WireValue } from './values.ts'

/**
 * How role and organization are set on the server. `connection`: as settings of the connection, whenever they differ from
 * the previous ones. `transaction`: by SET LOCAL in every transaction, if connections are shared (a pooler) or connection
 * settings are not propagated (Citus).
 */
export type Naming = 'connection' | 'transaction'

const types = { getTypeParser: (type: number) => decoderOf(type) }

/** Errors of the connection have no five-character SQLSTATE, unlike those of a statement. */
const isState = (code: unknown): boolean => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/**
 * The error with which the server ended a connection; pg emits it separately from the statements, and without a listener
 * it would end the process.
 */
const lastWords = new WeakMap<ClientBase, Error>()

/** Records the errors of a new connection for its lifetime. */
export const watchClient = (client: ClientBase): void => {
  client.on('error', (error: Error) => {
    if (!lastWords.has(client)) lastWords.set(client, error)
  })
}

function translate(error: unknown, client: ClientBase, limit_ms: number): unknown {
  const code = isState(codeOf(error)) ? codeOf(error) : codeOf(lastWords.get(client))
  if (code === '57014') {
    return new DatabaseFailure(
      'statement-too-long',
      `the statement ran longer than ${limit_ms} ms and was cancelled`,
      error,
    )
  }
  if (code === '25P03') {
    return new DatabaseFailure(
      'transaction-abandoned',
      `the transaction was idle for ${limit_ms} ms and was rolled back`,
      error,
    )
  }
  if (isState(codeOf(error)) || error instanceof DatabaseFailure) return error
  return new DatabaseFailure('outcome-unknown', 'the connection to the database was lost during the statement', error)
}

const severityOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'severity' in error ? error.severity : undefined

/** Whether the connection can be reused after this error. */
export const isUsableAfter = (error: unknown): boolean =>
  error instanceof DatabaseFailure
    ? error.failure === 'statement-too-long' && isState(codeOf(error.cause))
    : isState(codeOf(error)) && severityOf(error) !== 'FATAL' && severityOf(error) !== 'PANIC'

/** Added to the server's timeout, for a server that does not respond at all. */
const silence_ms = 5_000

const toOutcome = (result: QueryResult<Record<string, unknown>>): Outcome => ({
  rows: result.rows,
  command: result.command,
})

/**
 * Names of prepared statements by their text: the same on each connection, and no more than there are statements in the
 * code.
 */
const keptNames = new Map<string, string>()

function keptName(text: string): string {
  const known = keptNames.get(text)
  if (known !== undefined) return known
  const name = `kept_${keptNames.size}`
  keptNames.set(text, name)
  return name
}

/** Runs one statement on one connection; a prepared one is parsed and planned once. */
export async function askOne(
  client: ClientBase,
  text: string,
  values: readonly WireValue[],
  limit_ms: number,
  kept: Preparation = false,
): Promise<Outcome> {
  const name = kept !== false ? { name: keptName(text) } : {}
  const question = { ...name, text, values: [...values], types, query_timeout: limit_ms + silence_ms }
  try {
    return toOutcome(await client.query(question))
  } catch (error) {
    throw translate(error, client, limit_ms)
  }
}

/** Runs several statements; pg then returns a list of results. */
export async function askMany(client: ClientBase, text: string, limit_ms: number): Promise<Outcome[]> {
  try {
    const answer: unknown = await client.query({ text, types, query_timeout: limit_ms + silence_ms } as {
      text: string
    })
    const results = (Array.isArray(answer) ? answer : [answer]) as QueryResult<Record<string, unknown>>[]
    return results.map(toOutcome)
  } catch (error) {
    throw translate(error, client, limit_ms)
  }
}

const uuid = /^[0-9a-f-]{36}$/i

const settingsText = `
  select set_config('role', $1, false), set_config('app.organization_id', $2, false),
    set_config('statement_timeout', $3, false), set_config('plan_cache_mode', $4, false),
    set_config('idle_in_transaction_session_timeout', $5, false),
    set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO', false)`
const namingText = `
  select set_config('role', $1, false), set_config('app.organization_id', $2, false),
    set_config('statement_timeout', $3, false), set_config('plan_cache_mode', $4, false)`

/** The settings last applied to each connection. */
const told = new WeakMap<ClientBase, { role: string; organization: string; limit_ms: number; plans: string }>()

/** Applies the session to its connection if it differs from the previous one. */
export async function nameOnConnection(
  client: ClientBase,
  session: Session,
  limits: StatementLimits,
  kept: Preparation = false,
): Promise<void> {
  const before = told.get(client)
  const limit_ms = statementLimit_ms(session, limits)
  const now = {
    role: rolesOfEyes[session.eyes],
    organization: session.organization ?? '',
    limit_ms,
    plans: planModeOf(kept),
  }
  if (
    before?.role === now.role &&
    before.organization === now.organization &&
    before.limit_ms === limit_ms &&
    before.plans === now.plans
  )
    return
  told.delete(client)
  const values = [now.role, now.organization, String(Math.trunc(limit_ms)), now.plans]
  if (before) await askOne(client, namingText, values, limits.statement_ms)
  else await askOne(client, settingsText, [...values, String(limits.statement_ms)], limits.statement_ms)
  told.set(client, now)
}

/** Forgets the settings of a connection, because a script may have changed them. */
export const forget = (client: ClientBase): void => void told.delete(client)

/**
 * The statements that begin a transaction and apply the session inside it. SET accepts no parameters, so this is the only
 * place where a value becomes SQL text: an organization id is validated as 36 hexadecimal digits and dashes.
 */
export function beginNamed(session: Session, limits: StatementLimits): string[] {
  const { organization } = session
  if (organization !== null && !uuid.test(organization)) {
    throw new DatabaseFailure('bad-parameter', 'the id of an organization must be a UUID')
  }
  return [
    'begin',
    `set local statement_timeout = ${Math.trunc(statementLimit_ms(session, limits))}`,
    `set local idle_in_transaction_session_timeout = ${Math.trunc(limits.statement_ms)}`,
    `set local timezone = 'UTC'`,
    `set local datestyle = 'ISO'`,
    ...(session.eyes === 'owner' ? [] : [`set local role ${rolesOfEyes[session.eyes]}`]),
    ...(organization === null ? [] : [`set local app.organization_id = '${organization}'`]),
  ]
}
