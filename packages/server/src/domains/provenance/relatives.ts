import type { Relation, EntityType } from '@swath/contract/shapes/provenance.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Entity } from './edge.ts'
import { relativesOf, type Visible } from './store.ts'

/** The representations of the direct neighbors of an entity that the caller may read (null for all). */
export async function relatives(
  db: Queryable,
  organization: string,
  entity: Entity,
  direction: 'up' | 'down',
  visible: Visible | null = null,
) {
  const rows = await relativesOf(db, organization, entity, direction, visible)
  return rows.map((row) => ({
    entity_type: row.entity_type as EntityType,
    entity_id: row.entity_id,
    relation: row.relation as Relation,
    deleted: row.deleted,
    created_at: row.created_at.toISOString(),
  }))
}
