/** Failures of the database other than a failed statement; callers may branch on the name or on `code`. */
export type DatabaseFailureName =
  | 'folder-in-use'
  | 'folder-unusable'
  | 'disk-full'
  | 'statement-too-long'
  | 'search-too-long'
  | 'search-cooldown'
  | 'transaction-abandoned'
  | 'transaction-lost'
  | 'transaction-over'
  | 'transaction-rolled-back'
  | 'outcome-unknown'
  | 'database-unavailable'
  | 'database-closed'
  | 'bad-parameter'
  | 'migration-refused'
  | 'distribution-refused'
  | 'owner-unavailable'
  | 'privileges-missing'

/** The SQLSTATE that PostgreSQL has for the same failure, so that callers can map by `code` on both databases. */
const sqlStates: Partial<Record<DatabaseFailureName, string>> = {
  'disk-full': '53100',
  'statement-too-long': '57014',
  'search-too-long': '57014',
  'transaction-abandoned': '25P03',
  'transaction-rolled-back': '25P02',
  'transaction-over': '25P01',
  'transaction-lost': '08006',
  'outcome-unknown': '08007',
  'database-unavailable': '08001',
  'database-closed': '08003',
  'bad-parameter': '22023',
}

/** Failures that do not depend on the statement: the database is unavailable, or became unavailable during it. */
const outageFailures: ReadonlySet<DatabaseFailureName> = new Set([
  'disk-full',
  'database-unavailable',
  'database-closed',
  'transaction-lost',
  'outcome-unknown',
])

/**
 * The same as SQLSTATEs of PostgreSQL: a lost connection, insufficient disk, memory or connections, a server that starts
 * or stops.
 */
const outage_sql_states = /^(08...|53[123]00|57P0[123])$/

/** True if the database is unavailable, so that the same call may succeed later. */
export const isDatabaseOutage = (error: unknown): boolean =>
  error instanceof DatabaseFailure
    ? outageFailures.has(error.failure)
    : isServerError(error) && outage_sql_states.test(String(error.code))

/** True for an error of either database server, as opposed to a system error that has a code. */
const isServerError = (error: unknown): error is Error & { readonly code: unknown } =>
  error instanceof StatementError || (error instanceof Error && 'severity' in error && 'code' in error)

/** True if the server rolled a transaction back in favour of another one: a deadlock, or a serialization failure. */
export const isTransactionConflict = (error: unknown): boolean =>
  isServerError(error) && /^40(001|P01)$/.test(String(error.code))

/** True if a statement exceeded its timeout, or a transaction was idle for too long. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof DatabaseFailure
    ? error.failure === 'statement-too-long' || error.failure === 'transaction-abandoned'
    : isServerError(error) && (error.code === '57014' || error.code === '25P03')

/** True if a search exceeded its timeout. */
export const isSearchTimeout = (error: unknown): boolean =>
  error instanceof DatabaseFailure && error.failure === 'search-too-long'

/** True if the disk of the database, or of a file that is written here, is full. */
export const isDiskFullError = (error: unknown): boolean =>
  error instanceof DatabaseFailure
    ? error.failure === 'disk-full'
    : error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOSPC' || (isServerError(error) && error.code === '53100'))

/** A failure of the database itself, or of how it was used. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure'
  readonly failure: DatabaseFailureName
  readonly code: string | undefined

  constructor(failure: DatabaseFailureName, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.failure = failure
    this.code = sqlStates[failure]
  }
}

/**
 * The searches of the organization exceeded their share of the embedded database, and are rejected for a while as others
 * use it.
 */
export class SearchCooldownFailure extends DatabaseFailure {
  readonly retry_after_s: number

  constructor(wait_ms: number) {
    super(
      'search-cooldown',
      'the searches of the organization took too long and are delayed while others use the database',
    )
    this.retry_after_s = Math.ceil(wait_ms / 1000)
  }
}

/** The error fields of PostgreSQL. */
export interface PostgresErrorFields {
  readonly message: string
  readonly code?: string
  readonly detail?: string
  readonly hint?: string
  readonly position?: string
  readonly where?: string
  readonly schema?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
}

/** A statement that the embedded database rejected, with the same fields as an error of `pg`. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  readonly code: string | undefined
  readonly detail: string | undefined
  readonly hint: string | undefined
  readonly position: string | undefined
  readonly where: string | undefined
  readonly schema: string | undefined
  readonly table: string | undefined
  readonly column: string | undefined
  readonly constraint: string | undefined

  constructor(refusal: PostgresErrorFields) {
    super(refusal.message)
    this.code = refusal.code
    this.detail = refusal.detail
    this.hint = refusal.hint
    this.position = refusal.position
    this.where = refusal.where
    this.schema = refusal.schema
    this.table = refusal.table
    this.column = refusal.column
    this.constraint = refusal.constraint
  }
}
