import { defineSweep, type DueWork } from '../../engine/task.ts'
import { dueOrderRows, listDueOrders } from './store.lists.ts'
import { chooseOrderTaskType } from './silent/order-task.ts'
import { dueTaskingDecisionRows, listDueTaskingDecisions } from './tasking/store.decisions.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

const stalled_ms = 10 * 60_000

/** Enqueues the task of each due order; the singleton key prevents a second one while one waits or runs. */
export const dueOrdersWork: DueWork = {
  name: 'orders',
  dueRows: (organization) => dueOrderRows(organization, stalled_ms),
  runDue: async ({ database, queue }, times) => {
    for (const { organization_id, id, status, sub_status } of await listDueOrders(
      database.unscoped,
      times,
      stalled_ms,
    )) {
      const name = chooseOrderTaskType({ status, sub_status })
      await database
        .forOrganization(organization_id)
        .transaction((tx) => queue.enqueue(tx, name, { organization_id, order_id: id }, { singleton_key: id }))
    }
  },
}

/** Enqueues the task of each order with a decision whose time is over. */
export const dueTaskingDecisionsWork: DueWork = {
  name: 'tasking decisions',
  dueRows: (organization) => [dueTaskingDecisionRows(organization)],
  runDue: async ({ database, queue }, times) => {
    for (const data of await listDueTaskingDecisions(database.unscoped, times))
      await database
        .forOrganization(data.organization_id)
        .transaction((tx) =>
          queue.enqueue(tx, backgroundTaskTypes.expireDecisions, data, { singleton_key: data.order_id }),
        )
  },
}

export const sweepOrdersTask = defineSweep(
  backgroundTaskTypes.sweepOrders,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  {
    runDue: async (context, times) => {
      await dueOrdersWork.runDue(context, times)
      await dueTaskingDecisionsWork.runDue(context, times)
    },
  },
)
