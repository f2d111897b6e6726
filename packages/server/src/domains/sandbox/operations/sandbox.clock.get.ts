import { sandboxClockGetOperation } from '@swath/contract/operations/sandbox.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { toProcessClockTime } from '../../../platform/clock.ts'
import { findSandbox, findSandboxClockAdvance } from '../../../platform/sandbox/store.sandboxes.ts'
import { requireSandbox } from '../access.ts'

export const handler = defineHandler(sandboxClockGetOperation, async (call) => {
  const organization = requireSandbox(call)
  const sandbox = await findSandbox(call.db, organization)
  assertInvariant(sandbox, 'the id of a sandbox organization names a sandbox')
  const advance = await findSandboxClockAdvance(call.db, organization, toProcessClockTime(call.clocks.process))
  const next = await call.sandboxRunner.findNextDue({ organization, signal: call.signal })
  return {
    organization_id: organization,
    now: sandbox.now.toISOString(),
    seed: sandbox.seed,
    resets: sandbox.resets,
    advancing_to: (advance?.is_running && advance.target?.toISOString()) || null,
    next_due_at: next?.toISOString() ?? null,
  }
})
