import Type, { type Static } from 'typebox'
import { AnyObject, Count, Nullable, Timestamp, Uuid } from './primitives.ts'

/** An event, as webhooks deliver it. */
export const Event = Type.Object({
  event_id: Uuid,
  event_type: Type.String({ description: 'An event type, such as `order.fulfilled`.' }),
  timestamp: Timestamp,
  organization_id: Uuid,
  entity_type: Type.String({ description: 'The type of the entity that the event is about, such as `order`.' }),
  entity_id: Type.String(),
  data: AnyObject,
})

export type Event = Static<typeof Event>

/** An event type, as the list of event types describes it. */
export const EventTypeDescription = Type.Object({
  event_type: Type.String(),
  summary: Type.String(),
  category: Type.String({ description: 'The part of the type before its first dot.' }),
  data_schema: AnyObject,
  example: AnyObject,
})

const Hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the row and of the hash before, in hex.',
})

export const AuditOutcome = Type.Enum(['succeeded', 'replayed', 'dry_run', 'refused', 'failed'], {
  description:
    '`replayed`: the stored response of an Idempotency-Key; `dry_run`: nothing was changed; `refused`: 4xx; `failed`: 5xx.',
})

/** A call of an operation that is not a read. */
export const AuditEntry = Type.Object({
  id: Uuid,
  organization_id: Type.String({
    format: 'uuid',
    description: 'The organization that was acted in; zeros for calls that belong to none.',
  }),
  at: Type.String({ format: 'date-time', description: 'When the call began.' }),
  principal_kind: Type.String({
    description:
      '`human`, `api_key`, `service`, `worker`, `impersonator` (an operator who reads as a user) or `visitor` (without a token).',
  }),
  principal_id: Type.String({ description: 'The id of the user, the API key or the service.' }),
  operation: Type.String({ description: 'The id of the operation, whichever route was used.' }),
  target_type: Nullable(Type.String(), { description: 'The type of the changed entity; null for many or none.' }),
  target_id: Nullable(Type.String(), { description: 'Its id, if the input or the response names it.' }),
  reason: Nullable(Type.String(), { description: 'The reason that an operator of the platform gave.' }),
  request_id: Type.String({ description: 'The request id that the response had.' }),
  address: Nullable(Type.String(), { description: 'The IP address of the client.' }),
  outcome: AuditOutcome,
  problem: Nullable(Type.String(), { description: 'The name of the problem of a refused or failed call.' }),
  position: Nullable(Type.Integer({ minimum: 1 }), {
    description: 'The place in the chain; null until the row is sealed, some minutes after the call.',
  }),
  hash: Nullable(Hash),
})

/** One line of an exported audit trail: a sealed row. */
export const AuditExportLine = Type.Object({
  ...AuditEntry.properties,
  position: Type.Integer({ minimum: 1 }),
  hash: Hash,
  previous_hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The hash of the previous row; 64 zeros for the first one.',
  }),
})

/** The result of verifying an audit trail from its first row. */
export const AuditVerificationResult = Type.Object({
  organization_id: Uuid,
  valid: Type.Boolean(),
  entries: Type.Integer({ minimum: 0, description: 'Rows of the chain.' }),
  unsealed: Type.Integer({ minimum: 0, description: 'Rows that are too young for a place in the chain.' }),
  head: Type.Object({ position: Count, hash: Hash }),
  faults: Type.Array(
    Type.Object({
      position: Nullable(Type.Integer({ description: 'Null if the end of the chain is wrong.' })),
      entry_id: Nullable(Uuid),
      fault: Type.String(),
    }),
    { maxItems: 100 },
  ),
})

/** Filters of a list of the audit trail. */
export const auditTrailFilterFields = {
  principal_id: filter('The id of a user, an API key or a service.'),
  operation: filter('The id of an operation, or the beginning of ids that ends with a dot, such as `orders.`.'),
  target_type: filter('Only calls that changed an entity of this type, such as `item`.'),
  target_id: filter('Only calls that changed this entity.'),
  outcome: Type.Optional(Nullable(AuditOutcome)),
  problem: filter('Only calls with this problem, such as `insufficient-scope`.'),
  from: time('Only calls that began at this time or later.'),
  until: time('Only calls that began before this time.'),
}

function filter(description: string) {
  return Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 300 }), { description }))
}

function time(description: string) {
  return Type.Optional(Nullable(Timestamp, { description }))
}

export type AuditEntry = Static<typeof AuditEntry>
