import { billingReconciliationRunAll } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import type { Actor } from '../events/emit.ts'
import { listStoredAssets } from '../items/stored-assets.ts'
import { groundOf, runEveryReconciliation } from './storage/reconciliation.ts'
import { runOf } from './storage/reconciliation-answers.ts'

export const reconcileEverybody = handler(billingReconciliationRunAll, async (call, input) => {
  const { principal, clocks, operation, requestId, queue } = call
  const actorIn = (organization: string): Actor => ({
    organization,
    principal,
    clock: clocks.of(organization),
    operation,
    requestId,
    queue,
  })
  const runs = await runEveryReconciliation(groundOf(call, listStoredAssets), actorIn, input.threshold_bytes)
  return { runs: runs.map(runOf), flagged_count: runs.filter((run) => run.flagged).length }
})
