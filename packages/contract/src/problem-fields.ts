import Type, { type TSchema } from 'typebox'
import type { ProblemName } from './problems.ts'
import { RequiredEula } from './schemas/eula.ts'
import { Nullable, Timestamp, WithDescription } from './schemas/primitives.ts'

const retryAfter = {
  retry_after_s: Type.Number({ description: 'Seconds until the call may succeed, as in `Retry-After`.' }),
}

/**
 * The fields of a problem document besides those of all (`type`, `title`, `status`, `detail`, `errors`, `trace_id`), by problem.
 * A document may lack any of them.
 */
export const problemFields: Partial<Record<ProblemName, Readonly<Record<string, TSchema>>>> = {
  'insufficient-scope': {
    required_scope: Type.String({ description: 'The scope that the token or the key lacks.' }),
  },
  'method-not-allowed': { allowed: Type.String({ description: 'The methods of the URL, as in `Allow`.' }) },
  'unsupported-media-type': {
    accept_encoding: Type.String({ description: 'The encodings that are read, as in `Accept-Encoding`.' }),
  },
  'insufficient-credits': {
    required_credits: Type.Integer({ description: 'What the call would hold.' }),
    available_credits: Type.Integer({ description: 'What the organization has.' }),
  },
  'payment-declined': {
    decline_code: Nullable(Type.String(), { description: 'The reason in the words of the payment processor.' }),
  },
  'payment-action-required': {
    client_secret: Type.String({ description: 'Completes the 3-D Secure challenge with the payment processor.' }),
    payment_intent_id: Type.String({ description: 'The payment at the processor.' }),
    challenge_url: Nullable(Type.String(), { description: 'The page of the challenge, if there is one.' }),
  },
  'past-due': { past_due_since: WithDescription('When the payment was due.', Timestamp) },
  'spend-limit-exceeded': {
    limit: Type.Integer({ description: 'The limit, in credits.' }),
    window_used: Type.Integer({ description: 'Credits that count towards the limit now.' }),
    requested: Nullable(Type.Integer(), {
      description: 'Credits of the call; null for a setting that would spend repeatedly.',
    }),
    frees_at: Nullable(Timestamp, { description: 'When the limit allows the call, if nothing else is spent.' }),
  },
  'eula-not-accepted': {
    eulas: Type.Array(RequiredEula, { description: 'The agreements that have to be accepted.' }),
  },
  'precondition-failed': { etag: Type.String({ description: 'The present `ETag`.' }) },
  'invalid-state': {
    open: Type.Integer({ description: 'How many things of the resource are still open.' }),
    readers: Type.Integer({ description: 'How many jobs read the resource.' }),
    refundable_credits: Type.Integer({ description: 'What can still be refunded.' }),
  },
  'idempotency-in-flight': retryAfter,
  'rate-limited': {
    ...retryAfter,
    'violated-policies': Type.Array(Type.String(), {
      description: 'The policies of `RateLimit-Policy` that refused it.',
    }),
  },
  'quota-exceeded': retryAfter,
  'download-cap': retryAfter,
  'bandwidth-breaker': {
    ...retryAfter,
    limit_bytes: Type.Integer({ description: 'Bytes that may be sent per day.' }),
    sent_bytes: Type.Integer({ description: 'Bytes that were sent today.' }),
  },
  unavailable: retryAfter,
}
