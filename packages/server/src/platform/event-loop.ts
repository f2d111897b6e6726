import { setImmediate } from 'node:timers/promises'

/** Reports completed work units; waits if other events should run. */
export type YieldAfterUnits = (units: number) => Promise<void>

/** Yields to the event loop during a long computation, after every `max_units` units of work. */
export function yieldEvery(max_units: number): YieldAfterUnits {
  let completedUnits = 0
  return async (units) => {
    completedUnits += units
    if (completedUnits < max_units) return
    completedUnits = 0
    await setImmediate()
  }
}
