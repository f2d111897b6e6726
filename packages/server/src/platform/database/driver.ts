import type { DatabaseWorkKind } from './database.ts'
import type { StatementPreparationMode } from './sql.ts'
import type { EncodedParameter } from './values.ts'

/**
 * The role and organization of a statement. `app`: the role of one organization; `across`: the role that the policies let
 * see all of them; `owner`: the role that signed in, for the schema. The owner sees no row of a tenant table unless it is
 * a superuser.
 */
export interface DatabaseSession {
  readonly role: 'owner' | 'app' | 'across'
  readonly organization: string | null
  /** True for searches, whose statements have their own timeout. */
  readonly isSearch?: boolean
  /** True for work that does not wait for its turn behind the calls of the organization. */
  readonly isBackground?: boolean
}

/** The argument of `set role` for each role. */
export const postgres_roles: Readonly<Record<DatabaseSession['role'], string>> = {
  owner: 'none',
  app: 'swath_app',
  across: 'swath_across',
}

/** The setting `plan_cache_mode` for a statement. */
export const choosePlanCacheMode = (prepared: StatementPreparationMode): string =>
  prepared === 'generic' ? 'force_generic_plan' : 'auto'

/** The timeouts of statements. */
export interface StatementTimeouts {
  readonly statement_ms: number
  /** Timeout of searches. */
  readonly search_ms: number
  /** Timeout of scripts, migrations and maintenance. */
  readonly script_ms: number
}

/** The timeouts from the settings; the timeout of searches defaults to that of other statements. */
export const toStatementTimeouts = (
  options: { readonly statement_timeout_ms: number; readonly search_timeout_ms?: number },
  script_ms: number,
): StatementTimeouts => {
  const { statement_timeout_ms: statement_ms, search_timeout_ms: search_ms = statement_ms } = options
  return { statement_ms, search_ms: Math.min(search_ms, statement_ms), script_ms }
}

/** The timeout of one statement of the session. */
export const computeStatementTimeout_ms = (
  { isSearch }: DatabaseSession,
  { search_ms, statement_ms }: StatementTimeouts,
): number => (isSearch ? search_ms : statement_ms)

/** The result of one statement. `command` is its command tag without counts: SELECT, INSERT, ROLLBACK … */
export interface StatementResult {
  readonly rows: Record<string, unknown>[]
  readonly command: string
}

/** Runs one statement with values, or a script of several statements without values. */
export interface StatementRunner {
  /** `prepared`: the statement is executed often; if possible, the connection keeps it parsed and planned. */
  run(text: string, values: readonly EncodedParameter[], prepared?: StatementPreparationMode): Promise<StatementResult>
  /** `limit_ms`: instead of the timeout of scripts, for work that grows with the rows of a server. */
  script(text: string, limit_ms?: number): Promise<StatementResult[]>
}

export interface DriverTransaction extends StatementRunner {
  /** Throws if the server rolled back instead, as it does when an earlier statement failed. */
  commit(): Promise<void>
  /** Never throws. */
  rollback(): Promise<void>
}

/** The kind of work that a session does. */
export const findDatabaseWorkKind = ({ isBackground = false }: DatabaseSession): DatabaseWorkKind =>
  isBackground ? 'background' : 'calls'

/** Connections of a pool, and callers that wait for one. */
export interface ConnectionPoolState {
  readonly in_use: number
  readonly idle: number
  readonly waiting: number
}

/** The operations that each kind of database provides; `connections.ts` builds the rest on them. */
export interface DatabaseDriver {
  readonly kind: 'embedded' | 'postgres'
  /** The backend that pg-boss must be configured with. */
  readonly queue_backend: 'pglite' | 'postgres' | 'citus'
  on(session: DatabaseSession): StatementRunner
  begin(session: DatabaseSession): Promise<DriverTransaction>
  /**
   * Calls `onNotification` with each payload, and `onConnect` after each (re)connection. Absent if there is only one
   * process.
   */
  readonly listen?: (
    channel: string,
    onNotification: (payload: string) => void,
    onConnect: () => void,
  ) => Promise<() => Promise<void>>
  /** The state of the connection pool; absent if there is a single connection. */
  readonly readPool?: () => ConnectionPoolState
  /** Runs `work` under a lock shared by all processes that use the same key. Absent if there is only one process. */
  readonly withLock?: <T>(key: bigint, work: () => Promise<T>) => Promise<T>
  close(): Promise<void>
}
