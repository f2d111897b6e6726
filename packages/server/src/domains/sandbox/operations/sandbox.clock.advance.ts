import { sandboxClockAdvanceOperation } from '@swath/contract/operations/sandbox.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireSandbox } from '../access.ts'
import { advanceClock, parseTarget } from '../advance-clock.ts'

export const advanceSandboxClock = defineHandler(sandboxClockAdvanceOperation, async (call, input) => {
  requireSandbox(call)
  const { now, target, reached, steps } = await advanceClock(call, parseTarget(input, call.clock.now()))
  return { now: now.toISOString(), target: target.toISOString(), reached, steps }
})
