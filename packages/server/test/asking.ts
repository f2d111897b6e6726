import assert from 'node:assert/strict'
import type { Call } from '../src/engine/call.ts'
import type { Handler } from '../src/engine/handler.ts'
import { Problem } from '../src/engine/problem.ts'
import { checkOutput, readInput } from '../src/engine/read-input.ts'

/** Calls a handler as the pipeline does, without HTTP: input and output are validated. */
export async function ask<T = Record<string, never>>(
  handler: Handler,
  call: Call,
  input: Record<string, unknown>,
): Promise<T> {
  const output = await handler.answer(call, readInput(handler.operation, input) as never)
  checkOutput(handler.operation, output)
  return output as T
}

/** For `assert.rejects`: matches the problem of this name whose message matches. */
export const refused =
  (problem: string, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.problem, problem)
    assert.match(error.message, words)
    return true
  }
