import type { Tx } from '../database.ts'
import { publishItemAccessChange } from '../item-access.ts'
import { sql, type Sql } from '../sql.ts'
import { splitIntoBatches, prepareByListLength } from '../statements/values-list.ts'
import { noCollectionId } from './no-collection.ts'
import { type ItemCountChanges, writeItemCounts } from './write-counts.ts'

// The only statements that write items. Each also returns what it changes of their counts, which are written in the same transaction:
// tables that are distributed have no triggers that could count.

interface WriteResult extends ItemCountChanges {
  readonly ids: string[] | null
}

const countedColumns = sql`
  i.project_id, i.collection_id, i.cloud_cover, i.gsd, i.covers_from, i.covers_to, i.deleted_at is null,
  i.lifecycle_state <> 'expired', i.geometry, i.properties, i.metadata_bytes + i.geometry_bytes`

/**
 * The changes of counts, from a CTE `changes`: rows that were live before (sign -1) and rows that are live now (1). A row that
 * leaves a month and one that comes to it may have different extents, so they are not added up.
 */
const changedCounts = sql`
  (select json_agg(c) from (
    select project_id, collection_id, item_cloud_band(cloud_cover) as cloud, sum(sign)::bigint as items,
      coalesce(sum(sign) filter (where is_found), 0)::bigint as found
    from changes where is_recounted group by 1, 2, 3
    having sum(sign) <> 0 or sum(sign) filter (where is_found) <> 0) c) as counts,
  (select json_agg(m) from (
    select project_id, collection_id, item_month(covers_from) as month, sign, sum(sign)::bigint as found,
      min(ST_XMin(geometry)) as west, min(ST_YMin(geometry)) as south, max(ST_XMax(geometry)) as east,
      max(ST_YMax(geometry)) as north, min(covers_from) as earliest, max(covers_from) as latest, max(covers_to) as ends,
      min(cloud_cover) as least_clouds, max(cloud_cover) as most_clouds,
      min(nullif(gsd, 0)) as finest, max(nullif(gsd, 0)) as coarsest
    from changes where is_recounted and is_found group by 1, 2, 3, 4) m) as months,
  (select json_agg(p) from (
    select project_id, collection_id, p.name, p.type, sum(sign)::bigint as found
    from changes cross join lateral item_property_types(properties) p
    where is_found group by 1, 2, 3, 4 having sum(sign) <> 0) p) as properties`

/**
 * Runs an INSERT into `items` with its values, and counts the rows. The statement has no RETURNING clause and
 * refers to no table but `items`, as `i`. Returns the ids of the rows that it inserted.
 */
export async function insertItemRows(
  tx: Tx,
  organization: string,
  { insert, rows }: { readonly insert: Sql; readonly rows: number },
): Promise<string[]> {
  const statement = sql`
    with inserted (id, project_id, collection_id, cloud_cover, gsd, covers_from, covers_to, is_live, is_found, geometry,
                   properties, bytes) as (
      ${insert}
      returning i.id, ${countedColumns}
    ),
    changes as (
      select 1 as sign, true as is_recounted, project_id, coalesce(collection_id, ${noCollectionId}) as collection_id,
        cloud_cover, gsd, covers_from, covers_to, is_found, geometry, properties
      from inserted where is_live
    )
    select (select array_agg(id) from inserted) as ids, (select coalesce(sum(bytes), 0)::bigint from inserted) as bytes,
      ${changedCounts}`
  const [result] = await tx.query<WriteResult>(prepareByListLength(statement, rows))
  await writeItemCounts(tx, organization, [result!])
  return result!.ids ?? []
}

/** An update of items by their ids. */
export interface ItemRowUpdate {
  readonly ids: readonly string[]
  /** The condition on the table `i` for the items that are updated; default: all. */
  readonly condition?: Sql
  /** The assignments of the SET clause; those of the revision are added. */
  readonly assignments: Sql
}

/** Without statistics the planner joins what was locked with what is updated by comparing all pairs. */
const max_ids_per_update = 2_000

const nextRevision = sql`revision = i.revision + 1`

/**
 * Locks items, updates them, and counts what they were before and are afterwards. Returns the ids of those that satisfied the
 * condition.
 */
