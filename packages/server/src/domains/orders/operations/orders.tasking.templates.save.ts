import { limits } from '@swath/contract/limits.ts'
import { ordersTaskingTemplatesSaveOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { listTaskingTemplates, lockTaskingTemplates, upsertTaskingTemplate } from '../tasking/store.templates.ts'
import { toTaskingTemplate } from '../tasking/templates.ts'

export const handler = defineHandler(ordersTaskingTemplatesSaveOperation, (call, { name, description, ...settings }) =>
  call.transaction(async (tx) => {
    await lockTaskingTemplates(tx, call.organization)
    const templates = await listTaskingTemplates(tx, call.organization)
    if (templates.length >= limits.max_tasking_templates && !templates.some((one) => one.name === name))
      throw new Problem('quota-exceeded', `There are ${limits.max_tasking_templates} templates; delete one first.`)
    const row = { id: newId(), name, description: description ?? null, settings, now: call.clock.now() }
    return toTaskingTemplate(await upsertTaskingTemplate(tx, call.organization, row))
  }),
)
