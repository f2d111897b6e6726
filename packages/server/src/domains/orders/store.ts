import { orderLifecycle, type OrderTransitionName, type OrderStatus } from '@swath/contract/lifecycles.ts'
import type { PriceGroup } from '@swath/contract/schemas/price.ts'
import type { Order } from '@swath/contract/schemas/order.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../platform/database/statements/values-list.ts'
import type { CancelPolicy, HostScene } from '../../platform/integrations/imagery-host.ts'

export interface OrderRow {
  readonly organization_id: string
  readonly id: string
  readonly project_id: string
  readonly collection_id: string | null
  readonly type: Order['orderType']
  readonly status: OrderStatus
  readonly sub_status: string | null
  readonly display_name: string
  readonly tags: readonly string[]
  readonly licence_type: string | null
  readonly data_product_id: string | null
  readonly billing_mode: Order['billingMode']
  readonly hold_id: string | null
  readonly total_credits: number
  readonly captured_credits: number
  readonly refunded_credits: number
  readonly groups: readonly PriceGroup[]
  readonly fulfillment: Order['fulfillment']
  readonly failure_code: string | null
  readonly failure_text: string | null
  /** The status from which on the order cannot be cancelled. */
  readonly cancellable_until: CancelPolicy['cancellable_until']
  /** The fee of a cancellation once the host has accepted the order. */
  readonly cancel_fee_credits: number
  /** Until when an accepted order can be cancelled; null: its policy names no time. */
  readonly cancel_by: Date | null
  readonly created_by: string
  readonly created_at: Date
  readonly updated_at: Date
}

export const orderRowColumns = sql`
  organization_id, id, project_id, collection_id, type, status, sub_status, display_name, tags, licence_type, data_product_id,
  billing_mode, hold_id, total_credits, captured_credits, refunded_credits, groups, fulfillment, failure_code, failure_text,
  cancellable_until, cancel_fee_credits, cancel_by, created_by, created_at, updated_at`

export async function insertOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  const [row] = await tx.query<OrderRow>(sql`
    insert into orders (organization_id, id, project_id, type, status, display_name, tags, licence_type, data_product_id,
                        billing_mode, hold_id, total_credits, groups, cancellable_until, cancel_fee_credits, cancel_by, sub_status, created_by,
                        created_at, updated_at)
    values (${order.organization_id}, ${order.id}, ${order.project_id}, ${order.type}, ${order.status},
            ${order.display_name}, ${order.tags}, ${order.licence_type}, ${order.data_product_id}, ${order.billing_mode},
            ${order.hold_id}, ${order.total_credits}, ${sql.json(order.groups)}, ${order.cancellable_until},
            ${order.cancel_fee_credits}, ${order.cancel_by}, ${order.sub_status}, ${order.created_by},
            ${order.created_at}, ${order.updated_at})
    returning ${orderRowColumns}`)
  return row!
}

