import { eventsListOperation } from '@swath/contract/operations/events.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { decodeNextToken, tokenPageOf, uuidSortKey } from '../../../engine/page-token.ts'
import type { Call } from '../../../engine/call.ts'
import { getOrganizationRole } from '../../organizations/membership.ts'
import { visibleProjectsSql } from '../../projects/visibility.ts'
import { listEvents, type EventRow, type EventVisibility } from '../store.ts'

/** Entity types of billing events; events of an order belong to its project instead. */
const billingEntityTypes = ['commitment', 'dispute', 'invoice', 'lot', 'organization', 'payment_method', 'topup']

export const listOrganizationEvents = defineHandler(eventsListOperation, async (call, input) => {
  const rows = await listEvents(call.db, {
    organization: call.organization,
    kind: input.event_type ?? null,
    entity_type: input.entity_type ?? null,
    entity_id: input.entity_id ?? null,
    before: decodeNextToken(call, input, [uuidSortKey])?.[0] ?? null,
    limit: input.limit + 1,
    visibility: await readEventVisibility(call),
  })
  const { page, next } = tokenPageOf(call, input, rows, ({ id }) => [id])
  return { events: page.map(toEventJson), ...next }
})

/** Owners and admins see all events, the billing role also billing events, others the events of readable projects. */
async function readEventVisibility(call: Call): Promise<EventVisibility | null> {
  const projects = await visibleProjectsSql(call)
  if (projects === null) return null
  return { projects, types: (await getOrganizationRole(call)) === 'billing' ? billingEntityTypes : [] }
}

/** The JSON representation of an event, in responses and webhooks. */
export const toEventJson = (row: EventRow) => ({
  event_id: row.id,
  event_type: row.kind,
  timestamp: row.created_at.toISOString(),
  organization_id: row.organization_id,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  data: { ...row.data },
})
