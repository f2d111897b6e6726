import { PaymentsFailure, type ProcessorEvent } from './payments.ts'

type Fields = Readonly<Record<string, unknown>>

const recordOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0)

/** The id of a referenced object, which is either an id or the expanded object. */
const idOf = (value: unknown): string | null => textOf(value) ?? textOf(recordOf(value)['id'])

/** The outcomes of disputes, by the processor's status; any other status is not final. */
const disputeEnds: Readonly<Record<string, string>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

type Data = ProcessorEvent['data']

const named = (name: string, id: string | null): Data => (id === null ? {} : { [name]: id })

/** The data of an event object beside its id, by the object type of the processor. */
const dataOf: Readonly<Record<string, (object: Fields, before: Fields) => Data>> = {
  dispute: (object) => ({
    dispute: idOf(object['id']) ?? '',
    amount_cents: numberOf(object['amount']),
    status: disputeEnds[textOf(object['status']) ?? ''] ?? 'open',
  }),
  // Stripe counts the part that a partial capture released as refunded; here it is not.
  charge: (object) => {
    const captured = numberOf(object['amount_captured'])
    const released = numberOf(object['amount']) - captured
    return { refunded_cents: captured === 0 ? 0 : Math.max(0, numberOf(object['amount_refunded']) - released) }
  },
  setup_intent: (object) => ({
    ...named('customer', idOf(object['customer'])),
    ...named('payment_method', idOf(object['payment_method'])),
  }),
  // A detached payment method has no customer any more; the event contains the previous one.
  payment_method: (object, before) => named('customer', idOf(object['customer']) ?? idOf(before['customer'])),
}

/** Objects that belong to an intent and are identified by it. */
const ofIntents: ReadonlySet<string> = new Set(['charge', 'dispute', 'refund'])

/** The event in a verified webhook body. Throws `invalid` if it contains none. */
export function parseEvent(body: Uint8Array): ProcessorEvent {
  const event = recordOf(parse(body))
  const data = recordOf(event['data'])
  const object = recordOf(data['object'])
  const [id, type, seconds] = [textOf(event['id']), textOf(event['type']), event['created']]
  const what = textOf(object['object']) ?? ''
  const object_id = (ofIntents.has(what) ? idOf(object['payment_intent']) : null) ?? textOf(object['id'])
  if (id === null || type === null || object_id === null || typeof seconds !== 'number') {
    throw new PaymentsFailure('invalid', 'The webhook of the payment processor is not valid.')
  }
  const read = Object.hasOwn(dataOf, what) ? dataOf[what] : undefined
  const facts = read?.(object, recordOf(data['previous_attributes'])) ?? {}
  return { id, type, object_id, created: new Date(seconds * 1000), data: facts }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new PaymentsFailure('invalid', 'The webhook of the payment processor is not JSON.', { cause })
  }
}
