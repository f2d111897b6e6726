import { eventsList } from '@swath/contract/operations/events.ts'
import { handler } from '../../engine/handler.ts'
import { readToken, uuidKey, writeToken } from '../../engine/page-token.ts'
import type { Call } from '../../engine/call.ts'
import { organizationRoleOf } from '../organizations/membership.ts'
import { visibleWithin } from '../projects/visibility.ts'
import { listEvents, type EventRow, type EventSight } from './store.ts'

/** Entity types of billing events; events of an order belong to its project instead. */
const ofMoney = ['commitment', 'dispute', 'invoice', 'lot', 'organization', 'payment_method', 'topup']

export const listOrganizationEvents = handler(eventsList, async (call, input) => {
  const rows = await listEvents(call.db, {
    organization: call.organization,
    kind: input.event_type ?? null,
    entity_type: input.entity_type ?? null,
    entity_id: input.entity_id ?? null,
    before: readToken(call, input, [uuidKey])?.[0] ?? null,
    limit: input.limit + 1,
    seen: await sightOf(call),
  })
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  return {
    events: page.map(eventOf),
    ...(rows.length > page.length && last ? { next: writeToken(call, input, [last.id]) } : {}),
  }
})

/** Owners and admins see all events, the billing role also billing events, others the events of readable projects. */
async function sightOf(call: Call): Promise<EventSight | null> {
  const projects = await visibleWithin(call)
  if (projects === null) return null
  return { projects, types: (await organizationRoleOf(call)) === 'billing' ? ofMoney : [] }
}

/** The JSON representation of an event, in responses and webhooks. */
export const eventOf = (row: EventRow) => ({
  event_id: row.id,
  event_type: row.kind,
  timestamp: row.created_at.toISOString(),
  organization_id: row.organization_id,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  data: { ...row.data },
})
