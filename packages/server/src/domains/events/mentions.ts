import type { Queryable } from '../../platform/database/database.ts'
import { listEvents } from './store.ts'

/** True when an event of the organization is about the entity: everything that is created says so. */
export async function wasMentioned(
  db: Queryable,
  organization: string,
  entity: { type: string; id: string },
): Promise<boolean> {
  const rows = await listEvents(db, {
    organization,
    kind: null,
    entity_type: entity.type,
    entity_id: entity.id,
    before: null,
    limit: 1,
  })
  return rows.length > 0
}
