import type { CountedCaller } from './store.calls.ts'

/** The part of the usage of an organization that a member may see; null stands for all. */
export interface UsageScope {
  /** The projects whose spending is added up. */
  readonly projects: readonly string[] | null
  /** The only caller whose calls are shown by themselves. */
  readonly caller: CountedCaller | null
}
