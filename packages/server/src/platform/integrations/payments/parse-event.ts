import { isSandboxId, isUuid } from '../../ids.ts'
import { PaymentsFailure, type PaymentProcessorEvent } from './payments.ts'

type JsonObject = Readonly<Record<string, unknown>>

const toObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const toInteger = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0)

/** The id of a referenced object, which is either an id or the expanded object. */
const toId = (value: unknown): string | null => toText(value) ?? toText(toObject(value)['id'])

/** The outcomes of disputes, by the processor's status; any other status is not final. */
const dispute_outcomes: Readonly<Record<string, string>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

type EventData = PaymentProcessorEvent['data']

const namedId = (name: string, id: string | null): EventData => (id === null ? {} : { [name]: id })

/** The data of an event object beside its id, by the object type of the processor. */
const data_readers: Readonly<Record<string, (object: JsonObject, previous: JsonObject) => EventData>> = {
  dispute: (object) => ({
    dispute: toId(object['id']) ?? '',
    amount_cents: toInteger(object['amount']),
    status: dispute_outcomes[toText(object['status']) ?? ''] ?? 'open',
  }),
  // Stripe counts the part that a partial capture released as refunded; here it is not.
  charge: (object) => {
    const captured = toInteger(object['amount_captured'])
    const released = toInteger(object['amount']) - captured
    return { refunded_cents: captured === 0 ? 0 : Math.max(0, toInteger(object['amount_refunded']) - released) }
  },
  setup_intent: (object) => ({
    ...namedId('customer', toId(object['customer'])),
    ...namedId('payment_method', toId(object['payment_method'])),
  }),
  // A detached payment method has no customer any more; the event contains the previous one.
  payment_method: (object, previous) => namedId('customer', toId(object['customer']) ?? toId(previous['customer'])),
}

/** Objects that belong to an intent and are identified by it. */
const intent_objects: ReadonlySet<string> = new Set(['charge', 'dispute', 'refund'])

/** The event in a verified webhook body. Throws `invalid` if it contains none. */
export function parsePaymentProcessorEvent(body: Uint8Array): PaymentProcessorEvent {
  const event = toObject(parse(body))
  const data = toObject(event['data'])
  const object = toObject(data['object'])
  const [id, type, seconds] = [toText(event['id']), toText(event['type']), event['created']]
  const objectType = toText(object['object']) ?? ''
  const object_id = (intent_objects.has(objectType) ? toId(object['payment_intent']) : null) ?? toText(object['id'])
  if (id === null || type === null || object_id === null || typeof seconds !== 'number') {
    throw new PaymentsFailure('invalid', 'The webhook of the payment processor is not valid.')
  }
  const readData = Object.hasOwn(data_readers, objectType) ? data_readers[objectType] : undefined
  const eventData = readData?.(object, toObject(data['previous_attributes'])) ?? {}
  const account = toText(event['account'])
  const sandbox = account !== null && isUuid(account) && isSandboxId(account) ? { sandbox: account } : {}
  return { id, type, object_id, ...sandbox, created: new Date(seconds * 1000), data: eventData }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new PaymentsFailure('invalid', 'The webhook of the payment processor is not JSON.', { cause })
  }
}
