import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import {
  splitIntoBatches,
  buildValuesList,
  prepareByListLength,
} from '../../platform/database/statements/values-list.ts'
import type { NewProvenanceEdge, ProvenanceEntity } from './edge.ts'

export async function insertProvenanceEdges(
  tx: Tx,
  {
    organization,
    edges,
    invocation,
    at,
  }: {
    readonly organization: string
    readonly edges: readonly NewProvenanceEdge[]
    readonly invocation: string
    readonly at: OrganizationTime
  },
): Promise<void> {
  for (const batch of splitIntoBatches(edges))
    await tx.query(
      prepareByListLength(
        sql`
    insert into provenance_edges
      (organization_id, src_type, src_id, dst_type, dst_id, relation, invocation_id, created_at)
    values ${buildValuesList(
      batch,
      ({ src, dst, relation }) =>
        sql`(${organization}, ${src.type}, ${src.id}, ${dst.type}, ${dst.id}, ${relation}, ${invocation}, ${at})`,
    )}
    on conflict do nothing`,
        batch.length,
      ),
    )
}

export interface ProvenanceEdgeRow {
  readonly src_type: string
  readonly src_id: string
  readonly dst_type: string
  readonly dst_id: string
  readonly relation: string
  readonly invocation_id: string
  readonly created_at: Date
}

/** The edges from the entities to their origins (`up`) or derivatives (`down`). */
export async function listProvenanceEdges(
  db: SqlStatementRunner,
  {
    organization,
    entities,
    direction,
    limit,
  }: {
    readonly organization: string
    readonly entities: readonly ProvenanceEntity[]
    readonly direction: 'up' | 'down'
    readonly limit: number
  },
): Promise<ProvenanceEdgeRow[]> {
  const [type, id] = direction === 'up' ? [sql`src_type`, sql`src_id`] : [sql`dst_type`, sql`dst_id`]
  return db.query<ProvenanceEdgeRow>(sql`
    select src_type, src_id, dst_type, dst_id, relation, invocation_id, created_at
    from provenance_edges
    where organization_id = ${organization}
      and (${type}, ${id}) in (
        select * from unnest(${entities.map((entity) => entity.type)}::text[], ${entities.map((entity) => entity.id)}::text[]))
    order by src_type, src_id, dst_type, dst_id, relation
    limit ${limit}`)
}

export async function insertTombstones(
  tx: Tx,
  organization: string,
  entities: readonly ProvenanceEntity[],
  at: OrganizationTime,
): Promise<void> {
  for (const batch of splitIntoBatches(entities))
    await tx.query(sql`
      insert into provenance_tombstones (organization_id, entity_type, entity_id, deleted_at)
      values ${buildValuesList(batch, ({ type, id }) => sql`(${organization}, ${type}, ${id}, ${at})`)}
      on conflict do nothing`)
}

export async function deleteProvenanceTombstone(tx: Tx, organization: string, entity: ProvenanceEntity): Promise<void> {
  await tx.query(sql`
    delete from provenance_tombstones
    where organization_id = ${organization} and entity_type = ${entity.type} and entity_id = ${entity.id}`)
}

/** The deleted entities among these. */
export async function findTombstones(
  db: SqlStatementRunner,
  organization: string,
  entities: readonly ProvenanceEntity[],
): Promise<ProvenanceEntity[]> {
  return db.query<ProvenanceEntity>(sql`
    select entity_type as type, entity_id as id from provenance_tombstones
    where organization_id = ${organization}
      and (entity_type, entity_id) in (
        select * from unnest(${entities.map((entity) => entity.type)}::text[], ${entities.map((entity) => entity.id)}::text[]))`)
}

/** The SQL condition of whether the caller may read the entity of a type and id. */
export type ProvenanceVisibilityFilter = (type: Sql, id: Sql) => Sql

/** Entity types without a project, which reveal nothing of one. */
const unrestrictedTypes = ['capture', 'api_call']

const isVisibleSql = (visible: ProvenanceVisibilityFilter | null, type: Sql, id: Sql): Sql =>
  visible === null ? sql`true` : sql`(${type} = any(${unrestrictedTypes}::text[]) or ${visible(type, id)})`

/** The entities among these that the caller may read. */
export const listVisibleProvenanceEntities = (
  db: SqlStatementRunner,
  entities: readonly ProvenanceEntity[],
  visible: ProvenanceVisibilityFilter,
): Promise<ProvenanceEntity[]> =>
  db.query<ProvenanceEntity>(sql`
    select e.type, e.id
    from unnest(${entities.map((entity) => entity.type)}::text[], ${entities.map((entity) => entity.id)}::text[])
      as e (type, id)
    where ${isVisibleSql(visible, sql`e.type`, sql`e.id`)}`)

export interface ProvenanceRelativeRow {
  readonly entity_type: string
  readonly entity_id: string
  readonly relation: string
  readonly deleted: boolean
  readonly created_at: Date
}

/** The direct neighbors of an entity: its origins (`up`) or derivatives (`down`), oldest first. */
export async function listProvenanceRelativeRows(
  db: SqlStatementRunner,
  {
    organization,
    entity,
    direction,
    visible,
  }: {
    readonly organization: string
    readonly entity: ProvenanceEntity
    readonly direction: 'up' | 'down'
    readonly visible: ProvenanceVisibilityFilter | null
  },
): Promise<ProvenanceRelativeRow[]> {
  const [near, far] = direction === 'up' ? (['src', 'dst'] as const) : (['dst', 'src'] as const)
  const column = (side: 'src' | 'dst', part: 'type' | 'id') =>
    sql.identifier(`${side}_${part}`, ['src_type', 'src_id', 'dst_type', 'dst_id'])
  return db.query<ProvenanceRelativeRow>(sql`
    select edge.${column(far, 'type')} as entity_type, edge.${column(far, 'id')} as entity_id, edge.relation,
           tombstone.entity_id is not null as deleted, edge.created_at
    from provenance_edges edge
    left join provenance_tombstones tombstone
      on tombstone.organization_id = edge.organization_id
     and tombstone.entity_type = edge.${column(far, 'type')} and tombstone.entity_id = edge.${column(far, 'id')}
    where edge.organization_id = ${organization}
      and edge.${column(near, 'type')} = ${entity.type} and edge.${column(near, 'id')} = ${entity.id}
      and ${isVisibleSql(visible, sql`edge.${column(far, 'type')}`, sql`edge.${column(far, 'id')}`)}
    order by edge.created_at, entity_id
    limit 1000`)
}
