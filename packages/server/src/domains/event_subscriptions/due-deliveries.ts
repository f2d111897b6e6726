import { webhookServicesKey } from './webhook-services.ts'
import { createTaskActor, type DueWork } from '../../engine/task.ts'
import { drainEventDeliveries } from './drain.ts'
import { dueEventDeliveryAttemptRows } from './store.queues.ts'

/** Attempts that are due within this time are made together, so that the clock of a sandbox stops less often. */
const step_ms = 60_000
const max_deliveries = 2000

/**
 * Makes the attempts that fall due while the clock of a sandbox is advanced. Those of other organizations, and the first ones
 * after an event of a sandbox, are made by the delivery worker.
 */
export const dueEventDeliveriesWork: DueWork = {
  name: 'deliveries',
  dueRows: (organization, { processTime }) => [dueEventDeliveryAttemptRows(organization, step_ms, processTime)],
  runDue: async (context, { organization }) => {
    if (organization === null) return
    const { database, integrations, processServices, signal } = context
    const delivery = {
      actor: createTaskActor(context, organization),
      db: database.forOrganization(organization),
      fetch: integrations.fetch,
      webhooks: processServices.get(webhookServicesKey),
    }
    await drainEventDeliveries(delivery, { limit: max_deliveries, signal })
  },
}
