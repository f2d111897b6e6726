import { createHash } from 'node:crypto'
import type { PurchaseCall } from '../../../engine/call.ts'
import type { IdempotencyClaim } from '../../../engine/idempotency.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { placeArchiveOrder } from '../place-archive-order.ts'
import { findOrder, type OrderRow } from '../store.ts'
import { requireStandingOrderMonthCap } from './month-cap.ts'
import { standingOrderNotFound } from './standing-order.ts'
import { findStandingOrder, type StandingOrderRow } from './store.standing-orders.ts'
import {
  updateStandingOrderSceneStatus,
  type StandingOrderSceneKey,
  type StandingOrderSceneRow,
} from './store.standing-scenes.ts'

export interface StandingOrderScenePurchase {
  readonly row: StandingOrderRow
  readonly scene: Pick<StandingOrderSceneRow, 'source_id' | 'scene_id' | 'status'>
  /** The price that was shown; the order is refused if it costs more. */
  readonly max_credits: number
  /** True if only an active standing order may buy; a person may also accept a proposal of a paused one. */
  readonly requiresActive: boolean
}

/**
 * The order for a scene: the area of the standing order within its footprint, without areas that are held already,
 * because nobody looks at an automatic order before it is paid.
 */
export const toStandingOrderScenePurchase = (
  { area, license_type }: StandingOrderRow,
  { scene_id, source_id }: Pick<StandingOrderSceneRow, 'source_id' | 'scene_id'>,
) => ({
  captures: [{ id: scene_id, host: source_id, geometry: area }],
  licenseType: license_type,
  exclude_owned: true,
})

/**
 * Orders a scene as the caller. The transaction of the order also checks the cap of the month and marks the scene as
 * ordered, so that a scene has one order at most. Throws what `placeArchiveOrder` throws, `StandingOrderCapReached`, or
 * `already-decided`.
 */
export async function orderStandingOrderScene(
  call: PurchaseCall,
  purchase: StandingOrderScenePurchase,
): Promise<OrderRow> {
  const { row, scene, max_credits } = purchase
  const claim = withOrderMark(call.claim ?? createUnstoredClaim(row, scene), (tx, order_id) =>
    markOrdered(tx, call, purchase, order_id),
  )
  const { order } = await placeArchiveOrder(withClaim(call, claim), {
    ...toStandingOrderScenePurchase(row, scene),
    projectId: row.project_id,
    max_credits,
  })
  return order
}

async function markOrdered(
  tx: Tx,
  { organization, clock }: PurchaseCall,
  { row: { id }, scene, requiresActive }: StandingOrderScenePurchase,
  order_id: string,
): Promise<void> {
  const now = clock.now()
  const row = await findStandingOrder(tx, organization, id, true)
  if (!row) throw standingOrderNotFound(id)
  if (requiresActive && row.status !== 'active') {
    throw new Problem('already-decided', `The standing order is ${row.status}.`)
  }
  const { total_credits: credits } = (await findOrder(tx, organization, order_id))!
  await requireStandingOrderMonthCap(tx, organization, row, { credits, now })
  const key: StandingOrderSceneKey = {
    organization,
    standing_order_id: id,
    source_id: scene.source_id,
    scene_id: scene.scene_id,
  }
  if (!(await updateStandingOrderSceneStatus(tx, key, { from: scene.status, to: 'ordered', credits, order_id, now }))) {
    throw new Problem('already-decided', `The scene "${scene.scene_id}" was decided meanwhile.`)
  }
}

/** The idempotency key of the order for a scene: that of a standing order is the same at each attempt. */
export const buildSceneIdempotencyKey = (
  { id }: Pick<StandingOrderRow, 'id'>,
  { source_id, scene_id }: Pick<StandingOrderSceneRow, 'source_id' | 'scene_id'>,
): string =>
  `standing-order:${id}:${createHash('sha256')
    .update(JSON.stringify([source_id, scene_id]))
    .digest('hex')}`

/** Creates a claim that cannot be resumed, for a call without a key; the journal entry records this one. */
const createUnstoredClaim = (row: StandingOrderRow, scene: StandingOrderScenePurchase['scene']): IdempotencyClaim => ({
  key: buildSceneIdempotencyKey(row, scene),
  recoveryPoint: 'claimed',
  recoveryData: {},
  checkpoint: async () => undefined,
})

/** The claim with an effect in the transaction that records the order. */
const withOrderMark = (
  claim: IdempotencyClaim,
  mark: (tx: Tx, order_id: string) => Promise<void>,
): IdempotencyClaim => ({
  key: claim.key,
  get recoveryPoint() {
    return claim.recoveryPoint
  },
  get recoveryData() {
    return claim.recoveryData
  },
  checkpoint: async (tx, point, data) => {
    await claim.checkpoint(tx, point, data)
    const { order_id } = data
    if (point === 'reserved' && typeof order_id === 'string') await mark(tx, order_id)
  },
})

const withClaim = (call: PurchaseCall, claim: IdempotencyClaim): PurchaseCall => ({
  operation: call.operation,
  principal: call.principal,
  organization: call.organization,
  db: call.db,
  transaction: (work) => call.transaction(work),
  isDryRun: call.isDryRun,
  claim,
  clock: call.clock,
  requestId: call.requestId,
  baseUrl: call.baseUrl,
  signal: call.signal,
  integrations: call.integrations,
  processServices: call.processServices,
  queue: call.queue,
})
