import type { Module } from '../../engine/task.ts'
import { fulfilOrder } from './fulfil.task.ts'
import { placeOrderWithHost } from './place-with-host.task.ts'
import { runStandingOrderTask } from './standing/run.task.ts'
import { suspendStandingOrders } from './standing/suspend.task.ts'
import { dueStandingOrders, sweepStandingOrders } from './standing/sweep.task.ts'
import { expireDecisions } from './tasking/expire-decisions.task.ts'
import { requestStudy } from './tasking/request-study.task.ts'
import { stopOrder } from './stop.task.ts'
import { withdrawOrder } from './withdraw.task.ts'
import { dueDecisions, dueOrders, sweepOrders } from './sweep.task.ts'

export const orders: Module = {
  tasks: [
    placeOrderWithHost,
    fulfilOrder,
    stopOrder,
    requestStudy,
    expireDecisions,
    sweepOrders,
    runStandingOrderTask,
    withdrawOrder,
    suspendStandingOrders,
    sweepStandingOrders,
  ],
  dueWork: [dueDecisions, dueOrders, dueStandingOrders],
}
