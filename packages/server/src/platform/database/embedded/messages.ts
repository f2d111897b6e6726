import type { DatabaseSession } from '../driver.ts'
import type { PostgresErrorFields } from '../failures.ts'
import type { StatementPreparationMode } from '../sql.ts'
import type { EncodedParameter } from '../values.ts'

/** Options with which the thread opens the data folder. */
export interface DatabaseEngineOptions {
  readonly dir: string
  /** File URL of the PostGIS bundle. */
  readonly bundle: string
  /** True if a commit waits until the data is on disk. */
  readonly durable: boolean
  /**
   * `folder` works in `dir`. `memory` works on an in-memory copy of it, and a close request restores the copy instead of
   * ending the engine, so that the engine can be reused as a new database.
   */
  readonly storage: 'folder' | 'memory'
  /** Makes `dir`, which does not exist, a new cluster: that of a package, in a tenth of the time of initdb. */
  readonly create?: boolean
}

/** Counters that both threads read without a message: the last started statement, and syncs to disk. */
export const databaseEngineCounterIndexes = { begun: 0, syncs: 1, length: 2 } as const

export interface DatabaseEngineWorkerData {
  readonly engine: DatabaseEngineOptions
  readonly counters: SharedArrayBuffer
}

export type DatabaseEngineRequest =
  | {
      readonly id: number
      readonly kind: 'run'
      readonly session: DatabaseSession
      readonly text: string
      readonly values: readonly EncodedParameter[]
      /** The thread keeps it parsed and planned. */
      readonly prepared?: StatementPreparationMode
      /** The first statement of a transaction: BEGIN is sent with it, which saves a round trip. */
      readonly begins?: boolean
    }
  /** `alone`: outside a transaction, so a transaction that the script left open must be rolled back. */
  | {
      readonly id: number
      readonly kind: 'script'
      readonly session: DatabaseSession
      readonly text: string
      readonly alone: boolean
      readonly begins?: boolean
    }
  | { readonly id: number; readonly kind: 'close' }

/** A result as text: the receiving thread converts it, which is cheaper than copying values between threads. */
export interface TextFormatQueryResult {
  readonly command: string
  readonly columns: readonly { readonly name: string; readonly type: number }[]
  readonly rows: readonly (readonly (string | null)[])[]
}

export type DatabaseEngineReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unopened'; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly outcomes: readonly TextFormatQueryResult[] }
  /** The reply to a close request: whether the engine was restored to its initial state and can be reused. */
  | { readonly kind: 'closed'; readonly id: number; readonly restored: boolean }
  | { readonly kind: 'refusal'; readonly id: number; readonly refusal: PostgresErrorFields }
  /** The engine is broken: the thread must be terminated. */
  | { readonly kind: 'fatal'; readonly id: number; readonly message: string }
