import { setImmediate } from 'node:timers/promises'

/** Reports completed work units; waits if other events should run. */
export type Yielding = (units: number) => Promise<void>

/** Yields to the event loop during a long computation, after every `max_units` units of work. */
export function yieldEvery(max_units: number): Yielding {
  let done = 0
  return async (units) => {
    done += units
    if (done < max_units) return
    done = 0
    await setImmediate()
  }
}
