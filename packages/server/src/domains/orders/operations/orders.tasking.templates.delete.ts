import { ordersTaskingTemplatesDeleteOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteTaskingTemplate } from '../tasking/store.templates.ts'
import { createTaskingTemplateNotFound } from '../tasking/templates.ts'

export const handler = defineHandler(ordersTaskingTemplatesDeleteOperation, async (call, { template_id }) => {
  if (!(await deleteTaskingTemplate(call.db, call.organization, template_id)))
    throw createTaskingTemplateNotFound(template_id)
  return { template_id, deleted: true }
})