export async function findOrder(db: SqlStatementRunner, organization: string, id: string): Promise<OrderRow | null> {
  const [row] = await db.query<OrderRow>(sql`
    select ${orderRowColumns} from orders where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** The status of an order, with its row locked until the transaction ends. */
export async function lockOrder(tx: Tx, organization: string, id: string): Promise<OrderStatus | null> {
  const [row] = await tx.query<{ status: OrderStatus }>(sql`
    select status from orders where organization_id = ${organization} and id = ${id} for update`)
  return row?.status ?? null
}

export interface OrderTransition {
  readonly move: OrderTransitionName
  readonly at: Date
  readonly actor: string | null
  readonly reason?: { readonly code: string; readonly text: string }
}

/** Applies a transition of the lifecycle. Null, with nothing written, if the current status does not allow it. */
export async function updateOrderStatus(
  tx: Tx,
  organization: string,
  id: string,
  transition: OrderTransition,
): Promise<(OrderRow & { readonly previous_status: OrderStatus }) | null> {
  const move = orderLifecycle.transitions[transition.move]
  const before = await lockOrder(tx, organization, id)
  if (!before || !move.from?.includes(before)) return null
  const [row] = await tx.query<OrderRow>(sql`
    update orders set status = ${move.to}, updated_at = ${transition.at}
    where organization_id = ${organization} and id = ${id}
    returning ${orderRowColumns}`)
  await insertOrderStatusChange(tx, organization, id, { from: before, to: move.to, ...transition })
  return row ? { ...row, previous_status: before } : null
}

export async function insertOrderStatusChange(
  tx: Tx,
  organization: string,
  order: string,
  change: Omit<OrderTransition, 'move'> & { from: OrderStatus | null; to: OrderStatus },
): Promise<void> {
  // The row of the order is locked, or new: no other change takes the same position.
  const [last] = await tx.query<{ changes: number }>(sql`
    select count(*) as changes from order_status_changes where organization_id = ${organization} and order_id = ${order}`)
  await tx.query(sql`
    insert into order_status_changes
      (organization_id, order_id, position, at, from_status, to_status, reason_code, reason_text, actor)
    values (${organization}, ${order}, ${last!.changes + 1}, ${change.at}, ${change.from}, ${change.to},
      ${change.reason?.code ?? null}, ${change.reason?.text ?? null}, ${change.actor})`)
}

/** Writes the charges, the fulfillment and the failure of a closed order. */
export async function updateOrderOutcome(
  tx: Tx,
  organization: string,
  id: string,
  outcome: {
    captured: number
    refunded: number
    fulfillment: Order['fulfillment']
    failure: { code: string; text: string } | null
  },
): Promise<void> {
  await tx.query(sql`
    update orders set captured_credits = ${outcome.captured}, refunded_credits = ${outcome.refunded}, fulfillment = ${outcome.fulfillment},
                      failure_code = ${outcome.failure?.code ?? null}, failure_text = ${outcome.failure?.text ?? null}
    where organization_id = ${organization} and id = ${id}`)
}

/** Changes the name and the tags; null keeps them. */
export async function updateOrderLabels(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  change: { display_name: string | null; tags: readonly string[] | null; updated_at: OrganizationTime },
): Promise<OrderRow> {
  const [row] = await db.query<OrderRow>(sql`
    update orders set display_name = coalesce(${change.display_name}::text, display_name),
                      tags = coalesce(${change.tags}::text[], tags),
                      updated_at = ${change.updated_at}
    where organization_id = ${organization} and id = ${id}
    returning ${orderRowColumns}`)
  return row!
}

export async function updateOrderCollection(
  tx: Tx,
  organization: string,
  id: string,
  collection: string,
): Promise<void> {
  await tx.query(sql`
    update orders set collection_id = ${collection} where organization_id = ${organization} and id = ${id}`)
}

/** Sets the time of the next poll of a host that is still working; null: none. */
export async function updateOrderNextPollAt(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  at: OrganizationTime | null,
): Promise<void> {
  await db.query(sql`update orders set ask_at = ${at} where organization_id = ${organization} and id = ${id}`)
}

/** The time of the next poll; null if none is due. */
export async function findOrderNextPollAt(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<Date | null> {
  const [row] = await db.query<{ ask_at: Date | null }>(sql`
    select ask_at from orders where organization_id = ${organization} and id = ${id}`)
  return row?.ask_at ?? null
}

export interface OrderStatusChangeRow {
  readonly order_id: string
  readonly at: Date
  readonly from_status: string | null
  readonly to_status: string
  readonly reason_code: string | null
  readonly reason_text: string | null
  readonly actor: string | null
}

export async function listOrderStatusChanges(
  db: SqlStatementRunner,
  organization: string,
  orders: readonly string[],
): Promise<OrderStatusChangeRow[]> {
  return db.query<OrderStatusChangeRow>(sql`
    select order_id, at, from_status, to_status, reason_code, reason_text, actor from order_status_changes
    where organization_id = ${organization} and order_id = any(${orders}::uuid[])
    order by order_id, position`)
}

export interface OrderCaptureRow {
  readonly position: number
  readonly host: string
  readonly scene_id: string
  readonly item_id: string
  readonly collection: string
  readonly scene: HostScene
  readonly geometry: unknown
  readonly credits: number
  /** The licence of its own product; orders may span several. */
  readonly licence: string
  readonly delivered_at: Date | null
  /** The version of its data product; null: the terms of the host. */
  readonly product_version: number | null
}

export async function insertOrderCaptures(
  tx: Tx,
  organization: string,
  order: string,
  captures: readonly Omit<OrderCaptureRow, 'delivered_at'>[],
): Promise<void> {
  for (const batch of splitIntoBatches(captures))
    await tx.query(sql`
      insert into order_captures
        (organization_id, order_id, position, host, scene_id, item_id, collection, scene, geometry, credits, licence,
         product_version)
      values ${buildValuesList(
        batch,
        (capture) => sql`
          (${organization}, ${order}, ${capture.position}, ${capture.host}, ${capture.scene_id}, ${capture.item_id},
           ${capture.collection}, ${sql.json(capture.scene)},
           ${sql.json(capture.geometry)},
           ${capture.credits}, ${capture.licence}, ${capture.product_version}::integer)`,
      )}`)
  const hosts = [...new Set(captures.map(({ host }) => host))]
  if (hosts.length === 0) return
  await tx.query(sql`
    insert into order_hosts (organization_id, order_id, host)
    values ${buildValuesList(hosts, (host) => sql`(${organization}, ${order}, ${host})`)}`)
}

export async function listOrderCaptures(
  db: SqlStatementRunner,
  organization: string,
  order: string,
): Promise<OrderCaptureRow[]> {
  return db.query<OrderCaptureRow>(sql`
    select position, host, scene_id, item_id, collection, scene, geometry, credits, licence, delivered_at, product_version
    from order_captures
    where organization_id = ${organization} and order_id = ${order}
    order by position`)
}

/** False if the capture was delivered before. */
export async function markOrderCaptureDelivered(
  tx: Tx,
  organization: string,
  item: string,
  at: OrganizationTime,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update order_captures set delivered_at = ${at}
    where organization_id = ${organization} and item_id = ${item} and delivered_at is null
    returning position`)
  return rows.length === 1
}

export interface OrderHostRow {
  readonly host: string
  readonly reference: string | null
}

export async function listOrderHosts(
  db: SqlStatementRunner,
  organization: string,
  order: string,
): Promise<OrderHostRow[]> {
  return db.query<OrderHostRow>(sql`
    select host, reference from order_hosts where organization_id = ${organization} and order_id = ${order} order by host`)
}

export async function updateOrderHostReference(
  db: SqlStatementRunner,
  {
    organization,
    order,
    host,
    reference,
  }: { readonly organization: string; readonly order: string; readonly host: string; readonly reference: string },
): Promise<void> {
  await db.query(sql`
    update order_hosts set reference = ${reference}
    where organization_id = ${organization} and order_id = ${order} and host = ${host}`)
}
