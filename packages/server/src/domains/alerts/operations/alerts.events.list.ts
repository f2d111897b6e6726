import { alertsEventsListOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { requireReadableAlertRule } from '../access.ts'
import { toAlertEvent } from '../rule.ts'
import { listAlertEvents } from '../store.events.ts'

export const handler = defineHandler(alertsEventsListOperation, async (call, input) => {
  const { rows, total } = await listAlertEvents(call.db, {
    organization: call.organization,
    projects: readableProjectsSql(call),
    rule_id: input.rule_id ?? null,
    acknowledged: input.acknowledged ?? null,
    limit: input.limit,
    offset: input.offset,
  })
  // The events of a deleted rule are still listed by its id.
  if (input.rule_id && total === 0) await requireReadableAlertRule(call, input.rule_id)
  return toListPage('alert_events', { rows: rows.map((row) => toAlertEvent(call.baseUrl, row)), total }, input)
})
