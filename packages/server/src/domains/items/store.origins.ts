import type { Bundle } from '@swath/contract/schemas/clients/bundle.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** Where an item comes from, in the words of clients; the other members are those of the order that delivered it. */
export interface ItemOrigin {
  readonly source: Bundle['source']
  readonly data_product_id: string | null
  /** The collection of the host. */
  readonly host_collection: string | null
}

const orderOfItem = sql`from orders o where o.organization_id = i.organization_id and o.id = i.order_id`

/** The source of an item whose order has this type. */
const sourceWithOrderType = (type: Sql): Sql => sql`
  case when i.job_id is not null then 'PROCESSING'
       when i.order_id is not null then upper(${type})
       else 'USER' end`

/** What an item is the result of; for a query with the table alias `i`. */
export const itemSourceSql = sourceWithOrderType(sql`(select o.type ${orderOfItem})`)

/** The data product of the order of an item. */
export const itemProductSql = sql`(select o.data_product_id ${orderOfItem})`

/** The collection of the host from which an item was delivered. */
export const itemHostCollectionSql = sql`
  (select c.collection from order_captures c
   where c.organization_id = i.organization_id and c.order_id = i.order_id and c.item_id = i.id)`

/** An `ItemOrigin` as JSON, with one look at the order. */
export const itemOriginSql = sql`
  coalesce(
    (select jsonb_build_object('source', ${sourceWithOrderType(sql`o.type`)}, 'data_product_id', o.data_product_id,
       'host_collection', ${itemHostCollectionSql}) ${orderOfItem}),
    jsonb_build_object('source', ${sourceWithOrderType(sql`null::text`)}, 'data_product_id', null, 'host_collection', null))`
