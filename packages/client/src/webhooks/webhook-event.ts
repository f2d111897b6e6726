import type { EventData } from './event-data.ts'

/** What every event has. */
export interface EventEnvelope {
  /** The same for every delivery of the event: a receiver ignores one that it has seen. */
  readonly event_id: string
  readonly timestamp: string
  readonly organization_id: string
  readonly entity_type: string
  readonly entity_id: string
  /** Rises by one with each delivery of the subscription; absent from tests. */
  readonly sequence?: number
  /** A test of `event_subscriptions.test` or `webhooks.test`: nothing has happened. */
  readonly test?: boolean
}

/** An event of a type that this client knows: a test of `event_type` tells the type of `data`. */
export type KnownWebhookEvent = {
  readonly [Type in keyof EventData]: EventEnvelope & { readonly event_type: Type; readonly data: EventData[Type] }
}[keyof EventData]

/**
 * A type of event that this client does not know, because the server is newer: a text, `String(event.event_type)`. No type of text
 * would do: the compiler would take it for each known type, and no comparison would tell the type of `data`.
 */
export interface NewEventType {
  readonly isKnown: false
  toString(): string
}

/** An event of a newer server. */
export interface NewWebhookEvent extends EventEnvelope {
  readonly event_type: NewEventType
  readonly data: Readonly<Record<string, unknown>>
}

/** The event of a delivery. */
export type DeliveredEvent = KnownWebhookEvent | NewWebhookEvent
