import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The oldest event about an entity. */
export interface FirstEvent {
  readonly entity_type: string
  readonly entity_id: string
  readonly actor_kind: string
  readonly actor_id: string
  readonly created_at: Date
}

/** The oldest event about each of the entities; entities without events are omitted. */
export const listFirstEvents = (
  db: Queryable,
  organization: string,
  entities: readonly { type: string; id: string }[],
): Promise<FirstEvent[]> =>
  db.query<FirstEvent>(sql`
    select distinct on (entity_type, entity_id) entity_type, entity_id, actor_kind, actor_id, created_at
    from events
    where organization_id = ${organization}
      and (entity_type, entity_id) in (
        select * from unnest(${entities.map((entity) => entity.type)}::text[], ${entities.map((entity) => entity.id)}::text[]))
    order by entity_type, entity_id, id`)
