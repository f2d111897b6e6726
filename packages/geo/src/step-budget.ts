/** Steps that are left to the work on one geometry, or on all those of a call: comparisons of two edges, some 30 ns each. */
export interface StepBudget {
  remaining_steps: number
}

/** The steps that validating a position takes, beside the comparisons of its edges. */
export const steps_per_position = 20

/** By default some 0.1 s: a geometry of 100,000 positions, half as much again for its edges near each other. */
export const createStepBudget = (remaining_steps = 3_000_000): StepBudget => ({ remaining_steps })

/** Takes steps from the budget; false if too few are left, as for all work after it. */
export const spendSteps = (budget: StepBudget, steps: number): boolean => (budget.remaining_steps -= steps) >= 0

/** The reason for refusing geometries for which too few steps are left, for users. */
export const too_many_steps_reason =
  'too many positions, or long edges beside each other, to validate in one call: send fewer or simpler geometries'
