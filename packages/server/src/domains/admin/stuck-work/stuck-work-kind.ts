import type { StuckWorkAction } from '@swath/contract/schemas/stuck-work.ts'
import type { Call } from '../../../engine/call.ts'
import type { StuckWorkRow } from '../../../engine/stuck-work.ts'

/** The stuck work that an operator acts on. */
export interface StuckWorkTarget {
  readonly id: string
  /** Null for a task that belongs to none. */
  readonly organization: string | null
  readonly reason: string
}

/** Selects stuck work. */
export interface StuckWorkQuery {
  /** Null selects work of all organizations but sandboxes, and work without an organization. */
  readonly organization: string | null
  /** Only this one; null for all. */
  readonly id: string | null
  /** For how long it has not moved. */
  readonly min_age_ms: number
  /** A waiting task that has failed this often is stuck. */
  readonly min_failures: number
  readonly limit: number
}

/** One kind of stuck work. */
export interface StuckWorkKindDefinition {
  /** For how long it has not moved. */
  readonly min_age_ms: number
  /** The clock that measures its age. */
  readonly clock: 'organization' | 'process'
  list(call: Call, query: StuckWorkQuery): Promise<StuckWorkRow[]>
  /** The actions of an operator. False if the work has moved meanwhile, or its state does not allow the action. */
  readonly actions: Readonly<
    Partial<Record<StuckWorkAction, (call: Call, target: StuckWorkTarget) => Promise<boolean>>>
  >
}
