import { Problem } from '../../../engine/problem.ts'
import { PaymentsFailure, type Intent } from '../../../platform/outside/payments/payments.ts'

/** True where the processor has decided, and nothing was charged; after any other failure it may have been. */
export const isRefusal = (error: unknown): error is PaymentsFailure =>
  error instanceof PaymentsFailure &&
  (error.kind === 'declined' || error.kind === 'not-found' || error.kind === 'invalid')

/** What a caller is told of a processor's failure; anything else is a fault of ours and stays what it is. */
export function paymentProblem(error: unknown): unknown {
  if (!(error instanceof PaymentsFailure)) return error
  if (error.kind === 'declined') return declined(error.code)
  if (error.kind === 'not-found') return new Problem('payment-declined', 'The processor does not know the card.')
  if (error.kind === 'invalid') {
    return new Problem('payment-declined', 'The processor does not accept that.', { decline_code: error.code })
  }
  return new Problem('upstream', 'The payment processor gave no usable answer. Send the call again with its key.')
}

/** An answer of the processor, its failures as the caller is told them. */
export async function processorAnswer<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw paymentProblem(error)
  }
}

export const declined = (code: string | null): Problem =>
  new Problem('payment-declined', 'The card was declined.', { decline_code: code })

/** The card's bank wants to see its holder: what the client needs to go on. `baseUrl` completes an address of ours. */
export function actionRequired(intent: Intent, baseUrl: string): Problem {
  const { challenge_url } = intent
  return new Problem(
    'payment-action-required',
    'The card asks for 3-D Secure. Complete the challenge, then send the same call again with the same Idempotency-Key.',
    {
      client_secret: intent.client_secret,
      payment_intent_id: intent.id,
      challenge_url: challenge_url?.startsWith('/') ? `${baseUrl}${challenge_url}` : challenge_url,
    },
  )
}
