import { sandboxClockAdvanceOperation } from '@swath/contract/operations/sandbox.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireSandbox } from '../access.ts'
import { advanceSandboxClock, parseClockAdvanceTarget } from '../advance-clock.ts'

export const handler = defineHandler(sandboxClockAdvanceOperation, async (call, input) => {
  requireSandbox(call)
  const request = { target: parseClockAdvanceTarget(input, call.clock.now()), joins: typeof input.to === 'string' }
  const { now, target, reached, steps } = await advanceSandboxClock(call, request)
  return { now: now.toISOString(), target: target.toISOString(), reached, steps }
})
