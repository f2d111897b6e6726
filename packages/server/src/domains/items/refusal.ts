import type { FieldError, Problem } from '../../engine/problem.ts'

/** The reason why one entry of a batch was refused, as in the response. */
export interface BatchItemRefusal {
  problem: string
  detail: string
  errors?: { path: string; message: string }[]
}

export function toBatchItemRefusal(problem: Problem): BatchItemRefusal {
  const errors = problem.extra['errors'] as readonly FieldError[] | undefined
  const { problem: name, message: detail } = problem
  return { problem: name, detail, ...(errors ? { errors: errors.map((error) => ({ ...error })) } : {}) }
}
