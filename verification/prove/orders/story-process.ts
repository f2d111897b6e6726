import {
  feasibilityStudyLifecycle,
  orderLifecycle,
  quotationLifecycle,
  taskingLifecycle,
} from '@swath/contract/lifecycles.ts'
import { hostTaskStages } from '../../../packages/server/src/platform/integrations/tasking-host.ts'
import { createTestSandbox } from '../../../packages/server/test/sandbox/sandboxes.ts'
import type { WatchedSteps } from '../harness/kill-points.ts'
import { announceReady, startKillableApp } from '../harness/proof-app.ts'
import { checkSandbox } from './check-sandbox.ts'
import { checkInterrupted } from './walk.ts'

/** The tables in which an order, its money and its tasks at the host move, on our side and on that of the host. */
const orderSteps: WatchedSteps = {
  tables: new Set([
    'order_status_changes',
    'tasking_status_changes',
    'tasking_decisions',
    'tasking_groups',
    'order_captures',
    'credit_holds',
    'credit_hold_resolutions',
    'constellation_tasks',
    'constellation_collects',
    'constellation_studies',
  ]),
  states: new Set<string>([
    ...orderLifecycle.states,
    ...taskingLifecycle.states,
    ...feasibilityStudyLifecycle.states,
    ...quotationLifecycle.states,
    ...hostTaskStages,
  ]),
}

// The product with a sandbox whose orders kill it at their steps, on the data that the process before it left.
announceReady(
  await startKillableApp(orderSteps, {
    createHandlers: (app) => ({
      prepare: () => createTestSandbox(app).then(({ organization, email }) => ({ organization, email })),
      interrupted: () => checkInterrupted(app),
      check: ({ organization }: { organization: string }) => checkSandbox(app.database, organization),
    }),
  }),
)
