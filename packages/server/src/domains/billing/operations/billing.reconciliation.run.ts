import { billingReconciliationRunOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listStoredAssets } from '../../items/assets/stored-assets.ts'
import { actorFor } from '../../organizations/all-organizations.ts'
import { reconciliationDependencies, runReconciliation } from '../../usage/reconciliation/reconciliation.ts'
import { toReconciliationRun } from '../../usage/reconciliation/reconciliation-response.ts'

export const reconcileOrganization = defineHandler(billingReconciliationRunOperation, async (call, input) => {
  const actor = await actorFor(call, input.organization_id)
  return toReconciliationRun(
    await runReconciliation(reconciliationDependencies(call, listStoredAssets), actor, input.threshold_bytes),
  )
})
