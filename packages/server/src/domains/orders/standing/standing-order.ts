import type { StandingOrder, StandingOrderScene } from '@swath/contract/schemas/order.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import { requireProject } from '../../projects/access.ts'
import { findStandingOrder, markStandingOrderSuspended, type StandingOrderRow } from './store.standing-orders.ts'
import type { StandingOrderSceneRow } from './store.standing-scenes.ts'

export const toStandingOrder = (row: StandingOrderRow, month_credits: number): StandingOrder => ({
  id: row.id,
  name: row.name,
  saved_search_id: row.saved_search_id,
  project_id: row.project_id,
  mode: row.mode,
  data_product_id: row.data_product_id,
  license_type: row.license_type,
  max_credits_per_scene: row.max_credits_per_scene,
  max_credits_per_month: row.max_credits_per_month,
  month_credits,
  status: row.status,
  status_reason: row.status_reason,
  capped_until: row.capped_until?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const toStandingOrderScene = (row: StandingOrderSceneRow): StandingOrderScene => ({
  source_id: row.source_id,
  scene_id: row.scene_id,
  acquired_at: row.acquired_at.toISOString(),
  status: row.status,
  reason: row.reason,
  credits: row.credits,
  order_id: row.order_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const standingOrderNotFound = (id: string): Problem =>
  new Problem('not-found', `No standing order has the id "${id}".`)

/** The standing order, if the caller has the permission in its project. Throws `not-found` or `not-a-member`. */
export async function requireStandingOrder(
  call: Call,
  id: string,
  permission: 'read' | 'write',
  options: { readonly allowArchived?: boolean } = {},
): Promise<StandingOrderRow> {
  const row = await findStandingOrder(call.db, call.organization, id)
  if (!row) throw standingOrderNotFound(id)
  await requireProject(call, row.project_id, permission, options)
  return row
}

/** Suspends a standing order and says why in an event, once. */
export async function suspendStandingOrder(tx: Tx, actor: Actor, id: string, reason: string): Promise<void> {
  if (!(await markStandingOrderSuspended(tx, actor.organization, id, { reason, now: actor.clock.now() }))) return
  await emitEvent(tx, actor, {
    kind: 'standing_order.suspended',
    entity_type: 'standing_order',
    entity_id: id,
    data: { reason },
  })
}
