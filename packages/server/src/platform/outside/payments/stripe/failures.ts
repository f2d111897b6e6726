import type Stripe from 'stripe'
import { PaymentsFailure, type PaymentsFailureKind } from '../payments.ts'

type Facts = Stripe.errors.StripeError

/** Which failure of ours one of Stripe's is: the first row that fits. What is no row may have happened or not. */
const rows: readonly (readonly [PaymentsFailureKind, (error: Facts) => boolean])[] = [
  ['declined', ({ type }) => type === 'StripeCardError'],
  ['idempotency', ({ type, code }) => type === 'StripeIdempotencyError' || code === 'idempotency_key_in_use'],
  ['unavailable', ({ type }) => type !== 'StripeInvalidRequestError'],
  ['not-found', ({ statusCode, code }) => statusCode === 404 || code === 'resource_missing'],
  ['invalid', () => true],
]

/** The one word of ours for an authorisation that lapsed, which Stripe says in two ways. */
const isLapsed = ({ code, payment_intent }: Facts): boolean =>
  code === 'charge_expired_for_capture' ||
  (code === 'payment_intent_unexpected_state' && payment_intent?.cancellation_reason === 'automatic')

/** True for the refusal of a bank that wants its card holder first. */
export const wantsHolder = ({ code, decline_code }: Facts): boolean =>
  code === 'authentication_required' || decline_code === 'authentication_required'

export function failureOf(error: Facts): PaymentsFailure {
  const [kind] = rows.find(([, fits]) => fits(error))!
  // The SDK says an empty text where a bank gave no reason of its own.
  const code = isLapsed(error) ? 'capture_expired' : error.decline_code || error.code || null
  const intent = error.payment_intent?.id ?? null
  const sentence = kind === 'unavailable' ? 'The payment processor could not be asked.' : error.message
  return new PaymentsFailure(kind, sentence, { code, intent, cause: error })
}
