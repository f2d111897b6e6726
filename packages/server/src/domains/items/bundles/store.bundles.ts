import type { Bundle } from '@swath/contract/schemas/clients/bundle.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import { toContainsPattern } from '../../../platform/database/conditions/like-pattern.ts'
import { listCondition } from '../../../platform/database/conditions/list-condition.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { visibleItemCondition } from '../search/store.search-conditions.ts'
import { userTagsProperty, userTitleProperty } from '../stac/client-properties.ts'
import { itemHostCollectionSql, itemProductSql, itemSourceSql } from '../store.origins.ts'

export interface BundleRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  /** Any JSON: users write it. */
  readonly title: unknown
  readonly tags: unknown
  readonly size: number
  readonly source: Bundle['source']
  readonly order_id: string | null
  readonly data_product_id: string | null
  readonly host_collection: string | null
  readonly producer: string | null
  readonly has_geometry: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

const sizeSql = sql`
  (select coalesce(sum(a.file_size_bytes), 0)::bigint from assets a
   where a.organization_id = i.organization_id and a.item_id = i.id and a.deleted_at is null and a.ready
     and a.blob_path is not null)`

/** The first provider that is a producer, or else the first one. */
const producerSql = sql`
  (select p.provider ->> 'name'
   from jsonb_array_elements(case when jsonb_typeof(i.properties -> 'providers') = 'array'
                                  then i.properties -> 'providers' else '[]'::jsonb end)
     with ordinality as p (provider, position)
   order by coalesce(p.provider -> 'roles' ? 'producer', false) desc, p.position limit 1)`

const titleSql = sql`(i.properties -> ${userTitleProperty}::text)`
const tagsSql = sql`(i.properties -> ${userTagsProperty}::text)`

const columns = sql`
  i.id, i.project_id, i.name, ${titleSql} as title, ${tagsSql} as tags, ${sizeSql} as size, ${itemSourceSql} as source,
  i.order_id, ${itemProductSql} as data_product_id, ${itemHostCollectionSql} as host_collection,
  ${producerSql} as producer, i.geometry is not null as has_geometry, i.created_at, i.updated_at`

export const bundleSortColumns = {
  name: sql`i.name collate "C"`,
  title: sql`(${titleSql} #>> '{}') collate "C"`,
  size: sizeSql,
  createdAt: sql`i.created_at`,
  updatedAt: sql`i.updated_at`,
  source: sql`(${itemSourceSql}) collate "C"`,
  collectionName: sql`${itemHostCollectionSql} collate "C"`,
  producerName: sql`${producerSql} collate "C"`,
} as const

export interface BundleFilter {
  readonly organization: string
  readonly projects: readonly string[]
  readonly created_after: Date | null
  readonly created_before: Date | null
  readonly collections: readonly string[] | null
  readonly producers: readonly string[] | null
  readonly tags: readonly string[] | null
  readonly sources: readonly string[] | null
  readonly search: string | null
  readonly sort: { readonly by: keyof typeof bundleSortColumns; readonly ascending: boolean }
  readonly now: OrganizationTime
  readonly limit: number
  readonly offset: number
}

const matchesText = (search: string): Sql => sql`
  (i.name ilike ${toContainsPattern(search)} or (${titleSql} #>> '{}') ilike ${toContainsPattern(search)}
    or i.order_id::text = ${search.toLowerCase()})`

/** A page of the items of some projects that are neither deleted nor expired. */
export function listBundles(db: SqlStatementRunner, filter: BundleFilter): Promise<RowPage<BundleRow>> {
  const where = sql`
    ${visibleItemCondition(filter.organization, filter.now)} and i.project_id = any(${[...filter.projects]}::uuid[])
      and ${filter.created_after === null ? sql`true` : sql`i.created_at >= ${filter.created_after}`}
      and ${filter.created_before === null ? sql`true` : sql`i.created_at <= ${filter.created_before}`}
      and ${listCondition(itemHostCollectionSql, filter.collections)} and ${listCondition(producerSql, filter.producers)}
      and ${listCondition(itemSourceSql, filter.sources)}
      and ${filter.tags === null ? sql`true` : sql`${tagsSql} ?| ${[...filter.tags]}::text[]`}
      and ${filter.search === null ? sql`true` : matchesText(filter.search)}`
  const direction = filter.sort.ascending ? sql`asc` : sql`desc`
  const orderBy = sql`${bundleSortColumns[filter.sort.by]} ${direction} nulls last, i.id ${direction}`
  const { limit, offset } = filter
  return selectPage(db, { columns, from: sql`items i`, where, orderBy, limit, offset })
}

/** The item as a bundle, deleted or not. */
export async function findBundle(db: SqlStatementRunner, organization: string, id: string): Promise<BundleRow | null> {
  const [row] = await db.query<BundleRow>(sql`
    select ${columns} from items i where i.organization_id = ${organization} and i.id = ${id}`)
  return row ?? null
}

/** The item that has the asset; null if there is none. */
export async function findItemIdOfAsset(
  db: SqlStatementRunner,
  organization: string,
  asset_id: string,
): Promise<string | null> {
  const [row] = await db.query<{ item_id: string }>(sql`
    select item_id from assets where organization_id = ${organization} and id = ${asset_id} and deleted_at is null`)
  return row?.item_id ?? null
}
