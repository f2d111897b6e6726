import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../engine/problem.ts'
import type {
  CardAuthenticationChallenge,
  EmbeddedPaymentProcessor,
} from '../../platform/integrations/payments/embedded/embedded.ts'
import {
  PaymentsFailure,
  type PaymentProcessor,
  type PaymentProcessorEvent,
} from '../../platform/integrations/payments/payments.ts'
import { renderChallengePage, challengeContentSecurityPolicy } from '../pages/challenge-page.ts'
import { readBodyBytes } from '../bodies/read-body.ts'
import { getBodyStream } from '../server.ts'

export interface PaymentRouteOptions {
  readonly payments: PaymentProcessor
  /** Null with a real processor: its cards have challenge pages of their own. */
  readonly embedded: Pick<EmbeddedPaymentProcessor, 'findChallenge' | 'settleChallenge'> | null
  /** Handles a webhook event; if it rejects, the processor delivers the event again later. */
  readonly onEvent: (event: PaymentProcessorEvent) => Promise<void>
}

const webhookPath = '/webhooks/payments'
const challengePath = '/processor/challenge'
const max_webhook_bytes = 256 * 1024
const max_form_bytes = 1024

/** The webhook of the payment processor, and the challenge page of the embedded one. No token: a signature or secret URL. */
export function registerPaymentRoutes(app: FastifyInstance, options: PaymentRouteOptions): void {
  app.post(webhookPath, async (request, reply) => {
    const body = await readRequestBody(request, max_webhook_bytes)
    const event = await readWebhookEvent(options.payments, body, getSingleHeader(request, 'stripe-signature'))
    request.callLog.set({ processor_event: event.id, processor_event_type: event.type })
    await options.onEvent(event)
    return reply.header('cache-control', 'no-store').send({ received: true })
  })
  if (options.embedded) registerChallengeRoutes(app, options.embedded)
}

function registerChallengeRoutes(app: FastifyInstance, embedded: NonNullable<PaymentRouteOptions['embedded']>): void {
  const path = `${challengePath}/:secret`
  app.get(path, async (request, reply) =>
    sendChallengePage(reply, requireChallenge(await embedded.findChallenge(secretOf(request)))),
  )
  app.post(path, async (request, reply) => {
    const secret = secretOf(request)
    requireChallenge(await embedded.findChallenge(secret))
    const form = new URLSearchParams((await readRequestBody(request, max_form_bytes)).toString())
    const answer = form.get('answer')
    if (answer !== 'complete' && answer !== 'fail') {
      throw new Problem('malformed', 'The form field "answer" must be "complete" or "fail".')
    }
    requireChallenge(await embedded.settleChallenge(secret, answer))
    // Redirected to a GET, so that reloading the page does not repeat the POST.
    return reply.headers(privateHeaders).redirect(`${challengePath}/${secret}`, 303)
  })
}

/** The URL has a secret, so the log gets the path without it. */
function secretOf(request: FastifyRequest): string {
  request.callLog.set({ path: challengePath })
  return (request.params as { secret: string }).secret
}

function requireChallenge(challenge: CardAuthenticationChallenge | null): CardAuthenticationChallenge {
  if (!challenge) throw new Problem('not-found', 'There is no such challenge.')
  return challenge
}

/** Not cached, and not sent on in a Referer header. */
const privateHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const sendChallengePage = (reply: FastifyReply, challenge: CardAuthenticationChallenge): FastifyReply =>
  reply
    .headers({ ...privateHeaders, 'content-security-policy': challengeContentSecurityPolicy })
    .type('text/html; charset=utf-8')
    .send(renderChallengePage(challenge))

async function readRequestBody(request: FastifyRequest, limit_bytes: number): Promise<Buffer> {
  const stream = getBodyStream(request)
  if (!stream) return Buffer.alloc(0)
  const content_length = getSingleHeader(request, 'content-length')
  return readBodyBytes(stream, limit_bytes, content_length === null ? null : Number(content_length))
}

function getSingleHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

async function readWebhookEvent(
  payments: PaymentProcessor,
  body: Uint8Array,
  signature: string | null,
): Promise<PaymentProcessorEvent> {
  try {
    return await payments.readEvent(body, signature)
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    throw new Problem('malformed', error.message)
  }
}

/** Delivers events of the embedded processor through the same webhook route, with the same format and signature, as others. */
export function createPaymentWebhookSender(
  app: FastifyInstance,
): (body: Uint8Array, signature: string) => Promise<void> {
  return async (body, signature) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const { statusCode } = await app.inject({ method: 'POST', url: webhookPath, headers, payload: Buffer.from(body) })
    if (statusCode !== 200) throw new Error(`the webhook route responded with ${statusCode}`)
  }
}
