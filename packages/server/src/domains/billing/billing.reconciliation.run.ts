import { billingReconciliationRun } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import { listStoredAssets } from '../items/stored-assets.ts'
import { actIn } from '../organizations/named.ts'
import { groundOf, runReconciliation } from './storage/reconciliation.ts'
import { runOf } from './storage/reconciliation-answers.ts'

export const reconcileOrganization = handler(billingReconciliationRun, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  return runOf(await runReconciliation(groundOf(call, listStoredAssets), actor, input.threshold_bytes))
})
