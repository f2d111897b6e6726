import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../engine/problem.ts'
import type { Challenge, EmbeddedProcessor } from '../platform/outside/payments/embedded/embedded.ts'
import { PaymentsFailure, type Payments, type ProcessorEvent } from '../platform/outside/payments/payments.ts'
import { challengePage, challengePolicy } from './challenge-page.ts'
import { readBytes } from './read-body.ts'
import { bodyStream } from './server.ts'

export interface PaymentDoors {
  readonly payments: Payments
  /** Null with a real processor: its cards have challenge pages of their own. */
  readonly embedded: Pick<EmbeddedProcessor, 'findChallenge' | 'settleChallenge'> | null
  /** Handles a webhook event; if it rejects, the processor delivers the event again later. */
  readonly onEvent: (event: ProcessorEvent) => Promise<void>
}

const webhookPath = '/webhooks/payments'
const challengePath = '/processor/challenge'
const webhookLimit_bytes = 256 * 1024
const formLimit_bytes = 1024

/** The webhook of the payment processor, and the challenge page of the embedded one. No token: a signature or secret URL. */
export function paymentRoutes(app: FastifyInstance, doors: PaymentDoors): void {
  app.post(webhookPath, async (request, reply) => {
    const body = await bytesOf(request, webhookLimit_bytes)
    const event = await readEvent(doors.payments, body, headerOf(request, 'stripe-signature'))
    request.seen.set({ processor_event: event.id, processor_event_type: event.type })
    await doors.onEvent(event)
    return reply.header('cache-control', 'no-store').send({ received: true })
  })
  if (doors.embedded) challengeRoutes(app, doors.embedded)
}

function challengeRoutes(app: FastifyInstance, embedded: NonNullable<PaymentDoors['embedded']>): void {
  const path = `${challengePath}/:secret`
  app.get(path, async (request, reply) => show(reply, known(await embedded.findChallenge(secretOf(request)))))
  app.post(path, async (request, reply) => {
    const secret = secretOf(request)
    known(await embedded.findChallenge(secret))
    const form = new URLSearchParams((await bytesOf(request, formLimit_bytes)).toString())
    const answer = form.get('answer')
    if (answer !== 'complete' && answer !== 'fail') {
      throw new Problem('malformed', 'The form field "answer" must be "complete" or "fail".')
    }
    known(await embedded.settleChallenge(secret, answer))
    // Redirected to a GET, so that reloading the page does not repeat the POST.
    return reply.headers(discreet).redirect(`${challengePath}/${secret}`, 303)
  })
}

/** The URL has a secret, so the log gets the path without it. */
function secretOf(request: FastifyRequest): string {
  request.seen.set({ path: challengePath })
  return (request.params as { secret: string }).secret
}

function known(challenge: Challenge | null): Challenge {
  if (!challenge) throw new Problem('not-found', 'There is no such challenge.')
  return challenge
}

/** Not cached, and not sent on in a Referer header. */
const discreet = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const show = (reply: FastifyReply, challenge: Challenge): FastifyReply =>
  reply
    .headers({ ...discreet, 'content-security-policy': challengePolicy })
    .type('text/html; charset=utf-8')
    .send(challengePage(challenge))

async function bytesOf(request: FastifyRequest, limit_bytes: number): Promise<Buffer> {
  const stream = bodyStream(request)
  if (!stream) return Buffer.alloc(0)
  const announced = headerOf(request, 'content-length')
  return readBytes(stream, limit_bytes, announced === null ? null : Number(announced))
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

async function readEvent(payments: Payments, body: Uint8Array, signature: string | null): Promise<ProcessorEvent> {
  try {
    return await payments.readEvent(body, signature)
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    throw new Problem('malformed', error.message)
  }
}

/** Delivers events of the embedded processor through the same webhook route, with the same format and signature, as others. */
export function throughDoor(app: FastifyInstance): (body: Uint8Array, signature: string) => Promise<void> {
  return async (body, signature) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const { statusCode } = await app.inject({ method: 'POST', url: webhookPath, headers, payload: Buffer.from(body) })
    if (statusCode !== 200) throw new Error(`the webhook route responded with ${statusCode}`)
  }
}
