import type { Sql } from './sql.ts'

/** Runs SQL statements. Rows keep the column names; int8 is a number (bigint where a number is unsafe), times are Dates. */
export interface SqlStatementRunner {
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
}

/** An open transaction. Nothing else may use the database meanwhile: the embedded database has a single connection. */
export interface Tx extends SqlStatementRunner {
  /** The organization of the transaction; null on the unscoped connection. */
  readonly organization: string | null
  /** Runs after the commit, never after a rollback; for notifications, not for effects that must happen. */
  afterCommit(work: () => void): void
  /** After the commit, notifies subscribers of this process (`Database.subscribe`), and other processes by NOTIFY. */
  publish(channel: string, message: string): void
}

/** A connection to the database, scoped to one organization or unscoped (`organization: null`). */
export interface DbConnection extends SqlStatementRunner {
  readonly organization: string | null
  /** Commits when `work` resolves, rolls back when it throws. No network access and no waiting inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * `leakproof`: searches under the policy of an organization can use the spatial index. `across`: they could not, so
 * searches bypass the policy.
 */
export type SpatialSearchMode = 'leakproof' | 'across'

/** Kinds of work that take turns at a connection: one transaction of `background` never waits for all `calls` before it. */
export type DatabaseWorkKind = 'calls' | 'background'

/** The open database. */
export interface Database {
  readonly kind: 'embedded' | 'postgres'
  /** A connection on which row-level security shows only one organization; for `calls` if no kind of work is passed. */
  forOrganization(organization: string, work?: DatabaseWorkKind): DbConnection
  /**
   * A connection for item search only. The same as `forOrganization` where the spatial predicates are leakproof;
   * otherwise it has the role of `unscoped`, because the policy would prevent the use of the spatial index, and every
   * statement must name its organization itself. Statements have the timeout of searches; one that exceeds it fails
   * with `search-too-long`.
   */
  forItemSearch(organization: string): DbConnection
  /** The behaviour of `forItemSearch`; determined after the migrations and logged at startup. */
  readonly spatial_policy: SpatialSearchMode
  /**
   * A connection for work across organizations, as the role that the policies let see all of them.
   * `tools/tidy/boundaries.ts` lists who may use it.
   */
  readonly unscoped: DbConnection
  /** Runs an SQL script in one transaction as the role that signed in, for tools and tests. */
  runScript(text: string): Promise<void>
  /** Reads again what the schema allows (`spatial_policy`); called after the migrations. */
  refresh(): Promise<void>
  /** Loads the geometry library, which the first search would otherwise wait for: half a second on the embedded database. */
  warmUp(): Promise<void>
  /** Calls the listener for messages that transactions of this process publish; returns a function that ends it. */
  subscribe(channel: string, listener: (message: string) => void): () => void
  /** Resolves if a trivial statement succeeds; throws otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The SQLSTATE of an error, which says which constraint or rule a statement violated; null for other errors. */
export const getSqlState = (error: unknown): string | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null
