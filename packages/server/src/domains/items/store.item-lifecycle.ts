import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { LifecycleState } from '@swath/contract/schemas/item.ts'
import type { StacAsset, StacLink } from '@swath/contract/schemas/stac.ts'
import {
  toOrganizationCurrentTimes,
  type OrganizationTime,
  type OrganizationCurrentTimes,
} from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { dueCondition } from '../../platform/database/due-condition.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { updateItemRows } from '../../platform/database/item-counts/write-items.ts'
import { itemCollectionConditions, type CollectionScope } from './search/store.collections.ts'
import { coveredInterval } from '../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { ItemFeatureExtraMembers } from './stac/stac-source.ts'
import {
  findItem,
  itemColumns,
  itemResponseBytesSql,
  stacColumns,
  validGeometryExpression,
  withGeometryTimeout,
  type ItemRow,
  type ItemIdWithSize,
  type StacItemRow,
} from './store.ts'

/** A locked item that is about to be updated. */
export interface LockedItem extends StacItemRow {
  /** Metadata size as measured by the database. */
  readonly metadata_bytes: number
}

/** Locks items, deleted or not, until the transaction ends; sorted by id to avoid deadlocks. */
export const lockItems = (tx: Tx, organization: string, ids: readonly string[]): Promise<LockedItem[]> =>
  tx.query<LockedItem>(sql`
    select ${stacColumns}, i.metadata_bytes from items i
    where i.organization_id = ${organization} and i.id = any(${ids}::uuid[])
    order by i.id for update of i`)

