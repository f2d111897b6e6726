import type { Module } from '../../engine/task.ts'
import { dueDeliveries } from './due-deliveries.ts'
import { sweepEventDays } from './event-days/sweep-event-days.task.ts'
import { sweepDeliveryLog } from './log/sweep-delivery-log.task.ts'

export const eventSubscriptions: Module = {
  tasks: [sweepDeliveryLog, sweepEventDays],
  dueWork: [dueDeliveries],
}
