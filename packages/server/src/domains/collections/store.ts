import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { moveItemRows, updateUncountedColumns } from '../../platform/database/item-counts/write-items.ts'
import { sql } from '../../platform/database/sql.ts'

export interface CollectionRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly description: string | null
  readonly color: string | null
  readonly show_on_map: boolean
  readonly layer_order: number
  readonly auto_created: boolean
  readonly source_type: string | null
  readonly source_id: string | null
  readonly item_count: number
  readonly deleted_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

export interface NewCollection {
  readonly organization_id: string
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly description: string | null
  readonly color: string | null
  readonly show_on_map: boolean
  readonly layer_order: number
  readonly auto_created: boolean
  readonly source_type: string | null
  readonly source_id: string | null
  readonly created_by: string
  readonly created_at: Date
}

export interface CollectionUpdate {
  readonly name: string
  readonly description: string | null
  readonly color: string | null
  readonly show_on_map: boolean
  readonly layer_order: number
  readonly updated_at: Date
}

const ownColumns = sql`
  c.id, c.project_id, c.name, c.description, c.color, c.show_on_map, c.layer_order, c.auto_created, c.source_type,
  c.source_id, c.deleted_at, c.created_at, c.updated_at`

const columns = sql`${ownColumns},
  (select coalesce(sum(t.items), 0)::bigint from item_counts t
    where t.organization_id = c.organization_id and t.collection_id = c.id) as item_count`

/** Null if the project already has a collection of that name, or the source already has a collection. */
export async function insertCollection(tx: Tx, collection: NewCollection): Promise<CollectionRow | null> {
  const [row] = await tx.query<CollectionRow>(sql`
    insert into collections as c (organization_id, id, project_id, name, description, color, show_on_map, layer_order,
                                  auto_created, source_type, source_id, created_by, created_at, updated_at)
    values (${collection.organization_id}, ${collection.id}, ${collection.project_id}, ${collection.name},
            ${collection.description}, ${collection.color}, ${collection.show_on_map}, ${collection.layer_order},
            ${collection.auto_created}, ${collection.source_type}, ${collection.source_id}, ${collection.created_by},
            ${collection.created_at}, ${collection.created_at})
    on conflict do nothing
    returning ${ownColumns}, 0::bigint as item_count`)
  return row ?? null
}

/** Null if the collection is deleted; violates a unique index if another collection of the project has the name. */
export async function updateCollection(
  tx: Tx,
  organization: string,
  id: string,
  update: CollectionUpdate,
): Promise<CollectionRow | null> {
  const [updated] = await tx.query(
    sql.prepared(sql`
    update collections as c
    set name = ${update.name}, description = ${update.description}, color = ${update.color},
        show_on_map = ${update.show_on_map}, layer_order = ${update.layer_order}, updated_at = ${update.updated_at}
    where c.organization_id = ${organization} and c.id = ${id} and c.deleted_at is null
    returning c.id`),
  )
  return updated ? findCollection(tx, organization, id) : null
}

/** The collection, unless deleted; `lock` locks the row until the transaction ends. */
export async function findCollection(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  lock = false,
): Promise<CollectionRow | null> {
  const [row] = await db.query<CollectionRow>(
    sql.prepared(sql`
    select ${columns} from collections c
    where c.organization_id = ${organization} and c.id = ${id} and c.deleted_at is null
    ${lock ? sql`for update of c` : sql.empty}`),
  )
  return row ?? null
}

export async function findCollectionOfSource(
  db: SqlStatementRunner,
  organization: string,
  source_type: string,
  source_id: string,
): Promise<CollectionRow | null> {
  const [row] = await db.query<CollectionRow>(sql`
    select ${columns} from collections c
    where c.organization_id = ${organization} and c.auto_created and c.source_type = ${source_type}
      and c.source_id = ${source_id} and c.deleted_at is null`)
  return row ?? null
}

/** Newest first. */
export const listCollectionsOfProject = (
  db: SqlStatementRunner,
  organization: string,
  project_id: string,
): Promise<CollectionRow[]> =>
  db.query<CollectionRow>(sql`
    select ${columns} from collections c
    where c.organization_id = ${organization} and c.project_id = ${project_id} and c.deleted_at is null
    order by c.created_at desc, c.id desc`)

/** Marks it deleted and unlinks its items; false if it was already deleted. */
export async function deleteCollection(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update collections set deleted_at = ${now}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and deleted_at is null
    returning id`)
  if (rows.length === 0) return false
  await moveItemRows(tx, organization, {
    from: id,
    to: null,
    condition: sql`true`,
    assignments: sql`left_collection_id = ${id}, updated_at = ${now}`,
  })
  return true
}

/** A collection of a project, deleted or not, locked until the transaction ends. */
export async function lockDeletedCollection(
  tx: Tx,
  organization: string,
  project_id: string,
  id: string,
): Promise<{ readonly name: string; readonly deleted_at: Date | null } | null> {
  const [row] = await tx.query<{ name: string; deleted_at: Date | null }>(sql`
    select name, deleted_at from collections
    where organization_id = ${organization} and project_id = ${project_id} and id = ${id} for update`)
  return row ?? null
}

/**
 * Restores a collection and links the items that were in it and are in no other collection since; violates a unique
 * index if another collection of the project took its name.
 */
export async function markCollectionRestored(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<CollectionRow> {
  await tx.query(sql`
    update collections set deleted_at = null, updated_at = ${now}
    where organization_id = ${organization} and id = ${id}`)
  const condition = sql`i.left_collection_id = ${id}`
  const assignments = sql`left_collection_id = null, updated_at = ${now}`
  await moveItemRows(tx, organization, { from: null, to: id, condition, assignments })
  await updateUncountedColumns(tx, organization, { condition, assignments })
  const [row] = await tx.query<CollectionRow>(sql`
    select ${columns} from collections c where c.organization_id = ${organization} and c.id = ${id}`)
  return row!
}

/** Marks every collection of a project deleted; returns their ids. */
export async function deleteCollectionsOfProject(
  tx: Tx,
  organization: string,
  project_id: string,
  now: OrganizationTime,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update collections set deleted_at = ${now}, updated_at = ${now}
    where organization_id = ${organization} and project_id = ${project_id} and deleted_at is null
    returning id`)
  return rows.map((row) => row.id)
}
