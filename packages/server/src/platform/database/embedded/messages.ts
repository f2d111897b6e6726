import type { Session } from '../driver.ts'
import type { Refusal } from '../failures.ts'
import type { Preparation } from '../sql.ts'
import type { WireValue } from '../values.ts'

/** How the thread opens the data folder. */
export interface EngineOptions {
  readonly dir: string
  /** Address (file URL) of the PostGIS bundle. */
  readonly bundle: string
  /** Whether a commit waits until the disk has it. */
  readonly durable: boolean
  /**
   * `folder` works in `dir`. `memory` works on a copy of it in memory, and a close request restores the copy instead of ending the
   * engine: one that stays open is a new database for whoever comes next.
   */
  readonly storage: 'folder' | 'memory'
}

/** Counters that both threads see without a message: the statement begun last, and syncs to disk. */
export const counter = { begun: 0, syncs: 1, length: 2 } as const

export interface WorkerData {
  readonly engine: EngineOptions
  readonly counters: SharedArrayBuffer
}

export type Request =
  | {
      readonly id: number
      readonly kind: 'run'
      readonly session: Session
      readonly text: string
      readonly values: readonly WireValue[]
      /** The thread keeps it parsed and planned. */
      readonly kept?: Preparation
      /** The first of a transaction: it begins on the same way, which saves the messages of a statement of its own. */
      readonly begins?: boolean
    }
  /** `alone`: outside a transaction, so that one which the script left open must end with it. */
  | {
      readonly id: number
      readonly kind: 'script'
      readonly session: Session
      readonly text: string
      readonly alone: boolean
      readonly begins?: boolean
    }
  | { readonly id: number; readonly kind: 'close' }

/** One result as text: the receiving side makes values of it, which costs less than copying values between threads. */
export interface TextOutcome {
  readonly command: string
  readonly columns: readonly { readonly name: string; readonly type: number }[]
  readonly rows: readonly (readonly (string | null)[])[]
}

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unopened'; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly outcomes: readonly TextOutcome[] }
  /** The answer to a close request: whether the engine is as it was opened, and may be opened again. */
  | { readonly kind: 'closed'; readonly id: number; readonly restored: boolean }
  | { readonly kind: 'refusal'; readonly id: number; readonly refusal: Refusal }
  /** The engine is beyond repair: the thread must go. */
  | { readonly kind: 'fatal'; readonly id: number; readonly message: string }
