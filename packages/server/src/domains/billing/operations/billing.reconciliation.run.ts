import { billingReconciliationRunOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listStoredFiles } from '../../reports/stored-files.ts'
import { actorFor } from '../../organizations/all-organizations.ts'
import { reconciliationDependencies, runReconciliation } from '../../usage/reconciliation/reconciliation.ts'
import { toReconciliationRun } from '../../usage/reconciliation/reconciliation-response.ts'

export const handler = defineHandler(billingReconciliationRunOperation, async (call, input) => {
  const actor = await actorFor(call, input.organization_id)
  return toReconciliationRun(
    await runReconciliation(reconciliationDependencies(call, listStoredFiles), actor, input.threshold_bytes),
  )
})
