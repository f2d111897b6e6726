import type { Operation } from '@swath/contract/operation.ts'
import type { OperationResponse } from './operation-response.ts'
import type { Call } from './call.ts'

export type HandlerFunction<Input, Output> = (call: Call, input: Input) => Promise<Output | OperationResponse>

/** An operation together with the function that implements it. */
export interface OperationHandler {
  readonly operation: Operation
  readonly handle: HandlerFunction<never, unknown>
}

/** Binds a function to its operation; types come from the contract alone, so an output that lacks a field does not compile. */
export function defineHandler<Input, Output>(
  operation: Operation<Input, Output>,
  handle: HandlerFunction<Input, NoInfer<Output>>,
): OperationHandler {
  return { operation, handle: handle as HandlerFunction<never, unknown> }
}
