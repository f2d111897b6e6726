import { adminTaskingQuotationUploadOperation } from '@swath/contract/operations/admin.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { toQuotation } from '../../orders/tasking/decisions.ts'
import { offerTaskingQuotation } from '../../orders/tasking/offer-decisions.ts'

export const handler = defineHandler(adminTaskingQuotationUploadOperation, async (call, input) => {
  const { organization_id, order_id, creditsPrice: credits_price } = input
  const actor = await toActorInOrganization(call, organization_id)
  const decide_by = input.decide_by ? new Date(input.decide_by) : null
  return call.unscoped.transaction(async (tx) => ({
    order_id,
    quotation: toQuotation(await offerTaskingQuotation(tx, actor, { order_id, credits_price, decide_by })),
  }))
})
