import { alertsRulesListOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireCollection } from '../../collections/access.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { toAlertRule } from '../rule.ts'
import { listAlertRules } from '../store.ts'

export const handler = defineHandler(alertsRulesListOperation, async (call, input) => {
  const collection = input.collection_id ? await requireCollection(call, input.collection_id, 'read') : null
  const rows = await listAlertRules(call.db, {
    organization: call.organization,
    projects: readableProjectsSql(call),
    active: input.active ?? null,
    collection_id: collection?.id ?? null,
  })
  return toCompleteList('alert_rules', rows.map(toAlertRule))
})
