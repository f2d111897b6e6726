import type Stripe from 'stripe'
import { PaymentsFailure, type PaymentsFailureKind } from '../payments.ts'

type StripeErrorFields = Stripe.errors.StripeError

/** Maps Stripe errors to our failures: the first matching row applies. The outcome of an error without a row is unknown. */
const failure_rows: readonly (readonly [PaymentsFailureKind, (error: StripeErrorFields) => boolean])[] = [
  ['declined', ({ type }) => type === 'StripeCardError'],
  ['idempotency', ({ type, code }) => type === 'StripeIdempotencyError' || code === 'idempotency_key_in_use'],
  ['unavailable', ({ type }) => type !== 'StripeInvalidRequestError'],
  ['not-found', ({ statusCode, code }) => statusCode === 404 || code === 'resource_missing'],
  ['invalid', () => true],
]

/** An expired authorization, which Stripe reports in two ways. */
const isExpiredAuthorization = ({ code, payment_intent }: StripeErrorFields): boolean =>
  code === 'charge_expired_for_capture' ||
  (code === 'payment_intent_unexpected_state' && payment_intent?.cancellation_reason === 'automatic')

/** True if the bank declined because the card holder must authenticate. */
export const requiresAuthentication = ({ code, decline_code }: StripeErrorFields): boolean =>
  code === 'authentication_required' || decline_code === 'authentication_required'

export function toPaymentsFailure(error: StripeErrorFields): PaymentsFailure {
  const [kind] = failure_rows.find(([, matches]) => matches(error))!
  // The SDK has an empty text if the bank gave no reason.
  const code = isExpiredAuthorization(error) ? 'capture_expired' : error.decline_code || error.code || null
  const intent = error.payment_intent?.id ?? null
  const message = kind === 'unavailable' ? 'The payment processor is not available.' : error.message
  return new PaymentsFailure(kind, message, { code, intent, cause: error })
}
