import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { listFirstEvents, type OldestEntityEvent } from './store.first-events.ts'

export type { OldestEntityEvent } from './store.first-events.ts'

/** True if the organization has an event about the entity, which the creation of every entity emits. */
export async function hasEntityEvents(
  db: SqlStatementRunner,
  organization: string,
  entity: { type: string; id: string },
): Promise<boolean> {
  const rows = await listFirstEvents(db, organization, [entity])
  return rows.length > 0
}

/** The first event about each entity: it has the creator of the entity, and the time. */
export const findFirstEvents = (
  db: SqlStatementRunner,
  organization: string,
  entities: readonly { type: string; id: string }[],
): Promise<OldestEntityEvent[]> => listFirstEvents(db, organization, entities)
