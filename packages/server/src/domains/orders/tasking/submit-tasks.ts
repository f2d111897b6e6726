import { readTaskingHostEnvironment } from '../../../platform/sandbox/host-environment.ts'
import type { TaskContext } from '../../../engine/task.ts'
import { HostRefusal } from '../../../platform/integrations/imagery-host.ts'
import type { OrderRow } from '../store.ts'
import { requireTaskingHost } from './require-tasking-host.ts'
import {
  markTaskingOrderAreaEnded,
  listTaskingOrderAreas,
  updateHostTaskReference,
  type TaskingOrderAreaRow,
} from './store.order-areas.ts'
import { toTaskingRequest } from './task-requests.ts'

/**
 * Places each area of an order as a task of its host. An area that its host refuses ends alone; throws `HostRefusal` if all
 * of them do, and any other error of a host.
 */
export async function submitHostTasks(context: TaskContext, order: OrderRow): Promise<void> {
  const { organization_id } = order
  const db = context.database.forOrganization(organization_id)
  const groups = await listTaskingOrderAreas(db, organization_id, [order.id])
  const refusals: HostRefusal[] = []
  for (const group of groups) {
    if (group.reference !== null || group.ended_at !== null) continue
    try {
      await submitTask(context, organization_id, group)
    } catch (error) {
      if (!(error instanceof HostRefusal)) throw error
      refusals.push(error)
      const failure = { code: error.reason_code ?? 'host-refused', text: error.message }
      const now = context.clock.forOrganization(organization_id).now()
      await db.transaction((tx) => markTaskingOrderAreaEnded(tx, organization_id, group.id, { failure, now }))
    }
  }
  const current = await listTaskingOrderAreas(db, organization_id, [order.id])
  if (current.some(({ ended_at }) => ended_at === null)) return
  throw refusals[0] ?? new HostRefusal(current[0]?.failure_text ?? 'The host refuses the task.')
}

async function submitTask(context: TaskContext, organization: string, group: TaskingOrderAreaRow): Promise<void> {
  const { tasking } = requireTaskingHost(context.integrations, group.host)
  const world = await readTaskingHostEnvironment(
    context.database.forOrganization(organization),
    context.clock.forOrganization(organization),
  )
  const { reference } = await tasking.placeTask(
    world,
    {
      id: group.id,
      request: toTaskingRequest(group.product, group.geometry, group.constraints),
      opportunity: group.constraints.opportunity,
      replan: group.constraints.replan,
    },
    context.signal,
  )
  await updateHostTaskReference(context.database.forOrganization(organization), organization, group.id, reference)
}
