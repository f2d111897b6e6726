import { billingReconciliationRunAll } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import { listStoredAssets } from '../items/stored-assets.ts'
import { groundOf, runEveryReconciliation } from './storage/reconciliation.ts'
import { runOf } from './storage/reconciliation-answers.ts'

export const reconcileEverybody = handler(billingReconciliationRunAll, async (call, input) => {
  const { principal, clock, operation, requestId, queue } = call
  const actor = { principal, clock, operation, requestId, queue }
  const runs = await runEveryReconciliation(groundOf(call, listStoredAssets), actor, input.threshold_bytes)
  return { runs: runs.map(runOf), flagged_count: runs.filter((run) => run.flagged).length }
})
