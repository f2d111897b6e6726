import { billingReconciliationDetectDriftOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listStoredFiles } from '../../reports/stored-files.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { compareStorage, createReconciliationDependencies } from '../../usage/reconciliation/reconciliation.ts'

export const handler = defineHandler(billingReconciliationDetectDriftOperation, async (call, input) => {
  const { organization } = await toActorInOrganization(call, input.organization_id)
  const drifts = [
    ...(await compareStorage(createReconciliationDependencies(call, listStoredFiles), organization)).drifts,
  ]
  return toCompleteList('drifts', drifts)
})
