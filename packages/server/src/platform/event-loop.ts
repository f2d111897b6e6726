import { setImmediate } from 'node:timers/promises'

/** Says that so much was done; waits where others should have their turn. */
export type Yielding = (units: number) => Promise<void>

/**
 * Lets the event loop serve others between pieces of a long computation, after every so many units of work, whatever a
 * unit is.
 */
export function yieldEvery(max_units: number): Yielding {
  let done = 0
  return async (units) => {
    done += units
    if (done < max_units) return
    done = 0
    await setImmediate()
  }
}