/** The item of a collection, or of a project and in none, by its STAC id; null if there is none. */
export async function findItemIdInCollection(
  db: SqlStatementRunner,
  organization: string,
  scope: CollectionScope,
  stac_id: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select i.id from items i
    where ${sql.join(
      [
        sql`i.organization_id = ${organization} and i.stac_id = ${stac_id} and i.deleted_at is null`,
        ...itemCollectionConditions(scope),
      ],
      sql` and `,
    )}`)
  return row?.id ?? null
}

/** An item as its events describe it. */
type MovedItem = Pick<ItemRow, 'id' | 'project_id' | 'collection_id' | 'name' | 'type' | 'lifecycle_state'>

/**
 * The next items, by id, that are in a collection, or that are in none since it was deleted.
 *
 * @param after the last id of the previous call; null for the first ones.
 */
export const listMovedItems = (
  tx: Tx,
  organization: string,
  collection_id: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<MovedItem[]> =>
  tx.query<MovedItem>(sql`
    select i.id, i.project_id, i.collection_id, i.name, i.type, i.lifecycle_state from items i
    where i.organization_id = ${organization} and i.deleted_at is null
      and (i.collection_id = ${collection_id} or (i.collection_id is null and i.left_collection_id = ${collection_id}))
      and ${after === null ? sql`true` : sql`i.id > ${after}`}
    order by i.id limit ${limit}`)

/** The columns of an item after an update; all are written. */
export interface ItemUpdate {
  readonly collection_id: string | null
  readonly name: string
  readonly description: string | null
  /** Undefined leaves the geometry unchanged. */
  readonly itemGeometry?: {
    readonly geometry: Geometry | null
    readonly dimension: 0 | 1 | 2 | null
    readonly bbox: readonly number[] | null
  }
  readonly datetime: Date | null
  readonly start_datetime: Date | null
  readonly end_datetime: Date | null
  readonly cloud_cover: number | null
  readonly gsd: number | null
  readonly properties: Readonly<Record<string, unknown>>
  readonly links: readonly StacLink[]
  readonly stac_source: ItemFeatureExtraMembers | null
  readonly stac_extensions: readonly string[]
  readonly lifecycle_state: LifecycleState
  readonly archived_at: Date | null
  readonly updated_at: Date
}

/** An updated item with the values that decide whether the update is valid. */
export interface UpdatedItem extends ItemRow {
  readonly empty: boolean | null
  readonly metadata_bytes: number
}

/** Updates an item and returns the new row. `empty`: nothing of the geometry is left after ST_MakeValid. */
export async function updateItem(tx: Tx, organization: string, id: string, change: ItemUpdate): Promise<UpdatedItem> {
  const { itemGeometry } = change
  const text = itemGeometry?.geometry ? JSON.stringify(itemGeometry.geometry) : null
  const geojson = sql`${text}::text`
  const geometryAssignments = itemGeometry
    ? sql`, geometry = ${validGeometryExpression(geojson, sql`${itemGeometry.dimension}::integer`)},
            bbox = ${itemGeometry.bbox}::double precision[]`
    : sql.empty
  const rows = {
    ids: [id],
    assignments: sql`
      collection_id = ${change.collection_id}, name = ${change.name}, description = ${change.description},
      datetime = ${change.datetime}, cloud_cover = ${change.cloud_cover}, gsd = ${change.gsd},
      start_datetime = ${change.start_datetime}, end_datetime = ${change.end_datetime},
      covers_from = ${coveredInterval(change).from}, covers_to = ${coveredInterval(change).to},
      properties = ${sql.json(change.properties)}, links = ${sql.json(change.links)},
      stac_source = ${change.stac_source && sql.json(change.stac_source)}::jsonb, stac_extensions = ${change.stac_extensions}::text[],
      lifecycle_state = ${change.lifecycle_state}, archived_at = ${change.archived_at}, updated_at = ${change.updated_at}
      ${geometryAssignments}`,
  }
  await withGeometryTimeout(tx, [text], () => updateItemRows(tx, organization, rows))
  const [row] = await tx.query<UpdatedItem>(sql`
    select ${itemColumns}, i.metadata_bytes, ST_IsEmpty(i.geometry) as empty
    from items i where i.organization_id = ${organization} and i.id = ${id}`)
  return row!
}

/**
 * Stores the STAC assets of an item after one of them was added, changed or deleted. Returns the metadata size.
 */
export async function updateStacAssetRows(
  tx: Tx,
  {
    organization,
    id,
    stacFields,
    now,
  }: {
    readonly organization: string
    readonly id: string
    readonly stacFields: {
      readonly stac_assets: Readonly<Record<string, StacAsset>>
      readonly stac_extensions: readonly string[]
    }
    readonly now: OrganizationTime
  },
): Promise<number> {
  await updateItemRows(tx, organization, {
    ids: [id],
    assignments: sql`
      stac_assets = ${sql.json(stacFields.stac_assets)}::json, stac_extensions = ${stacFields.stac_extensions}::text[],
      stac_source = i.stac_source - 'updated', updated_at = ${now}`,
  })
  const [row] = await tx.query<{ metadata_bytes: number }>(sql`
    select metadata_bytes from items where organization_id = ${organization} and id = ${id}`)
  return row?.metadata_bytes ?? 0
}

/** Marks items deleted; all their data remains, so that they can be restored. */
export async function markItemsDeleted(
  tx: Tx,
  organization: string,
  ids: readonly string[],
  now: OrganizationTime,
): Promise<void> {
  await updateItemRows(tx, organization, {
    ids,
    condition: sql`i.deleted_at is null`,
    assignments: sql`deleted_at = ${now}, updated_at = ${now}, lifecycle_state = 'deleted'`,
  })
}

/** Restores an item; violates a unique index if another item has its `stac_id`. */
export async function markItemRestored(
  tx: Tx,
  organization: string,
  id: string,
  restored: {
    readonly lifecycle_state: LifecycleState
    readonly collection_id: string | null
    readonly now: OrganizationTime
  },
): Promise<ItemRow> {
  await updateItemRows(tx, organization, {
    ids: [id],
    assignments: sql`deleted_at = null, updated_at = ${restored.now}, lifecycle_state = ${restored.lifecycle_state},
      collection_id = ${restored.collection_id}`,
  })
  return (await findItem(tx, organization, id))!
}

/** The time when a deleted item became a tombstone; null while it can be restored. */
export async function findPurgedAt(db: SqlStatementRunner, organization: string, id: string): Promise<Date | null> {
  const [row] = await db.query<{ purged_at: Date | null }>(sql`
    select purged_at from items where organization_id = ${organization} and id = ${id}`)
  return row?.purged_at ?? null
}

/** Turns items into tombstones: identifiers stay, metadata is removed. */
export async function markItemsPurged(
  tx: Tx,
  organization: string,
  ids: readonly string[],
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    delete from item_features where organization_id = ${organization} and item_id = any(${ids}::uuid[])`)
  await updateItemRows(tx, organization, {
    ids,
    assignments: sql`
      deleted_at = coalesce(i.deleted_at, ${now}), purged_at = ${now}, updated_at = ${now}, lifecycle_state = 'deleted',
      collection_id = null, left_collection_id = null, geometry = null, bbox = null, description = null,
      properties = '{}', stac_extensions = '{}', links = '[]', stac_source = null, stac_assets = '{}'`,
  })
}

/** Locks every item of a project that is not a tombstone, so that none is copied while it is deleted. */
export const lockItemsOfProject = (tx: Tx, organization: string, project_id: string): Promise<ItemDeletionRow[]> =>
  tx.query<ItemDeletionRow>(sql`
    select id, project_id, collection_id, name, type, lifecycle_state, deleted_at from items
    where organization_id = ${organization} and project_id = ${project_id} and purged_at is null
    order by id for update`)

