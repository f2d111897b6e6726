import type { WireValue } from './values.ts'

/** Whose eyes a statement sees with: the owner passes row-level security, the app role (`swath_app`) never does. */
export interface Session {
  readonly eyes: 'owner' | 'app'
  readonly organization: string | null
}

/** What one statement answered. `command` is its tag without counts: SELECT, INSERT, ROLLBACK … */
export interface Outcome {
  readonly rows: Record<string, unknown>[]
  readonly command: string
}

/** One statement with its values, or a script of several without any. */
export interface Runner {
  /** `kept`: the text comes again and again; where it can, the connection keeps it parsed and planned. */
  run(text: string, values: readonly WireValue[], kept?: boolean): Promise<Outcome>
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
