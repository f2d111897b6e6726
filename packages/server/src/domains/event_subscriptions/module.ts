import type { Module } from '../../engine/task.ts'
import { dueEventDeliveriesWork } from './due-deliveries.ts'
import { dropOldEventDaysTask } from './event-days/sweep-event-days.task.ts'
import { sweepEventDeliveryLogTask } from './log/sweep-delivery-log.task.ts'

export const eventSubscriptionsModule: Module = {
  tasks: [sweepEventDeliveryLogTask, dropOldEventDaysTask],
  dueWork: [dueEventDeliveriesWork],
}
