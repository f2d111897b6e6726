import { isProblem } from '../../../api/problem.ts'

/** True if the platform does not accept the filter that a person wrote. */
export const isFilterProblem = (error: unknown): boolean =>
  isProblem(error, 'validation', 'unsupported-filter', 'budget-exceeded')
