import { billingReconciliationListRunsOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toReconciliationRun } from '../../usage/reconciliation/reconciliation-response.ts'
import { listReconciliationRuns } from '../../usage/reconciliation/store.reconciliation.ts'

export const handler = defineHandler(billingReconciliationListRunsOperation, async (call, input) => {
  const { organization_id: organization = null, flagged_only, limit } = input
  const { rows, total } = await listReconciliationRuns(call.unscoped, { organization, flagged_only, limit })
  return toListPage('runs', { rows: rows.map(toReconciliationRun), total }, { limit })
})
