import type { Fault, Problem } from '../../engine/problem.ts'

/** Why one entry of a batch was refused, as in the response. */
export interface Refusal {
  problem: string
  detail: string
  errors?: { path: string; message: string }[]
}

export function refusalOf(problem: Problem): Refusal {
  const errors = problem.extra['errors'] as readonly Fault[] | undefined
  const { problem: name, message: detail } = problem
  return { problem: name, detail, ...(errors ? { errors: errors.map((fault) => ({ ...fault })) } : {}) }
}
