import { shiftOrganizationTimes, type OrganizationCurrentTimes } from '../../platform/clock.ts'
import { toContainsPattern } from '../../platform/database/conditions/like-pattern.ts'
import { listCondition } from '../../platform/database/conditions/list-condition.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { dueCondition } from '../../platform/database/due-condition.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'
import { orderRowColumns, type OrderRow } from './store.ts'

export interface OrderFilter {
  readonly organization: string
  readonly projects: readonly string[]
  /** Deleted projects, with the principal whose orders are included (null for all). */
  readonly deleted: { readonly projects: readonly string[]; readonly placed_by: string | null }
  readonly types: readonly string[] | null
  readonly statuses: readonly string[] | null
  readonly sub_statuses: readonly string[] | null
  readonly products: readonly string[] | null
  readonly ids: readonly string[] | null
  readonly tags: readonly string[] | null
  /** Ids of projects, or of principals who placed the orders. */
  readonly budgets: readonly string[] | null
  readonly name: string | null
  readonly sort: { readonly by: keyof typeof orderSortColumns; readonly ascending: boolean }
  readonly limit: number
  readonly offset: number
}

export const orderSortColumns = {
  createdAt: sql`created_at`,
  updatedAt: sql`updated_at`,
  displayName: sql`display_name collate "C"`,
  status: sql`status collate "C"`,
  type: sql`type collate "C"`,
} as const

export function listOrders(db: SqlStatementRunner, filter: OrderFilter): Promise<RowPage<OrderRow>> {
  const where = sql`
    organization_id = ${filter.organization}
      and (project_id = any(${filter.projects}::uuid[])
        or (project_id = any(${filter.deleted.projects}::uuid[])
          and ${filter.deleted.placed_by === null ? sql`true` : sql`created_by = ${filter.deleted.placed_by}`}))
      and ${listCondition(sql`type`, filter.types)} and ${listCondition(sql`status`, filter.statuses)}
      and ${listCondition(sql`sub_status`, filter.sub_statuses)} and ${listCondition(sql`data_product_id`, filter.products)}
      and ${listCondition(sql`id::text`, filter.ids)}
      and ${filter.tags === null ? sql`true` : sql`tags && ${filter.tags}::text[]`}
      and (${listCondition(sql`project_id::text`, filter.budgets)} or ${listCondition(sql`created_by`, filter.budgets)})
      and ${filter.name === null ? sql`true` : sql`display_name ilike ${toContainsPattern(filter.name)}`}`
  const direction = filter.sort.ascending ? sql`asc` : sql`desc`
  const orderBy = sql`${orderSortColumns[filter.sort.by]} ${direction}, id ${direction}`
  const { limit, offset } = filter
  return selectPage(db, { columns: orderRowColumns, from: sql`orders`, where, orderBy, limit, offset })
}

/** The number of captures of each order, and of those that were delivered. */
export async function countOrderCaptures(
  db: SqlStatementRunner,
  organization: string,
  orders: readonly string[],
): Promise<Map<string, { readonly count: number; readonly delivered: number }>> {
  const rows = await db.query<{ order_id: string; count: number; delivered: number }>(sql`
    select order_id, count(*) as count, count(delivered_at) as delivered from order_captures
    where organization_id = ${organization} and order_id = any(${orders}::uuid[])
    group by order_id`)
  return new Map(rows.map(({ order_id, ...counts }) => [order_id, counts]))
}

export interface OrderCaptureSummaryRow {
  readonly order_id: string
  readonly host: string
  readonly scene_id: string
  readonly item_id: string
  readonly datetime: string
  readonly credits: number
  readonly delivered_at: Date | null
  /** Null: it was ordered under the terms of its host. */
  readonly product_version: number | null
  /** The ordered area; null in lists. */
  readonly geometry: Record<string, unknown> | null
}

/** The captures of orders in their order: all with their areas, or the first of each order without. */
export async function listCaptureSummaries(
  db: SqlStatementRunner,
  organization: string,
  orders: readonly string[],
  max_position: number | null,
): Promise<OrderCaptureSummaryRow[]> {
  return db.query<OrderCaptureSummaryRow>(sql`
    select order_id, host, scene_id, item_id, scene ->> 'datetime' as datetime, credits, delivered_at, product_version,
      ${max_position === null ? sql`geometry` : sql`null::jsonb as geometry`}
    from order_captures
    where organization_id = ${organization} and order_id = any(${orders}::uuid[])
      and ${max_position === null ? sql`true` : sql`position <= ${max_position}`}
    order by order_id, position`)
}

/** The number of open orders of a project; a project with open orders cannot be deleted. */
export async function countOpenOrders(db: SqlStatementRunner, organization: string, project: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from orders
    where organization_id = ${organization} and project_id = ${project}
      and status not in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')`)
  return row?.count ?? 0
}

/** Orders that are not closed, oldest first. */
export async function listOpenOrderIds(db: SqlStatementRunner, organization: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from orders
    where organization_id = ${organization} and status not in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')
    order by id`)
  return rows.map(({ id }) => id)
}

/** SQL condition: a task works on the order; those that wait for a decision or for an operator have none. */
const hasOrderTask = sql`
  (status not in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')
    and (status <> 'CREATED' or sub_status is null or sub_status = 'QUOTATION_ACCEPTED'
      or (sub_status = 'FEASIBILITY_WAITING_UPLOAD' and ask_at is not null)))`

/** The rows of open orders whose hosts are due to be polled, and of those that count as stalled. */
export const dueOrderRows = (organization: string, stalled_ms: number): readonly DueRowsQuery[] => [
  {
    from: sql`orders`,
    where: sql`organization_id = ${organization} and status not in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')`,
    at: sql`ask_at`,
  },
  {
    from: sql`orders`,
    where: sql`organization_id = ${organization} and ${hasOrderTask} and ask_at is null`,
    at: sql`updated_at`,
    delay_ms: stalled_ms,
    stops_clock: false,
  },
]

/**
 * Due orders of all organizations, in turns: those whose next poll is due, and those that have not changed for
 * `stalled_ms` because their task is lost. They stay due while their task waits, so one organization must not fill the list.
 */
export async function listDueOrders(
  unscoped: SqlStatementRunner,
  times: OrganizationCurrentTimes,
  stalled_ms: number,
  max_due_orders = 1000,
): Promise<{ organization_id: string; id: string; status: string; sub_status: string | null }[]> {
  return unscoped.query(sql`
    select organization_id, id, status, sub_status from (
      select organization_id, id, status, sub_status, coalesce(ask_at, updated_at) as due_at,
        row_number() over (partition by organization_id order by coalesce(ask_at, updated_at), id) as turn
      from orders
      where ${hasOrderTask} and case when ask_at is null then ${dueCondition(sql`updated_at`, sql`organization_id`, shiftOrganizationTimes(times, -stalled_ms))}
          else ${dueCondition(sql`ask_at`, sql`organization_id`, times)} end) as due
    order by turn, due_at, id
    limit ${max_due_orders}`)
}
