import { billingReconciliationRemoveStaleOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listStoredFiles } from '../../reports/stored-files.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import {
  createReconciliationDependencies,
  correctStorageDriftsOfKind,
} from '../../usage/reconciliation/reconciliation.ts'
import { toCorrectionsResult } from '../../usage/reconciliation/reconciliation-response.ts'

export const handler = defineHandler(billingReconciliationRemoveStaleOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  return toCorrectionsResult(
    actor.organization,
    await correctStorageDriftsOfKind(createReconciliationDependencies(call, listStoredFiles), actor, 'stale'),
  )
})
