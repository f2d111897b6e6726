import { billingReconciliationRunAll } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import { actorIn } from '../events/emit.ts'
import { listStoredAssets } from '../items/stored-assets.ts'
import { groundOf, runEveryReconciliation } from './storage/reconciliation.ts'
import { runOf } from './storage/reconciliation-answers.ts'

export const reconcileEverybody = handler(billingReconciliationRunAll, async (call, input) => {
  const ground = groundOf(call, listStoredAssets)
  const runs = await runEveryReconciliation(ground, (id) => actorIn(call, id), input.threshold_bytes)
  return { runs: runs.map(runOf), flagged_count: runs.filter((run) => run.flagged).length }
})
