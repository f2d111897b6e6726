import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { HostPrice, HostScene } from '../../../platform/integrations/imagery-host.ts'
import type { HostTaskCollect, HostTaskStatus } from '../../../platform/integrations/tasking-host.ts'
import type { HostTaskConstraints } from './task-requests.ts'

/** One area of a tasking order, which is one task at its host. */
export interface TaskingOrderAreaRow {
  readonly id: string
  readonly order_id: string
  readonly position: number
  readonly name: string | null
  readonly host: string
  readonly product: string
  readonly geometry: AreaGeometry
  readonly constraints: HostTaskConstraints
  readonly area_km2: number
  readonly price: HostPrice
  readonly list_price: HostPrice
  readonly commitment_id: string | null
  readonly credits: number
  readonly cancel_hours: number | null
  readonly cancel_fee_pct: number
  readonly item_id: string
  readonly reference: string | null
  /** `waiting` until the host has accepted the task. */
  readonly stage: HostTaskStatus['stage'] | 'waiting'
  readonly planned_at: Date | null
  readonly collects: readonly (Omit<HostTaskCollect, 'at'> & { readonly at: string })[]
  readonly failure_code: string | null
  readonly failure_text: string | null
  readonly ended_at: Date | null
}

const columns = sql`
  id, order_id, position, name, host, product, geometry, constraints, area_km2, price, list_price, commitment_id, credits,
  cancel_hours, cancel_fee_pct, item_id, reference, stage, planned_at, collects, failure_code, failure_text, ended_at`

export async function insertTaskingOrderArea(tx: Tx, organization: string, group: TaskingOrderAreaRow): Promise<void> {
  await tx.query(sql`
    insert into tasking_groups
      (organization_id, id, order_id, position, name, host, product, geometry, constraints, area_km2, price, list_price,
       commitment_id, credits, cancel_hours, cancel_fee_pct, item_id, stage, planned_at)
    values (${organization}, ${group.id}, ${group.order_id}, ${group.position}, ${group.name}, ${group.host},
            ${group.product}, ${sql.json(group.geometry)}, ${sql.json(group.constraints)}, ${group.area_km2},
            ${sql.json(group.price)}, ${sql.json(group.list_price)}, ${group.commitment_id}, ${group.credits},
            ${group.cancel_hours}, ${group.cancel_fee_pct}, ${group.item_id}, ${group.stage}, ${group.planned_at})`)
}

/** The areas of orders, in their order. */
export const listTaskingOrderAreas = (
  db: SqlStatementRunner,
  organization: string,
  orders: readonly string[],
): Promise<TaskingOrderAreaRow[]> =>
  db.query<TaskingOrderAreaRow>(sql`
    select ${columns} from tasking_groups
    where organization_id = ${organization} and order_id = any(${orders}::uuid[])
    order by order_id, position`)

export async function updateHostTaskReference(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  reference: string,
): Promise<void> {
  await db.query(sql`
    update tasking_groups set reference = ${reference}, stage = 'accepted'
    where organization_id = ${organization} and id = ${id} and reference is null`)
}

/** The price and the plan that a decision gives to an area. */
export async function updateHostTaskPriceAndPlan(
  tx: Tx,
  organization: string,
  id: string,
  terms: Pick<TaskingOrderAreaRow, 'credits' | 'constraints' | 'planned_at'>,
): Promise<void> {
  await tx.query(sql`
    update tasking_groups set credits = ${terms.credits}, constraints = ${sql.json(terms.constraints)},
                              planned_at = ${terms.planned_at}
    where organization_id = ${organization} and id = ${id}`)
}

/** Writes the latest status from the host. */
export async function updateHostTaskStage(
  tx: Tx,
  organization: string,
  id: string,
  status: Pick<TaskingOrderAreaRow, 'stage' | 'planned_at'> & { readonly collects: readonly HostTaskCollect[] },
): Promise<void> {
  await tx.query(sql`
    update tasking_groups set stage = ${status.stage}, planned_at = ${status.planned_at},
                              collects = ${sql.json(status.collects)}
    where organization_id = ${organization} and id = ${id} and ended_at is null`)
}

/** Ends an area from which nothing more is to come; a failure says why nothing was delivered. */
export async function markTaskingOrderAreaEnded(
  tx: Tx,
  organization: string,
  id: string,
  { failure, now }: { readonly failure: { code: string; text: string } | null; readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update tasking_groups
    set ended_at = ${now}, failure_code = ${failure?.code ?? null}, failure_text = ${failure?.text ?? null}
    where organization_id = ${organization} and id = ${id} and ended_at is null`)
}

/** Writes the acquired scene as a capture of the order; does nothing if it was written before. */
export async function insertAcquiredCapture(
  tx: Tx,
  organization: string,
  group: TaskingOrderAreaRow,
  { scene, licence }: { readonly scene: HostScene; readonly licence: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into order_captures
      (organization_id, order_id, position, host, scene_id, item_id, collection, scene, geometry, credits, licence,
       product_version)
    values (${organization}, ${group.order_id}, ${group.position}, ${group.host}, ${scene.id}, ${group.item_id},
            ${scene.collection}, ${sql.json(scene)}, ${sql.json(group.geometry)}, ${group.credits}, ${licence},
            ${group.price?.product_version ?? null})
    on conflict (organization_id, order_id, position) do nothing
    returning position`)
  return rows.length === 1
}

/** Writes the terms of an order once its price is determined. */
export async function updateOrderTerms(
  tx: Tx,
  organization: string,
  id: string,
  terms: {
    readonly hold_id: string | null
    readonly billing_mode: string
    readonly total_credits: number
    readonly groups: unknown
    readonly cancellable_until: string
    readonly cancel_fee_credits: number
    readonly cancel_by: Date | null
    readonly now: OrganizationTime
  },
): Promise<void> {
  await tx.query(sql`
    update orders set hold_id = ${terms.hold_id}, billing_mode = ${terms.billing_mode},
      total_credits = ${terms.total_credits}, groups = ${sql.json(terms.groups)},
      cancellable_until = ${terms.cancellable_until}, cancel_fee_credits = ${terms.cancel_fee_credits},
      cancel_by = ${terms.cancel_by}, updated_at = ${terms.now}, ask_at = null
    where organization_id = ${organization} and id = ${id}`)
}

export async function updateOrderCancelDeadline(
  tx: Tx,
  organization: string,
  id: string,
  cancel_by: Date | null,
): Promise<void> {
  await tx.query(sql`update orders set cancel_by = ${cancel_by} where organization_id = ${organization} and id = ${id}`)
}
