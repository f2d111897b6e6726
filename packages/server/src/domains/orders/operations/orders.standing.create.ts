import { limits } from '@swath/contract/limits.ts'
import { ordersStandingCreateOperation } from '@swath/contract/operations/orders.standing.ts'
import type { StandingOrder } from '@swath/contract/schemas/order.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireWithinMaxCredits } from '../../billing/max-credits.ts'
import { requireSavedSearch, getSavedSearchArea } from '../../catalog/saved-searches/saved-search.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { requireStandingOrder, toStandingOrder } from '../standing/standing-order.ts'
import {
  lockAndCountStandingOrders,
  insertStandingOrder,
  type StandingOrderRow,
} from '../standing/store.standing-orders.ts'

export const handler = defineHandler(ordersStandingCreateOperation, async (call, input) => {
  requireWithinMaxCredits(input.max_credits_per_month, input.max_credits)
  return input.dry_run ? executeDryRun(call, (dryRun) => create(dryRun, input)) : create(call, input)
})

/** The standing order, or the one that an earlier attempt of the same idempotent request has written. */
async function create(call: Call, input: Input): Promise<StandingOrder> {
  const claimed_id = call.claim?.recoveryData['standing_order_id']
  if (typeof claimed_id === 'string') return toStandingOrder(await requireStandingOrder(call, claimed_id, 'read'), 0)
  const row = await toRow(call, input)
  await call.transaction(async (tx) => {
    await lockOpenProject(tx, call, row.project_id)
    if ((await lockAndCountStandingOrders(tx, call.organization)) >= limits.max_standing_orders) throw tooManyOrders()
    await insertStandingOrder(tx, call.organization, row)
    await call.claim?.checkpoint(tx, 'created', { standing_order_id: row.id })
  })
  return toStandingOrder(row, 0)
}

type Input = NonNullable<(typeof ordersStandingCreateOperation)['types']>['input']

async function toRow(call: Call, input: Input): Promise<StandingOrderRow> {
  const search = await requireSavedSearch(call, input.saved_search_id, 'read')
  const area = getSavedSearchArea(search)
  if (!area) {
    const message = 'has no area: its filters need `intersects` with a polygon, or `bbox`'
    throw validationProblem([{ path: 'saved_search_id', message }])
  }
  if (!search.notify) throw new Problem('invalid-state', 'The saved search does not look for new scenes (`notify`).')
  const project = await requireProject(call, input.project_id ?? search.project_id, 'write')
  const now = call.clock.now()
  return {
    id: newId(),
    saved_search_id: search.id,
    project_id: project.id,
    name: input.name ?? search.name,
    area,
    mode: input.mode,
    data_product_id: input.data_product_id ?? null,
    license_type: input.license_type ?? null,
    max_credits_per_scene: input.max_credits_per_scene,
    max_credits_per_month: input.max_credits_per_month,
    status: 'active',
    status_reason: null,
    capped_until: null,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
}

const tooManyOrders = (): Problem =>
  new Problem(
    'invalid-state',
    `The organization has ${limits.max_standing_orders} standing orders; delete one that is not needed.`,
  )
