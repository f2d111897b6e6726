import type { EventRow } from './store.ts'

/** The JSON representation of an event, in responses and webhooks. */
export const toEventJson = (
  row: Pick<EventRow, 'id' | 'organization_id' | 'kind' | 'entity_type' | 'entity_id' | 'data' | 'created_at'>,
) => ({
  event_id: row.id,
  event_type: row.kind,
  timestamp: row.created_at.toISOString(),
  organization_id: row.organization_id,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  data: { ...row.data },
})
