/** What can go wrong with the database beside a refused statement; each is its own name, `code` is what a caller may branch on. */
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
  | 'owner-unavailable'
  | 'privileges-missing'

/** SQLSTATE where PostgreSQL has one for the same thing, so that callers can map by `code` on both databases. */
const states: Partial<Record<DatabaseFailureName, string>> = {
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

/** Failures that say nothing about the statement: the database is away, or went away under it. */
const outages: ReadonlySet<DatabaseFailureName> = new Set([
  'disk-full',
  'database-unavailable',
  'database-closed',
  'transaction-lost',
  'outcome-unknown',
])

/** The same as PostgreSQL says it: a lost connection, no more disk, memory or connections, a server that starts or stops. */
const outageStates = /^(08...|53[123]00|57P0[123])$/

/** True where the database is away, so that the same call may succeed later. */
export const isDatabaseOutage = (error: unknown): boolean =>
  error instanceof DatabaseFailure
    ? outages.has(error.failure)
    : isServerError(error) && outageStates.test(String(error.code))

/** True for an error that a server of either kind has said, as opposed to one of the operating system with a code of its own. */
const isServerError = (error: unknown): error is Error & { readonly code: unknown } =>
  error instanceof StatementRefused || (error instanceof Error && 'severity' in error && 'code' in error)

/** True where a statement was ended because it took longer than one may, or a transaction because it waited so long between two. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof DatabaseFailure
    ? error.failure === 'statement-too-long' || error.failure === 'transaction-abandoned'
    : isServerError(error) && (error.code === '57014' || error.code === '25P03')

/** True where a search was ended because it took longer than one may. */
export const isSearchTimeout = (error: unknown): boolean =>
  error instanceof DatabaseFailure && error.failure === 'search-too-long'

/** True where the database, or whoever writes files here, finds no more room on its disk. */
export const isFullDisk = (error: unknown): boolean =>
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
    this.code = states[failure]
  }
}

/** The organization's searches had more than their share of the embedded database, and are refused for a while as others use it. */
export class SearchCooldown extends DatabaseFailure {
  readonly retry_after_s: number

  constructor(wait_ms: number) {
    super('search-cooldown', 'the searches of the organization took long and are delayed while others use the database')
    this.retry_after_s = Math.ceil(wait_ms / 1000)
  }
}

/** What PostgreSQL says about a statement that it refused. */
export interface Refusal {
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

/** A statement that the embedded database refused, with the fields that `pg` gives to its own errors. */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused'
  readonly code: string | undefined
  readonly detail: string | undefined
  readonly hint: string | undefined
  readonly position: string | undefined
  readonly where: string | undefined
  readonly schema: string | undefined
  readonly table: string | undefined
  readonly column: string | undefined
  readonly constraint: string | undefined

  constructor(refusal: Refusal) {
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