/** The columns of an item that its deletion event needs. */
export type ItemDeletionRow = Pick<
  ItemRow,
  'id' | 'project_id' | 'collection_id' | 'name' | 'type' | 'lifecycle_state' | 'deleted_at'
>

/** Kinds of due items that a sweep processes. */
export type RetentionSweepKind = 'expiring' | 'expired' | 'purged'

/** Due times: start of the expiry notice for `expiring`, expiry for `expired`, end of the restore period for `purged`. */
const dueItems: Readonly<Record<RetentionSweepKind, { readonly at: Sql; readonly condition: Sql }>> = {
  expiring: { at: sql`i.expires_at`, condition: sql`deleted_at is null and lifecycle_state = 'active'` },
  expired: { at: sql`i.expires_at`, condition: sql`deleted_at is null and lifecycle_state <> 'expired'` },
  purged: { at: sql`i.deleted_at`, condition: sql`purged_at is null` },
}

const dueItemCondition = (kind: RetentionSweepKind, times: OrganizationCurrentTimes): Sql =>
  sql`${dueCondition(dueItems[kind].at, sql`i.organization_id`, times)} and ${dueItems[kind].condition}`

const withoutReaders = sql`
  and not exists (
    select 1 from assets a join asset_readers r on r.organization_id = a.organization_id and r.asset_id = a.id
    where a.organization_id = i.organization_id and a.item_id = i.id and a.deleted_at is null)`

/**
 * Items that may be due, the most overdue first, except of some organizations. Items whose assets have readers are
 * skipped, except for the expiry notice.
 */
export const listItemsDueForRetention = ({
  across,
  kind,
  times,
  excludedOrganizations,
  limit,
}: {
  readonly across: SqlStatementRunner
  readonly kind: RetentionSweepKind
  readonly times: OrganizationCurrentTimes
  readonly excludedOrganizations: readonly string[]
  readonly limit: number
}): Promise<{ organization_id: string; id: string }[]> =>
  across.query<{ organization_id: string; id: string }>(sql`
    select i.organization_id, i.id from items i
    where ${dueItemCondition(kind, times)} and i.organization_id <> all(${excludedOrganizations}::uuid[]) ${kind === 'expiring' ? sql.empty : withoutReaders}
    order by ${dueItems[kind].at}, i.id
    limit ${limit}`)

/** The items of an organization that are not purged, oldest first; at most `limit` of them, or all without one. */
export async function listLiveItemIds(
  db: SqlStatementRunner,
  organization: string,
  limit: number | null = null,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from items where organization_id = ${organization} and purged_at is null
    order by id limit ${limit}::bigint`)
  return rows.map(({ id }) => id)
}

/** The rows of items that are due to be swept, `delay_ms` after the time in their column. */
export const dueSweepItemRows = (organization: string, kind: RetentionSweepKind, delay_ms: number): DueRowsQuery => ({
  from: sql`items i`,
  where: sql`i.organization_id = ${organization} and ${dueItems[kind].condition}`,
  at: dueItems[kind].at,
  delay_ms,
  has_shared_index: true,
})

/** Marks those of the items that are still due; returns the changed rows. */
export async function markExpiringOrExpiredItems(
  tx: Tx,
  {
    organization,
    kind,
    ids,
    times,
  }: {
    readonly organization: string
    readonly kind: 'expiring' | 'expired'
    readonly ids: readonly string[]
    readonly times: { readonly before: OrganizationTime; readonly now: OrganizationTime }
  },
): Promise<ItemRow[]> {
  const updatedIds = await updateItemRows(tx, organization, {
    ids,
    condition: dueItemCondition(kind, toOrganizationCurrentTimes(organization, times.before)),
    assignments: sql`lifecycle_state = ${kind}, updated_at = ${times.now}`,
  })
  return tx.query<ItemRow>(sql`
    select ${itemColumns} from items i
    where i.organization_id = ${organization} and i.id = any(${updatedIds}::uuid[]) order by i.id`)
}

/** Ids of items of every organization that expire by those times, the earliest first; with the total count. */
export const listExpiringItems = (
  across: SqlStatementRunner,
  times: OrganizationCurrentTimes,
  limit: number,
): Promise<RowPage<ItemIdWithSize>> =>
  selectPage<ItemIdWithSize>(across, {
    columns: sql`i.organization_id, i.id, ${itemResponseBytesSql} as bytes`,
    from: sql`items i`,
    where: dueItemCondition('expired', times),
    orderBy: sql`i.expires_at, i.id`,
    limit,
  })
