import { billingReconciliationListRuns } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import { runOf } from './storage/reconciliation-answers.ts'
import { listRuns } from './storage/store.reconciliation.ts'

export const listReconciliationRuns = handler(billingReconciliationListRuns, async (call, input) => {
  const { organization_id: organization = null, flagged_only, limit } = input
  const { rows, total } = await listRuns(call.across, { organization, flagged_only, limit })
  return { runs: rows.map(runOf), limit, offset: 0, total }
})
