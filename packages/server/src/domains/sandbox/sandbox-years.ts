import { sandbox_clock_years } from '@swath/contract/limits.ts'
import { validationProblem } from '../../engine/problem.ts'

const { first, last } = sandbox_clock_years

/** Throws `validation` with the path of the field for a time outside the years that the clock of a sandbox may show. */
export function requireSandboxYear(time: Date, path: string): void {
  const year = time.getUTCFullYear()
  if (year >= first && year <= last) return
  throw validationProblem([{ path, message: `is not in the years ${first} to ${last}` }])
}