export async function updateItemRows(
  tx: Tx,
  organization: string,
  { ids, condition = sql`true`, assignments }: ItemRowUpdate,
): Promise<string[]> {
  publishItemAccessChange(tx, organization)
  const results: WriteResult[] = []
  for (const batch of splitIntoBatches(ids, max_ids_per_update)) {
    const statement = sql`
    with locked (id, old_project_id, old_collection_id, old_cloud_cover, old_gsd, old_covers_from, old_covers_to, was_live,
                 was_found, old_geometry, old_properties, old_bytes) as materialized (
      select i.id, ${countedColumns} from items i
      where i.organization_id = ${organization} and i.id = any(${batch}::uuid[]) and ${condition}
      order by i.id for update of i
    ),
    updated (id, project_id, collection_id, cloud_cover, gsd, covers_from, covers_to, is_live, is_found, geometry, properties, bytes,
             old_project_id, old_collection_id, old_cloud_cover, old_gsd, old_covers_from, old_covers_to, was_live, was_found,
             old_geometry, old_properties, old_bytes) as (
      update items i
      set ${assignments}, ${nextRevision}
      from locked o
      where i.organization_id = ${organization} and i.id = any(${batch}::uuid[]) and i.id = o.id
      returning i.id, ${countedColumns}, o.old_project_id, o.old_collection_id, o.old_cloud_cover, o.old_gsd, o.old_covers_from,
        o.old_covers_to, o.was_live, o.was_found, o.old_geometry, o.old_properties, o.old_bytes
    ),
    compared as (
      select *,
        (project_id, collection_id, cloud_cover, gsd, covers_from, covers_to, is_live, is_found, geometry)
          is distinct from (old_project_id, old_collection_id, old_cloud_cover, old_gsd, old_covers_from, old_covers_to, was_live,
            was_found, old_geometry) as is_recounted,
        properties is distinct from old_properties as has_other_properties
      from updated
    ),
    changes as (
      select -1 as sign, is_recounted, old_project_id as project_id,
        coalesce(old_collection_id, ${noCollectionId}) as collection_id, old_cloud_cover as cloud_cover, old_gsd as gsd,
        old_covers_from as covers_from, old_covers_to as covers_to, was_found as is_found, old_geometry as geometry,
        old_properties as properties
      from compared where was_live and (is_recounted or has_other_properties)
      union all
      select 1, is_recounted, project_id, coalesce(collection_id, ${noCollectionId}), cloud_cover, gsd, covers_from, covers_to,
        is_found, geometry, properties
      from compared where is_live and (is_recounted or has_other_properties)
    )
    select (select array_agg(id) from updated) as ids,
      (select coalesce(sum(bytes - old_bytes), 0)::bigint from updated) as bytes, ${changedCounts}`
    const [result] = await tx.query<WriteResult>(prepareByListLength(statement, batch.length))
    results.push(result!)
  }
  await writeItemCounts(tx, organization, results)
  return results.flatMap((result) => result.ids ?? [])
}

/**
 * Moves the items that satisfy a condition, however many, from one collection to another; null is outside of any. The condition
 * selects no items of other collections, and the assignments change nothing else that is counted.
 */
export async function moveItemRows(
  tx: Tx,
  organization: string,
  {
    from,
    to,
    condition,
    assignments,
  }: {
    readonly from: string | null
    readonly to: string | null
    readonly condition: Sql
    readonly assignments: Sql
  },
): Promise<void> {
  publishItemAccessChange(tx, organization)
  const [result] = await tx.query<WriteResult>(sql`
    with moved (project_id, collection_id, cloud_cover, gsd, covers_from, covers_to, is_live, is_found, geometry, properties,
                bytes) as (
      update items i
      set ${assignments}, collection_id = ${to}, ${nextRevision}
      where i.organization_id = ${organization} and ${from === null ? sql`i.collection_id is null` : sql`i.collection_id = ${from}`}
        and ${condition}
      returning ${countedColumns}
    ),
    changes as (
      select s.sign, true as is_recounted, m.project_id,
        coalesce(case when s.sign > 0 then ${to}::uuid else ${from}::uuid end, ${noCollectionId}) as collection_id, m.cloud_cover,
        m.gsd, m.covers_from, m.covers_to, m.is_found, m.geometry, m.properties
      from moved m cross join (values (-1), (1)) as s (sign) where m.is_live
    )
    select null::uuid[] as ids, 0 as bytes, ${changedCounts}`)
  await writeItemCounts(tx, organization, [result!])
}

/**
 * Updates the items that satisfy a condition, however many, where the assignments change nothing that is counted: neither metadata,
 * nor what the counts tell apart, nor whether searches find them.
 */
export async function updateUncountedColumns(
  tx: Tx,
  organization: string,
  { condition, assignments }: Omit<ItemRowUpdate, 'ids'> & { readonly condition: Sql },
): Promise<void> {
  publishItemAccessChange(tx, organization)
  await tx.query(sql`
    update items i set ${assignments}, ${nextRevision} where i.organization_id = ${organization} and ${condition}`)
}
