import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../../platform/database/statements/values-list.ts'
import { stacColumns, type StacItemRow } from '../store.ts'

/** A serialized Feature of one revision of an item. */
export interface CachedFeature {
  readonly item_id: string
  readonly revision: number
  readonly feature: string
}

export type StacItemRowWithRevision = StacItemRow & { readonly revision: number }

/** Items by id, deleted or not, with their revision. */
export const findItemRowsWithRevision = (
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<StacItemRowWithRevision[]> =>
  db.query<StacItemRowWithRevision>(sql`
    select ${stacColumns}, i.revision from items i
    where i.organization_id = ${organization} and i.id = any(${ids}::uuid[])`)

/** Cached Features of the current revision of some items, by item id. */
export async function findCachedFeatures(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ item_id: string; feature: string }>(sql`
    select f.item_id, f.feature
    from item_features f join items i on i.organization_id = ${organization} and i.id = f.item_id and i.revision = f.revision
    where f.organization_id = ${organization} and f.item_id = any(${ids}::uuid[])`)
  return new Map(rows.map((row) => [row.item_id, row.feature]))
}

/** Caches serialized Features; a later revision is not overwritten. */
export async function upsertCachedFeatures(
  db: SqlStatementRunner,
  organization: string,
  features: readonly CachedFeature[],
): Promise<void> {
  // In the order of their ids: two writers of the same rows then wait for each other instead of in a circle.
  const sorted = features.toSorted((left, right) => (left.item_id < right.item_id ? -1 : 1))
  for (const batch of splitIntoBatches(sorted))
    await db.query(sql`
      insert into item_features as f (organization_id, item_id, revision, feature)
      values ${buildValuesList(
        batch,
        ({ item_id, revision, feature }) => sql`(${organization}, ${item_id}, ${revision}, ${feature})`,
      )}
      on conflict (organization_id, item_id) do update set revision = excluded.revision, feature = excluded.feature
      where f.revision < excluded.revision`)
}
