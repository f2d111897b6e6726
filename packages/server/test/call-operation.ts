import assert from 'node:assert/strict'
import type { Call } from '../src/engine/call.ts'
import { operationHandlers } from '../src/domains/handlers.ts'
import { Problem } from '../src/engine/problem.ts'
import { requireValidOutput, readCallInput } from '../src/engine/input/read-input.ts'

/** Calls an operation as the pipeline does, without HTTP: input and output are validated. */
export async function callOperation<T = Record<string, never>>(
  id: string,
  call: Call,
  input: Record<string, unknown>,
): Promise<T> {
  const { operation, handle } = operationHandlers.get(id)!
  const output = await handle(call, readCallInput(operation, input) as never)
  requireValidOutput(operation, output)
  return output as T
}

/** Matches the problem of this name whose message matches, for `assert.rejects`. */
export const rejectedWith =
  (problem: string, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.problem, problem)
    assert.match(error.message, message)
    return true
  }

/** Asserts that a call is rejected with the problem. */
export const assertRejected = (outcome: Promise<unknown>, problem: string): Promise<void> =>
  assert.rejects(outcome, rejectedWith(problem))

/** Runs the work twice at once and asserts that one run succeeds and one is rejected. */
export async function assertOneSucceeds(run: () => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled([run(), run()])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
}

/** The name of the problem that a call through HTTP ends with, or `ok`. */
export const problemOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: { problem?: string }) => error.problem ?? String(error),
  )
