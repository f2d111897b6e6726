import { ordersTaskingTemplatesGetOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireTaskingTemplate, toTaskingTemplate } from '../tasking/templates.ts'

export const handler = defineHandler(ordersTaskingTemplatesGetOperation, async (call, { template_id }) =>
  toTaskingTemplate(await requireTaskingTemplate(call, template_id)),
)
