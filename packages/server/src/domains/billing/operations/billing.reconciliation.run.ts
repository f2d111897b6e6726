import { billingReconciliationRunOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listStoredFiles } from '../../reports/stored-files.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import {
  createReconciliationDependencies,
  runStorageReconciliation,
} from '../../usage/reconciliation/reconciliation.ts'
import { toReconciliationRun } from '../../usage/reconciliation/reconciliation-response.ts'

export const handler = defineHandler(billingReconciliationRunOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  return toReconciliationRun(
    await runStorageReconciliation(
      createReconciliationDependencies(call, listStoredFiles),
      actor,
      input.threshold_bytes,
    ),
  )
})
