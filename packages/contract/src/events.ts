import { alertEvents } from './events/alerts.ts'
import { billingEvents, organizationEvents } from './events/billing.ts'
import type { EventDefinition } from './events/define-event.ts'
import { itemEvents, savedSearchEvents } from './events/items.ts'
import { analyticsEvents, jobEvents } from './events/jobs.ts'
import { federationEvents } from './events/federation.ts'
import { invitationEvents, memberEvents } from './events/members.ts'
import { supportAccessEvents } from './events/support-access.ts'
import { orderEvents, taskingEvents } from './events/orders.ts'
import { reportEvents } from './events/reports.ts'

export type { EventDefinition } from './events/define-event.ts'

/** Every event type with the closed schema of its `data` and an example. */
export const eventDefinitions = {
  ...orderEvents,
  ...taskingEvents,
  ...jobEvents,
  ...itemEvents,
  ...savedSearchEvents,
  ...analyticsEvents,
  ...alertEvents,
  ...reportEvents,
  ...organizationEvents,
  ...federationEvents,
  ...invitationEvents,
  ...memberEvents,
  ...supportAccessEvents,
  ...billingEvents,
} as const satisfies Record<string, EventDefinition>

export type EventType = keyof typeof eventDefinitions

/** The names of all event types. */
export const eventTypes = Object.keys(eventDefinitions) as readonly EventType[]
