import { setImmediate } from 'node:timers/promises'
import type { StepBudget } from '@swath/geo/step-budget.ts'

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

/** Steps of a budget between other events: some 10 ms. */
const steps_between_events = 300_000

/** Maps the entries of a list whose work spends steps of a budget, in their order; other events run meanwhile. */
export async function mapBetweenEvents<Entry, Result>(
  entries: readonly Entry[],
  budget: StepBudget,
  map: (entry: Entry, at: number) => Result,
): Promise<Result[]> {
  const yieldAfter = yieldEvery(steps_between_events)
  const results: Result[] = []
  for (const [at, entry] of entries.entries()) {
    const before_steps = budget.remaining_steps
    results.push(map(entry, at))
    await yieldAfter(before_steps - budget.remaining_steps)
  }
  return results
}
