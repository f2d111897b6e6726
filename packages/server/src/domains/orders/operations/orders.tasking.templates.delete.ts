import { ordersTaskingTemplatesDeleteOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteTemplate } from '../tasking/store.templates.ts'
import { templateNotFound } from '../tasking/templates.ts'

export const handler = defineHandler(ordersTaskingTemplatesDeleteOperation, async (call, { template_id }) => {
  if (!(await deleteTemplate(call.db, call.organization, template_id))) throw templateNotFound(template_id)
  return { template_id, deleted: true }
})
