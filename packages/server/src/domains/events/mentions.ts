import type { Queryable } from '../../platform/database/database.ts'
import { listEvents } from './store.ts'
import { listFirstEvents, type FirstMention } from './store.mentions.ts'

export type { FirstMention } from './store.mentions.ts'

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
    seen: null,
  })
  return rows.length > 0
}

/** Who did the first thing that is known of each entity, and when: whoever made it. */
export const firstMentions = (
  db: Queryable,
  organization: string,
  entities: readonly { type: string; id: string }[],
): Promise<FirstMention[]> => listFirstEvents(db, organization, entities)
