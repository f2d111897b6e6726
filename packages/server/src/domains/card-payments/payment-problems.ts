import { Problem } from '../../engine/problem.ts'
import { PaymentsFailure, type PaymentIntent } from '../../platform/integrations/payments/payments.ts'

/** True if the processor rejected the request definitively and charged nothing; other failures may have charged. */
export const isPaymentProcessorRejection = (error: unknown): error is PaymentsFailure =>
  error instanceof PaymentsFailure &&
  (error.kind === 'declined' || error.kind === 'not-found' || error.kind === 'invalid')

/** Converts a failure of the processor to a problem; other errors are internal and are returned unchanged. */
export function toPaymentProblem(error: unknown): unknown {
  if (!(error instanceof PaymentsFailure)) return error
  if (error.kind === 'declined') return createPaymentDeclinedProblem(error.code)
  if (error.kind === 'not-found')
    return new Problem('payment-declined', 'The payment processor does not know the card.')
  if (error.kind === 'invalid') {
    return new Problem('payment-declined', 'The payment processor rejected the request.', { decline_code: error.code })
  }
  return new Problem(
    'upstream',
    'The payment processor did not return a usable response. Retry the request with the same Idempotency-Key.',
  )
}

/** Awaits a response of the processor and throws its failures as problems. */
export async function withPaymentProblems<T>(response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    throw toPaymentProblem(error)
  }
}

export const createPaymentDeclinedProblem = (code: string | null): Problem =>
  new Problem('payment-declined', 'The card was declined.', { decline_code: code })

/** The bank requires 3-D Secure: what the client needs to continue. `baseUrl` completes a relative URL. */
export function createPaymentActionRequiredProblem(intent: PaymentIntent, baseUrl: string): Problem {
  const { challenge_url } = intent
  return new Problem(
    'payment-action-required',
    'The card requires 3-D Secure. Complete the challenge, then retry the request with the same Idempotency-Key.',
    {
      client_secret: intent.client_secret,
      payment_intent_id: intent.id,
      challenge_url: challenge_url?.startsWith('/') ? `${baseUrl}${challenge_url}` : challenge_url,
    },
  )
}
