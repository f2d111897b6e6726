import type { ProvenanceRelation, ProvenanceEntityType } from '@swath/contract/schemas/provenance.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { ProvenanceEntity } from './edge.ts'
import { listProvenanceRelativeRows, type ProvenanceVisibilityFilter } from './store.ts'

/** The representations of the direct neighbors of an entity that the caller may read (null for all). */
export async function listProvenanceRelatives(
  db: SqlStatementRunner,
  {
    organization,
    entity,
    direction,
    visible = null,
  }: {
    readonly organization: string
    readonly entity: ProvenanceEntity
    readonly direction: 'up' | 'down'
    readonly visible?: ProvenanceVisibilityFilter | null
  },
) {
  const rows = await listProvenanceRelativeRows(db, { organization, entity, direction, visible })
  return rows.map((row) => ({
    entity_type: row.entity_type as ProvenanceEntityType,
    entity_id: row.entity_id,
    relation: row.relation as ProvenanceRelation,
    deleted: row.deleted,
    created_at: row.created_at.toISOString(),
  }))
}
