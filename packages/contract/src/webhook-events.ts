import { jobEvents } from './events/jobs.ts'
import { orderEvents } from './events/orders.ts'
import type { EventType } from './events.ts'

/** An event of a webhook, which stands for several event types. */
export interface WebhookEventDefinition {
  readonly title: string
  readonly category: string
  readonly description: string
  readonly event_types: readonly EventType[]
  /** The one that a test sends. */
  readonly tested_type: EventType
}

const typesOf = <T extends object>(definitions: T): readonly (keyof T)[] => Object.keys(definitions) as (keyof T)[]

/** The events that the webhooks of a workspace can subscribe to. */
export const webhookEvents = {
  'order.status': {
    title: 'Status of an order',
    category: 'order',
    description: 'The status of an order changed.',
    event_types: typesOf(orderEvents),
    tested_type: 'order.fulfilled',
  },
  'job.status': {
    title: 'Status of a job',
    category: 'job',
    description: 'The status of a processing job changed.',
    event_types: typesOf(jobEvents),
    tested_type: 'job.completed',
  },
} as const satisfies Record<string, WebhookEventDefinition>

export type WebhookEvent = keyof typeof webhookEvents
