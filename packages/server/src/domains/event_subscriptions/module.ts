import type { Module } from '../../engine/task.ts'
import { createEventSubscription } from './operations/event_subscriptions.create.ts'
import { createManyEventSubscriptions } from './operations/event_subscriptions.create_many.ts'
import { deleteEventSubscription } from './operations/event_subscriptions.delete.ts'
import { getEventDelivery } from './operations/event_subscriptions.deliveries.get.ts'
import { listEventDeliveries } from './operations/event_subscriptions.deliveries.list.ts'
import { redeliverEvent } from './operations/event_subscriptions.deliveries.redeliver.ts'
import { replayDeliveryWindow } from './operations/event_subscriptions.deliveries.replay_window.ts'
import { getEventSubscription } from './operations/event_subscriptions.get.ts'
import { listEventSubscriptions } from './operations/event_subscriptions.list.ts'
import { rotateSubscriptionSecret } from './operations/event_subscriptions.rotate_secret.ts'
import { testEventSubscription } from './operations/event_subscriptions.test.operation.ts'
import { updateEventSubscription } from './operations/event_subscriptions.update.ts'
import { dueDeliveries } from './due-deliveries.ts'
import { sweepEventDays } from './event-days/sweep-event-days.task.ts'
import { sweepDeliveryLog } from './log/sweep-delivery-log.task.ts'

export const eventSubscriptions: Module = {
  name: 'event_subscriptions',
  handlers: [
    createEventSubscription,
    createManyEventSubscriptions,
    updateEventSubscription,
    deleteEventSubscription,
    getEventSubscription,
    listEventSubscriptions,
    testEventSubscription,
    rotateSubscriptionSecret,
    listEventDeliveries,
    getEventDelivery,
    redeliverEvent,
    replayDeliveryWindow,
  ],
  tasks: [sweepDeliveryLog, sweepEventDays],
  dueWork: [dueDeliveries],
}
