import { alertsAcknowledgeEventOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { emitEvent } from '../../events/emit.ts'
import { requireProject } from '../../projects/access.ts'
import { toAlertEvent } from '../rule.ts'
import { markAlertEventAcknowledged, findAlertEvent } from '../store.events.ts'

export const handler = defineHandler(alertsAcknowledgeEventOperation, async (call, input) => {
  const { organization, principal } = call
  const event = await findAlertEvent(call.db, organization, input.event_id)
  if (!event) throw new Problem('not-found', `No alert event has the id "${input.event_id}".`)
  await requireProject(call, event.project_id, 'read')
  const acknowledged = await call.transaction(async (tx) => {
    const row = await markAlertEventAcknowledged(tx, organization, event.id, { by: principal.id, at: call.clock.now() })
    if (row === null) return null
    const { rule_id, item_id } = row
    await emitEvent(tx, call, {
      kind: 'alert.acknowledged',
      entity_type: 'alert_event',
      entity_id: row.id,
      data: { rule_id, item_id, acknowledged_by: principal.id },
    })
    return row
  })
  const current = acknowledged ?? (await findAlertEvent(call.db, organization, event.id)) ?? event
  return { alert_event: toAlertEvent(call.baseUrl, current) }
})
