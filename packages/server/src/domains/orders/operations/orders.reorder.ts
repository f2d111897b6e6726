import { ordersReorderOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireOrder } from '../access.ts'
import { placeOrResumeArchiveOrder, requireUserToOrder, type ArchiveOrderRequest } from '../place-archive-order.ts'
import { listOrderCaptures } from '../store.ts'

export const handler = defineHandler(ordersReorderOperation, async (call, { order_id, projectId, ...spend }) => {
  requireUserToOrder(call)
  const request = await repeatRequest(call, order_id, projectId ?? null)
  const place = (caller: Call) =>
    placeOrResumeArchiveOrder(caller, { ...request, max_credits: spend.max_credits ?? null })
  return spend.dry_run ? executeDryRun(call, place) : place(call)
})

/** The request of the earlier order: its scenes with their areas, its licence and its project. */
async function repeatRequest(call: Call, order_id: string, projectId: string | null): Promise<ArchiveOrderRequest> {
  const order = await requireOrder(call, order_id, 'read')
  if (order.type !== 'archive') throw new Problem('invalid-state', 'Only an archive order can be ordered again.')
  const captures = await listOrderCaptures(call.db, call.organization, order.id)
  return {
    captures: captures.map(({ scene_id, host, geometry }) => ({ id: scene_id, host, geometry: geometry as object })),
    projectId: projectId ?? order.project_id,
    licenseType: captures.every(({ credits }) => credits === 0) ? null : order.licence_type,
    splitByDate: order.groups.some(({ date }) => typeof date === 'string'),
  }
}
