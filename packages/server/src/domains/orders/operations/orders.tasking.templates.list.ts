import { ordersTaskingTemplatesListOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listTaskingTemplates } from '../tasking/store.templates.ts'
import { toTaskingTemplate } from '../tasking/templates.ts'

export const handler = defineHandler(ordersTaskingTemplatesListOperation, async (call) =>
  toCompleteList('templates', (await listTaskingTemplates(call.db, call.organization)).map(toTaskingTemplate)),
)
