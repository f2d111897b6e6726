import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { isTimeOrderedUuid, findLowestIdAfter, findLowestIdBefore } from '../../platform/ids.ts'

/** The oldest event about an entity. */
export interface OldestEntityEvent {
  readonly entity_type: string
  readonly entity_id: string
  readonly actor_kind: string
  readonly actor_id: string
  readonly created_at: Date
}

interface Entity {
  readonly type: string
  readonly id: string
}

/** The first event about an entity is mostly written with it, so that days later than this are read for few. */
const near_ms = 2 * 86_400_000

/** Above every id. */
const noLimit = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The oldest event about each of the entities, also if its day was dropped; entities without events are omitted. An entity is older than
 * its events, and mostly as old as the first one, so the days of its creation are read before all later ones.
 */
export async function listFirstEvents(
  db: SqlStatementRunner,
  organization: string,
  entities: readonly Entity[],
): Promise<OldestEntityEvent[]> {
  const near = await selectFirstEvents(db, organization, entities, (id) =>
    isTimeOrderedUuid(id) ? findLowestIdBefore(id, -near_ms) : noLimit,
  )
  const found = new Set(near.map(keyOf))
  const others = entities.filter(({ type, id }) => !found.has(keyOf({ entity_type: type, entity_id: id })))
  return [...near, ...(await selectFirstEvents(db, organization, others, () => noLimit))]
}

const keyOf = ({ entity_type, entity_id }: Pick<OldestEntityEvent, 'entity_type' | 'entity_id'>): string =>
  `${entity_type} ${entity_id}`

/**
 * The oldest event about each of the entities, of those with an id below the one that `highestIdOf` returns for it. The order of the texts
 * is that of the ids; the primary key, which has that order, too, would lead through all events of the organization.
 */
async function selectFirstEvents(
  db: SqlStatementRunner,
  organization: string,
  entities: readonly Entity[],
  highestIdOf: (id: string) => string,
): Promise<OldestEntityEvent[]> {
  const [lowest_ids, highest_ids] = [
    entities.map(({ id }) => findLowestIdAfter(id)),
    entities.map(({ id }) => highestIdOf(id)),
  ]
  const [lowest, highest] = [lowest_ids.toSorted()[0], highest_ids.toSorted().at(-1)]
  if (lowest === undefined) return []
  return db.query<OldestEntityEvent>(sql`
    select wanted.entity_type, wanted.entity_id, coalesce(kept.actor_kind, made.actor_kind) as actor_kind,
           coalesce(kept.actor_id, made.actor_id) as actor_id, coalesce(kept.created_at, made.created_at) as created_at
    from (
      select distinct * from unnest(${entities.map(({ type }) => type)}::text[], ${entities.map(({ id }) => id)}::text[],
        ${lowest_ids}::uuid[], ${highest_ids}::uuid[]) as entity (entity_type, entity_id, lowest_id, highest_id)) as wanted
    left join first_events kept
      on kept.organization_id = ${organization} and kept.entity_type = wanted.entity_type and kept.entity_id = wanted.entity_id
    left join lateral (
      select e.actor_kind, e.actor_id, e.created_at from events e
      where kept.entity_id is null and e.organization_id = ${organization} and e.entity_type = wanted.entity_type
        and e.entity_id = wanted.entity_id and e.id >= wanted.lowest_id and e.id < wanted.highest_id
        and e.id >= ${lowest}::uuid and e.id < ${highest}::uuid
      order by e.id::text collate "C"
      limit 1) as made on true
    where coalesce(kept.actor_id, made.actor_id) is not null
    order by wanted.entity_type, wanted.entity_id`)
}
