import type { Preparation } from './sql.ts'
import type { WireValue } from './values.ts'

/**
 * Whose eyes a statement sees with. `app`: the role of one organization; `across`: the role that the policies let see all of them;
 * `owner`: whoever signed in, for the schema. The owner sees no row of a tenant table unless it is a superuser.
 */
export interface Session {
  readonly eyes: 'owner' | 'app' | 'across'
  readonly organization: string | null
  /** True for searches, whose statements have a time of their own. */
  readonly isSearch?: boolean
}

/** What `set role` says for each of them. */
export const rolesOfEyes: Readonly<Record<Session['eyes'], string>> = {
  owner: 'none',
  app: 'swath_app',
  across: 'swath_across',
}

/** What `plan_cache_mode` is for a statement. */
export const planModeOf = (kept: Preparation): string => (kept === 'generic' ? 'force_generic_plan' : 'auto')

/** How long statements may run. */
export interface StatementLimits {
  readonly statement_ms: number
  /** Of searches. */
  readonly search_ms: number
  /** Of scripts, migrations and upkeep. */
  readonly script_ms: number
}

/** The limits of a database whose settings may leave the time of searches out: then it is that of other statements. */
export const toStatementLimits = (
  options: { readonly statement_timeout_ms: number; readonly search_timeout_ms?: number },
  script_ms: number,
): StatementLimits => {
  const { statement_timeout_ms: statement_ms, search_timeout_ms: search_ms = statement_ms } = options
  return { statement_ms, search_ms: Math.min(search_ms, statement_ms), script_ms }
}

/** How long one statement of the session may run. */
export const statementLimit_ms = ({ isSearch }: Session, { search_ms, statement_ms }: StatementLimits): number =>
  isSearch ? search_ms : statement_ms

/** What one statement answered. `command` is its tag without counts: SELECT, INSERT, ROLLBACK … */
export interface Outcome {
  readonly rows: Record<string, unknown>[]
  readonly command: string
}

/** One statement with its values, or a script of several without any. */
export interface Runner {
  /** `kept`: the text comes again and again; where it can, the connection prepares it. */
  run(text: string, values: readonly WireValue[], kept?: Preparation): Promise<Outcome>
  script(text: string): Promise<Outcome[]>
}

export interface OpenTransaction extends Runner {
  /** Throws where the server rolled back instead, which it does when a statement before was refused. */
  commit(): Promise<void>
  /** Never throws. */
  rollback(): Promise<void>
}

/** What a kind of database must be able to do; `handles.ts` makes the rest of it. */
export interface Driver {
  readonly kind: 'embedded' | 'postgres'
  /** Which of its dialects the queue's library must speak. */
  readonly queue_backend: 'pglite' | 'postgres' | 'citus'
  on(session: Session): Runner
  begin(session: Session): Promise<OpenTransaction>
  /** Calls `heard` with each payload; `again` after each (re)connection. Absent where there is only one process. */
  readonly listen?: (
    channel: string,
    heard: (payload: string) => void,
    again: () => void,
  ) => Promise<() => Promise<void>>
  /** Runs `work` alone among all processes of the database that name the same key. Absent where there is only one process. */
  readonly exclusively?: <T>(key: bigint, work: () => Promise<T>) => Promise<T>
  close(): Promise<void>
}
