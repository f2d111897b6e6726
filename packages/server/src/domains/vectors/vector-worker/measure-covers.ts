import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { coveredFraction } from '@swath/geo/polygon-clip.ts'
import { TooManyEdgesError } from '@swath/geo/slabs.ts'
import { createStepBudget } from '@swath/geo/step-budget.ts'

/** An area, and lists of footprints of which each may cover some of it. */
export interface CoverRequest {
  readonly area: AreaGeometry
  readonly lists: readonly (readonly AreaGeometry[])[]
}

/** Steps take some 150 ns here: a list has 0.15 s, and a job, during which other organizations wait, 1.5 s. */
const max_steps = { list: 1_000_000, job: 10_000_000 } as const

/** The fraction of the area that each list of footprints covers; null for one that takes too long to measure. */
export function measureCoveredFractions({ area, lists }: CoverRequest): (number | null)[] {
  let remaining_steps: number = max_steps.job
  return lists.map((footprints) => {
    const list_steps = Math.min(max_steps.list, remaining_steps)
    const budget = createStepBudget(list_steps)
    try {
      return coveredFraction(area, footprints, budget)
    } catch (error) {
      if (error instanceof TooManyEdgesError) return null
      throw error
    } finally {
      remaining_steps -= list_steps - Math.max(0, budget.remaining_steps)
    }
  })
}
