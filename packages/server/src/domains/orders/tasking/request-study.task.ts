import { readTaskingHostEnvironment } from '../../../platform/sandbox/host-environment.ts'
import type { FeasibilityOption } from '@swath/contract/schemas/tasking.ts'
import { defineTask, createTaskActor } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { shiftTime } from '../../../platform/clock.ts'
import type { HostStudyOption } from '../../../platform/integrations/tasking-host.ts'
import { calculateCharge } from '../../catalog/price.ts'
import { findOrder, updateOrderNextPollAt } from '../store.ts'
import { answerFeasibilityStudy, rejectFeasibility } from './offer-decisions.ts'
import { requireTaskingHost } from './require-tasking-host.ts'
import { listTaskingOrderAreas, type TaskingOrderAreaRow } from './store.order-areas.ts'
import { toTaskingRequest } from './task-requests.ts'

/** A host whose study is still running is polled again after this. */
const waiting_ms = 60_000

/** Asks the host for the study of an order, and answers the order with it. */
export const requestFeasibilityStudyTask = defineTask(
  backgroundTaskTypes.requestStudy,
  { limit: 8, delay_s: 5, backoff: true, expire_s: 300 },
  async (context, { organization_id, order_id }) => {
    const actor = createTaskActor(context, organization_id)
    const db = context.database.forOrganization(organization_id)
    const isWaiting = async (): Promise<boolean> => {
      const order = await findOrder(db, organization_id, order_id)
      return order?.status === 'CREATED' && order.sub_status === 'FEASIBILITY_WAITING_UPLOAD'
    }
    if (!(await isWaiting())) return
    const [group] = await listTaskingOrderAreas(db, organization_id, [order_id])
    const { tasking } = requireTaskingHost(context.integrations, group!.host)
    const request = toTaskingRequest(group!.product, group!.geometry, group!.constraints)
    const world = await readTaskingHostEnvironment(db, actor.clock)
    const study = await tasking.requestStudy?.(world, { id: group!.id, request }, context.signal)
    if (!study) return
    if (study.state === 'waiting')
      return updateOrderNextPollAt(db, organization_id, order_id, shiftTime(actor.clock.now(), waiting_ms))
    // The order may have been cancelled during the request to its host.
    if (!(await isWaiting())) return
    await db.transaction(async (tx) => {
      if (study.state === 'infeasible') return rejectFeasibility(tx, actor, order_id, study.reason)
      const options = study.options.map((option) => toStudyOption(group!, option))
      await answerFeasibilityStudy(tx, actor, { order_id, type: 'AUTO', options, decide_by: null })
    })
  },
)

/** An option with its price: that of the product, times the factor of the option. */
const toStudyOption = ({ price, area_km2 }: TaskingOrderAreaRow, option: HostStudyOption): FeasibilityOption => ({
  id: option.id,
  description: option.description,
  acquisitionStart: option.from.toISOString(),
  acquisitionEnd: option.to.toISOString(),
  creditsPrice: Math.ceil(calculateCharge(price, area_km2).credits * option.price_factor),
})
