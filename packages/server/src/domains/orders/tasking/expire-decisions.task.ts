import { defineTask, createTaskActor } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { closeOrderWithoutDelivery } from '../close-order.ts'
import { lockTaskingOrder } from './offer-decisions.ts'
import { listOpenTaskingDecisions, updateQuotationStatus, updateFeasibilityStudyStatus } from './store.decisions.ts'
import { transitionSubStatus } from './sub-status.ts'

const reason = { code: 'expired', text: 'No decision was made in time.' }

/** Ends an order whose study or quotation was not decided in time; nothing was held for it. */
export const expireTaskingDecisionsTask = defineTask(
  backgroundTaskTypes.expireDecisions,
  { limit: 8, delay_s: 5, backoff: true, expire_s: 60 },
  async (context, { organization_id, order_id }) => {
    const actor = createTaskActor(context, organization_id)
    await context.database.forOrganization(organization_id).transaction(async (tx) => {
      const order = await lockTaskingOrder(tx, organization_id, order_id)
      const now = actor.clock.now()
      const due = (await listOpenTaskingDecisions(tx, organization_id, order_id)).filter(
        ({ decide_by }) => decide_by <= now,
      )
      if (due.length === 0) return
      for (const { kind, id } of due) {
        const change = { move: 'expire', now, by: null } as const
        await (kind === 'quotation' ? updateQuotationStatus : updateFeasibilityStudyStatus)(
          tx,
          organization_id,
          id,
          change,
        )
      }
      if (!(await transitionSubStatus(tx, actor, { order_id, move: 'expire', reason }))) return
      await closeOrderWithoutDelivery(tx, actor, { order, move: 'end_unpriced', reason })
    })
  },
)
