import { billingReconciliationListCorrections } from '@swath/contract/operations/billing.reconciliation.ts'
import { handler } from '../../engine/handler.ts'
import { correctionOf } from './storage/reconciliation-answers.ts'
import { listCorrections } from './storage/store.reconciliation.ts'

export const listStorageCorrections = handler(billingReconciliationListCorrections, async (call, input) => {
  const { organization_id: organization = null, limit } = input
  const { rows, total } = await listCorrections(call.across, { organization, limit })
  return { corrections: rows.map(correctionOf), limit, offset: 0, total }
})
