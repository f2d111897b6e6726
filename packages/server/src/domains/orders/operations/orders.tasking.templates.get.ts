import { ordersTaskingTemplatesGetOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireTemplate, toTemplate } from '../tasking/templates.ts'

export const handler = defineHandler(ordersTaskingTemplatesGetOperation, async (call, { template_id }) =>
  toTemplate(await requireTemplate(call, template_id)),
)
