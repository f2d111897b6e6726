import { sandboxResetOperation } from '@swath/contract/operations/sandbox.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { findSandbox } from '../../../platform/sandbox/store.sandboxes.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { requireSandboxAdmin } from '../access.ts'
import { clearTaskingHostEnvironments, resetSandbox, type SandboxResetOutcome } from '../reset-sandbox.ts'
import { acquireSandboxLease, createSandboxBusyProblem } from '../sandbox-lease.ts'

export const handler = defineHandler(sandboxResetOperation, async (call) => {
  const organization = await requireSandboxAdmin(call)
  const lease = await acquireSandboxLease(call, null)
  if (!lease) throw createSandboxBusyProblem()
  const outcome = await reset(call).finally(lease.release)
  const sandbox = await findSandbox(call.db, organization)
  assertInvariant(sandbox, 'the id of a sandbox organization names a sandbox')
  const { available_credits } = await readWalletBalance(call.db, organization, call.clock.now())
  return { ...outcome, available_credits, resets: sandbox.resets }
})

async function reset(call: Call): Promise<SandboxResetOutcome> {
  const outcome = await call.transaction((tx) => resetSandbox(tx, call))
  await clearTaskingHostEnvironments(call)
  return outcome
}
