import { billingReconciliationListCorrectionsOperation } from '@swath/contract/operations/billing.reconciliation.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toStorageCorrection } from '../../usage/reconciliation/reconciliation-response.ts'
import { listStorageCorrections } from '../../usage/reconciliation/store.reconciliation.ts'

export const handler = defineHandler(billingReconciliationListCorrectionsOperation, async (call, input) => {
  const { organization_id: organization = null, limit } = input
  const { rows, total } = await listStorageCorrections(call.unscoped, { organization, limit })
  return toListPage('corrections', { rows: rows.map(toStorageCorrection), total }, { limit })
})
