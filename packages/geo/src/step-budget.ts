/** Steps that are left to the work on one geometry, or on all those of a call: comparisons of two edges, some 30 ns each. */
export interface StepBudget {
  remaining_steps: number
}

/** The steps that validating a position takes, beside the comparisons of its edges. */
export const steps_per_position = 15

/** By default some 70 ms: a geometry of 100,000 positions, and a third as much for its edges near each other. */
export const createStepBudget = (remaining_steps = 2_000_000): StepBudget => ({ remaining_steps })

/** Takes steps from the budget; false if too few are left, as for all work after it. */
export const spendSteps = (budget: StepBudget, steps: number): boolean => (budget.remaining_steps -= steps) >= 0

/** The reason for refusing geometries for which too few steps are left, for users. */
export const tooManyStepsReason =
  'has too many positions, or long edges beside each other, for one request: send fewer or simpler areas'
