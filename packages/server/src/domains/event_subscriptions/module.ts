import type { Module } from '../../engine/task.ts'
import { dueDeliveriesWork } from './due-deliveries.ts'
import { dropOldEventDaysTask } from './event-days/sweep-event-days.task.ts'
import { sweepDeliveryLogTask } from './log/sweep-delivery-log.task.ts'

export const eventSubscriptionsModule: Module = {
  tasks: [sweepDeliveryLogTask, dropOldEventDaysTask],
  dueWork: [dueDeliveriesWork],
}
