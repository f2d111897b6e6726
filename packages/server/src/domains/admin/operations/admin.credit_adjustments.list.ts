import { adminCreditAdjustmentsListOperation } from '@swath/contract/operations/admin.credit_adjustments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toCreditAdjustments } from '../credit-adjustments.ts'
import { listCreditAdjustments } from '../store.credit-adjustments.ts'

export const handler = defineHandler(adminCreditAdjustmentsListOperation, async (call, input) => {
  const { organization_id: organization = null, status = null, limit, offset } = input
  const { rows, total } = await listCreditAdjustments(call.unscoped, { organization, status, limit, offset })
  return toListPage('adjustments', { rows: await toCreditAdjustments(call.unscoped, rows), total }, input)
})
