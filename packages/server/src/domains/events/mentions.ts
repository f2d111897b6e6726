import type { Queryable } from '../../platform/database/database.ts'
import { listEvents } from './store.ts'
import { listFirstEvents, type FirstMention } from './store.mentions.ts'

export type { FirstMention } from './store.mentions.ts'

/** True if the organization has an event about the entity, which the creation of every entity emits. */
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
    seen: null,
  })
  return rows.length > 0
}

/** The first event about each entity: it tells who created the entity, and when. */
export const firstMentions = (
  db: Queryable,
  organization: string,
  entities: readonly { type: string; id: string }[],
): Promise<FirstMention[]> => listFirstEvents(db, organization, entities)
