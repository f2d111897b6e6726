import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Edge, Entity } from './edge.ts'

export async function insertEdges(
  tx: Tx,
  organization: string,
  edges: readonly Edge[],
  invocation: string,
  at: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    insert into provenance_edges
      (organization_id, src_type, src_id, dst_type, dst_id, relation, invocation_id, created_at)
    select ${organization}::uuid, src_type, src_id, dst_type, dst_id, relation, ${invocation}, ${at}::timestamptz
    from unnest(${edges.map((edge) => edge.src.type)}::text[], ${edges.map((edge) => edge.src.id)}::text[],
                ${edges.map((edge) => edge.dst.type)}::text[], ${edges.map((edge) => edge.dst.id)}::text[],
                ${edges.map((edge) => edge.relation)}::text[])
      as edge (src_type, src_id, dst_type, dst_id, relation)
    on conflict do nothing`)
}

export interface EdgeRow {
  readonly src_type: string
  readonly src_id: string
  readonly dst_type: string
  readonly dst_id: string
  readonly relation: string
  readonly invocation_id: string
  readonly created_at: Date
}

/** The edges from the entities to their origins (`up`) or derivatives (`down`). */
export async function edgesOf(
  db: Queryable,
  organization: string,
  entities: readonly Entity[],
  direction: 'up' | 'down',
  limit: number,
): Promise<EdgeRow[]> {
  const [type, id] = direction === 'up' ? [sql`src_type`, sql`src_id`] : [sql`dst_type`, sql`dst_id`]
  return db.query<EdgeRow>(sql`
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
  entities: readonly Entity[],
  at: OrganizationTime,
): Promise<void> {
  if (entities.length === 0) return
  await tx.query(sql`
    insert into provenance_tombstones (organization_id, entity_type, entity_id, deleted_at)
    select ${organization}::uuid, type, id, ${at}::timestamptz
    from unnest(${entities.map((entity) => entity.type)}::text[], ${entities.map((entity) => entity.id)}::text[])
      as gone (type, id)
    on conflict do nothing`)
}

export async function deleteTombstone(tx: Tx, organization: string, entity: Entity): Promise<void> {
  await tx.query(sql`
    delete from provenance_tombstones
    where organization_id = ${organization} and entity_type = ${entity.type} and entity_id = ${entity.id}`)
}

/** The deleted entities among the given ones. */
export async function tombstonesAmong(
  db: Queryable,
  organization: string,
  entities: readonly Entity[],
): Promise<Entity[]> {
  return db.query<Entity>(sql`
    select entity_type as type, entity_id as id from provenance_tombstones
    where organization_id = ${organization}
      and (entity_type, entity_id) in (
        select * from unnest(${entities.map((entity) => entity.type)}::text[], ${entities.map((entity) => entity.id)}::text[]))`)
}

/** The SQL condition of whether the caller may read the entity of a type and id. */
export type Visible = (type: Sql, id: Sql) => Sql

/** Entity types without a project, which reveal nothing of one. */
const open = ['capture', 'api_call']

const seen = (visible: Visible | null, type: Sql, id: Sql): Sql =>
  visible === null ? sql`true` : sql`(${type} = any(${open}::text[]) or ${visible(type, id)})`

/** The entities among the given ones that the caller may read. */
export const visibleAmong = (db: Queryable, entities: readonly Entity[], visible: Visible): Promise<Entity[]> =>
  db.query<Entity>(sql`
    select e.type, e.id
    from unnest(${entities.map((entity) => entity.type)}::text[], ${entities.map((entity) => entity.id)}::text[])
      as e (type, id)
    where ${seen(visible, sql`e.type`, sql`e.id`)}`)

export interface RelativeRow {
  readonly entity_type: string
  readonly entity_id: string
  readonly relation: string
  readonly deleted: boolean
  readonly created_at: Date
}

/** The direct neighbors of an entity: its origins (`up`) or derivatives (`down`), oldest first. */
export async function relativesOf(
  db: Queryable,
  organization: string,
  entity: Entity,
  direction: 'up' | 'down',
  visible: Visible | null,
): Promise<RelativeRow[]> {
  const [here, there] = direction === 'up' ? (['src', 'dst'] as const) : (['dst', 'src'] as const)
  const column = (side: 'src' | 'dst', part: 'type' | 'id') =>
    sql.identifier(`${side}_${part}`, ['src_type', 'src_id', 'dst_type', 'dst_id'])
  return db.query<RelativeRow>(sql`
    select edge.${column(there, 'type')} as entity_type, edge.${column(there, 'id')} as entity_id, edge.relation,
           tombstone.entity_id is not null as deleted, edge.created_at
    from provenance_edges edge
    left join provenance_tombstones tombstone
      on tombstone.organization_id = edge.organization_id
     and tombstone.entity_type = edge.${column(there, 'type')} and tombstone.entity_id = edge.${column(there, 'id')}
    where edge.organization_id = ${organization}
      and edge.${column(here, 'type')} = ${entity.type} and edge.${column(here, 'id')} = ${entity.id}
      and ${seen(visible, sql`edge.${column(there, 'type')}`, sql`edge.${column(there, 'id')}`)}
    order by edge.created_at, entity_id
    limit 1000`)
}
