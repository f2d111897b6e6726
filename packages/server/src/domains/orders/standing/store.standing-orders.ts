import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../../platform/database/named-lock.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface StandingOrderRow {
  readonly id: string
  readonly saved_search_id: string
  readonly project_id: string
  readonly name: string
  /** The area that is bought of each scene: that of the search when the standing order was created. */
  readonly area: AreaGeometry
  readonly mode: 'buy' | 'ask'
  readonly data_product_id: string | null
  readonly license_type: string | null
  readonly max_credits_per_scene: number
  readonly max_credits_per_month: number
  readonly status: 'active' | 'paused' | 'suspended'
  readonly status_reason: string | null
  readonly capped_until: Date | null
  /** The user as whom it orders. */
  readonly created_by: string
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`
  id, saved_search_id, project_id, name, area, mode, data_product_id, license_type, max_credits_per_scene,
  max_credits_per_month, status, status_reason, capped_until, created_by, created_at, updated_at`

export async function insertStandingOrder(tx: Tx, organization: string, row: StandingOrderRow): Promise<void> {
  await tx.query(sql`
    insert into standing_orders
      (organization_id, id, saved_search_id, project_id, name, area, mode, data_product_id, license_type,
       max_credits_per_scene, max_credits_per_month, status, created_by, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.saved_search_id}, ${row.project_id}, ${row.name}, ${sql.json(row.area)},
            ${row.mode}, ${row.data_product_id}, ${row.license_type}, ${row.max_credits_per_scene},
            ${row.max_credits_per_month}, ${row.status}, ${row.created_by}, ${row.created_at}, ${row.updated_at})`)
}

/** The standing order; with `lock` its row is locked until the transaction ends. */
export async function findStandingOrder(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  lock = false,
): Promise<StandingOrderRow | null> {
  const [row] = await db.query<StandingOrderRow>(sql`
    select ${columns} from standing_orders where organization_id = ${organization} and id = ${id}
    ${lock ? sql`for update` : sql.empty}`)
  return row ?? null
}

/** Newest first. */
export const listStandingOrders = (
  db: SqlStatementRunner,
  {
    organization,
    projects,
    limit,
    offset,
  }: {
    readonly organization: string
    readonly projects: readonly string[]
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<StandingOrderRow>> =>
  selectPage(db, {
    columns,
    from: sql`standing_orders`,
    where: sql`organization_id = ${organization} and project_id = any(${projects}::uuid[])`,
    orderBy: sql`created_at desc, id desc`,
    limit,
    offset,
  })

/** Other transactions that count wait until this one ends, so that two creations at once do not pass the limit. */
export async function lockAndCountStandingOrders(tx: Tx, organization: string): Promise<number> {
  await acquireAdvisoryLock(tx, `standing orders of ${organization}`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from standing_orders where organization_id = ${organization}`)
  return Number(row?.count ?? 0)
}

export async function listSavedSearchStandingOrders(
  db: SqlStatementRunner,
  organization: string,
  search: string,
): Promise<StandingOrderRow[]> {
  return db.query<StandingOrderRow>(sql`
    select ${columns} from standing_orders
    where organization_id = ${organization} and saved_search_id = ${search} order by created_at, id`)
}

export async function updateStandingOrder(tx: Tx, organization: string, row: StandingOrderRow): Promise<void> {
  await tx.query(sql`
    update standing_orders
    set name = ${row.name}, mode = ${row.mode}, data_product_id = ${row.data_product_id},
        license_type = ${row.license_type}, max_credits_per_scene = ${row.max_credits_per_scene},
        max_credits_per_month = ${row.max_credits_per_month}, status = ${row.status},
        status_reason = ${row.status_reason}, capped_until = ${row.capped_until}, updated_at = ${row.updated_at}
    where organization_id = ${organization} and id = ${row.id}`)
}

/** False if it was suspended before. */
export async function markStandingOrderSuspended(
  tx: Tx,
  organization: string,
  id: string,
  { reason, now }: { readonly reason: string; readonly now: OrganizationTime },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update standing_orders set status = 'suspended', status_reason = ${reason}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and status <> 'suspended'
    returning id`)
  return rows.length > 0
}

/** False if it was stopped until then before. */
export async function markStandingOrderCapped(
  tx: Tx,
  organization: string,
  id: string,
  { until, now }: { readonly until: Date; readonly now: OrganizationTime },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update standing_orders set capped_until = ${until}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and capped_until is distinct from ${until}::timestamptz
    returning id`)
  return rows.length > 0
}

/** False if it did not exist. */
export async function deleteStandingOrderRow(tx: Tx, organization: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from standing_orders where organization_id = ${organization} and id = ${id} returning id`)
  return rows.length > 0
}

/** The cost of the orders since a time: credits held while they are open, and charged once they have ended. */
export async function sumOrderedCredits(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; credits: number }>(sql`
    select s.standing_order_id as id, sum(case
      when o.status in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED') then o.captured_credits
      else o.total_credits end)::bigint as credits
    from standing_order_scenes s
    join orders o on o.organization_id = s.organization_id and o.id = s.order_id
    where s.organization_id = ${organization} and s.standing_order_id = any(${ids}::uuid[]) and o.created_at >= ${since}
    group by s.standing_order_id`)
  return new Map(rows.map(({ id, credits }) => [id, Number(credits)]))
}
