import { sandboxResetOperation } from '@swath/contract/operations/sandbox.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { invariant } from '../../../engine/problem.ts'
import { findSandbox } from '../../../platform/sandbox/store.sandboxes.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { requireSandboxAdmin } from '../access.ts'
import { emptyHostWorlds, resetSandbox } from '../reset-sandbox.ts'
import { withSandboxLease } from '../sandbox-lease.ts'

export const resetSandboxOrganization = defineHandler(sandboxResetOperation, async (call) => {
  const organization = await requireSandboxAdmin(call)
  const outcome = await withSandboxLease(call, async () => {
    const reset = await call.transaction((tx) => resetSandbox(tx, call))
    await emptyHostWorlds(call)
    return reset
  })
  const sandbox = await findSandbox(call.db, organization)
  invariant(sandbox, 'the id of a sandbox organization names a sandbox')
  const { available_credits } = await readWalletBalance(call.db, organization, call.clock.now())
  return { ...outcome, available_credits, resets: sandbox.resets }
})
