import { ordersStandingDecideOperation } from '@swath/contract/operations/orders.standing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireUserToOrder } from '../place-archive-order.ts'
import { orderStandingOrderScene } from '../standing/order-standing-scene.ts'
import { requireStandingOrder, toStandingOrderScene } from '../standing/standing-order.ts'
import type { StandingOrderRow } from '../standing/store.standing-orders.ts'
import {
  findStandingOrderScene,
  updateStandingOrderSceneStatus,
  type StandingOrderSceneKey,
  type StandingOrderSceneRow,
} from '../standing/store.standing-scenes.ts'

interface Decision {
  readonly standing_order_id: string
  readonly source_id: string
  readonly scene_id: string
  readonly decision: 'ACCEPTED' | 'REJECTED'
  readonly max_credits?: number | null
}

export const handler = defineHandler(ordersStandingDecideOperation, async (call, input) => {
  requireUserToOrder(call)
  if (input.dry_run) return executeDryRun(call, (dryRun) => decide(dryRun, input))
  return decide(call, input)
})

async function decide(call: Call, { standing_order_id, source_id, scene_id, ...input }: Decision) {
  const row = await requireStandingOrder(call, standing_order_id, 'write')
  const key = { organization: call.organization, standing_order_id: row.id, source_id, scene_id }
  const scene = await findStandingOrderScene(call.db, key)
  if (!scene) throw new Problem('not-found', `The standing order has no scene "${scene_id}" of "${source_id}".`)
  // An earlier attempt of the same idempotent request has decided.
  if (isDecidedByClaim(call)) return { standing_order_id: row.id, ...toStandingOrderScene(scene) }
  requireProposed(scene)
  const changes = input.decision === 'ACCEPTED' ? await accept(call, row, scene, input) : await reject(call, key)
  // A dry run has written nothing; otherwise a repeated request must return the same.
  const decided = call.isDryRun ? { ...scene, ...changes } : await findStandingOrderScene(call.db, key)
  return { standing_order_id: row.id, ...toStandingOrderScene(decided ?? { ...scene, ...changes }) }
}

const isDecidedByClaim = ({ claim }: Call): boolean =>
  claim?.recoveryPoint === 'reserved' || claim?.recoveryPoint === 'decided'

function requireProposed({ status, scene_id }: StandingOrderSceneRow): void {
  if (status === 'proposed') return
  if (status === 'ordered' || status === 'rejected') throw alreadyDecided(scene_id)
  throw new Problem('invalid-state', `The scene "${scene_id}" is ${status}, not proposed.`)
}

const alreadyDecided = (scene_id: string): Problem =>
  new Problem('already-decided', `The scene "${scene_id}" was decided before.`)

async function accept(
  call: Call,
  row: StandingOrderRow,
  scene: StandingOrderSceneRow,
  { max_credits }: Pick<Decision, 'max_credits'>,
): Promise<Partial<StandingOrderSceneRow>> {
  const price = scene.credits ?? 0
  const { id, total_credits } = await orderStandingOrderScene(call, {
    row,
    scene,
    max_credits: Math.min(price, max_credits ?? price),
    requiresActive: false,
  })
  return { status: 'ordered', order_id: id, credits: total_credits, reason: null }
}

async function reject(call: Call, key: StandingOrderSceneKey): Promise<Partial<StandingOrderSceneRow>> {
  await call.transaction(async (tx) => {
    const change = { from: 'proposed', to: 'rejected', now: call.clock.now() } as const
    if (!(await updateStandingOrderSceneStatus(tx, key, change))) throw alreadyDecided(key.scene_id)
    await call.claim?.checkpoint(tx, 'decided', {})
  })
  return { status: 'rejected', reason: null }
}
