import type { Sql } from './sql.ts'

/** Something that answers statements. Rows keep the column names; int8 is a number (bigint where a number is unsafe), times are Dates. */
export interface Queryable {
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
}

/** An open transaction. Nothing but this may be used while it is open: the embedded database has one connection. */
export interface Tx extends Queryable {
  /** The organization that the transaction is bound to; null on the handle that works across organizations. */
  readonly organization: string | null
  /** Runs after the commit, never after a rollback; for wake-ups, not for effects that must happen. */
  afterCommit(work: () => void): void
}

/** A handle of the database, bound to one organization or (`organization: null`) to none. */
export interface Db extends Queryable {
  readonly organization: string | null
  /** Commits when `work` resolves, rolls back when it throws. No network and no waiting inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** `leakproof`: the index on geometry serves searches under the policy of an organization; `across`: it would not, so search works past it. */
export type SpatialPolicy = 'leakproof' | 'across'

/** The open database of a house. */
export interface Database {
  readonly kind: 'embedded' | 'postgres'
  /** Row-level security lets this handle see one organization only. */
  of(organization: string): Db
  /**
   * For item search only: the same as `of` where the spatial predicates are leakproof; where they could not be marked, the eyes of
   * `across`, because the policy would cost the spatial index. There every statement must name its organization itself. Statements have the
   * time of searches; one that takes longer ends with `search-too-long`.
   */
  searchOf(organization: string): Db
  /** Which of the two `searchOf` does; known after the migrations. Start-up logs it. */
  readonly spatial_policy: SpatialPolicy
  /** Works across organizations, as the role that the policies let see all of them. `tools/tidy/boundaries.ts` lists who may hold it. */
  readonly across: Db
  /** Schema text run in one transaction by the role that signed in, for tools and tests. */
  runScript(text: string): Promise<void>
  /** Looks again at what the schema allows (`spatial_policy`); the migrations call it when they are done. */
  refresh(): Promise<void>
  /** Loads the geometry library now, which otherwise the first search would wait for: half a second where it is embedded. */
  warmUp(): Promise<void>
  /** Resolves when a trivial statement is answered; throws otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A statement that broke a constraint: the SQLSTATE code says which kind. */
export const sqlState = (error: unknown): string | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null
