import type { Operation } from '@swath/contract/operation.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'

export type Answerer<Input, Output> = (call: Call, input: Input) => Promise<Output | Answer>

/** An operation together with the function that implements it. */
export interface Handler {
  readonly operation: Operation
  readonly answer: Answerer<never, unknown>
}

/** Binds a function to its operation; types come from the contract alone, so an output that lacks a field does not compile. */
export function handler<Input, Output>(
  operation: Operation<Input, Output>,
  answer: Answerer<Input, NoInfer<Output>>,
): Handler {
  return { operation, answer: answer as Answerer<never, unknown> }
}
