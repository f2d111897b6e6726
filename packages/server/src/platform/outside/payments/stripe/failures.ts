import type Stripe from 'stripe'
import { PaymentsFailure, type PaymentsFailureKind } from '../payments.ts'

type Facts = Stripe.errors.StripeError

/** Maps Stripe errors to our failures: the first matching row applies. The outcome of an error without a row is unknown. */
const rows: readonly (readonly [PaymentsFailureKind, (error: Facts) => boolean])[] = [
  ['declined', ({ type }) => type === 'StripeCardError'],
  ['idempotency', ({ type, code }) => type === 'StripeIdempotencyError' || code === 'idempotency_key_in_use'],
  ['unavailable', ({ type }) => type !== 'StripeInvalidRequestError'],
  ['not-found', ({ statusCode, code }) => statusCode === 404 || code === 'resource_missing'],
  ['invalid', () => true],
]

/** An expired authorization, which Stripe reports in two ways. */
const isLapsed = ({ code, payment_intent }: Facts): boolean =>
  code === 'charge_expired_for_capture' ||
  (code === 'payment_intent_unexpected_state' && payment_intent?.cancellation_reason === 'automatic')

/** True if the bank declined because the card holder must authenticate. */
export const wantsHolder = ({ code, decline_code }: Facts): boolean =>
  code === 'authentication_required' || decline_code === 'authentication_required'

export function failureOf(error: Facts): PaymentsFailure {
  const [kind] = rows.find(([, fits]) => fits(error))!
  // The SDK has an empty text if the bank gave no reason.
  const code = isLapsed(error) ? 'capture_expired' : error.decline_code || error.code || null
  const intent = error.payment_intent?.id ?? null
  const sentence = kind === 'unavailable' ? 'The payment processor is not available.' : error.message
  return new PaymentsFailure(kind, sentence, { code, intent, cause: error })
}
