import type { Module } from '../../engine/task.ts'
import { fulfilOrderTask } from './fulfil.task.ts'
import { placeOrderWithHostTask } from './place-with-host.task.ts'
import { runStandingOrderTask } from './standing/run.task.ts'
import { suspendStandingOrdersTask } from './standing/suspend.task.ts'
import { dueStandingOrdersWork, sweepStandingOrdersTask } from './standing/sweep.task.ts'
import { expireTaskingDecisionsTask } from './tasking/expire-decisions.task.ts'
import { requestFeasibilityStudyTask } from './tasking/request-study.task.ts'
import { stopOrderTask } from './stop.task.ts'
import { withdrawOrderTask } from './withdraw.task.ts'
import { dueTaskingDecisionsWork, dueOrdersWork, sweepOrdersTask } from './sweep.task.ts'

export const ordersModule: Module = {
  tasks: [
    placeOrderWithHostTask,
    fulfilOrderTask,
    stopOrderTask,
    requestFeasibilityStudyTask,
    expireTaskingDecisionsTask,
    sweepOrdersTask,
    runStandingOrderTask,
    withdrawOrderTask,
    suspendStandingOrdersTask,
    sweepStandingOrdersTask,
  ],
  dueWork: [dueTaskingDecisionsWork, dueOrdersWork, dueStandingOrdersWork],
}
