import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '@swath/contract/operation.ts'
import { perform, type Outcome, type Steps } from '../engine/pipeline.ts'
import { parseJson, readBytes } from './read-body.ts'
import { baseOf, bodyStream, goneSignal } from './server.ts'
import { sendAnswer } from './send-answer.ts'

/** What every door holds: the one pipeline, and the limits of a body. */
export interface Doors {
  readonly steps: Steps
  readonly baseUrl: string | null
  readonly body_limit_bytes: number
}

/** The input of a call, read when the pipeline asks for it. */
export type InputReader = (operation: Operation) => Promise<unknown>

/** Takes one request through the pipeline. */
export function enter(
  doors: Doors,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  readBody: InputReader,
): Promise<Outcome> {
  return perform(doors.steps, {
    operation,
    credentials: {
      authorization: request.headers.authorization ?? null,
      apiKey: headerOf(request, 'x-api-key'),
      get address() {
        return request.ip
      },
    },
    readBody,
    idempotencyKey: headerOf(request, 'idempotency-key'),
    get baseUrl() {
      return baseOf(request, doors.baseUrl)
    },
    requestId: request.id,
    get signal() {
      return goneSignal(request, reply)
    },
    log: request.seen,
  })
}

const headerOf = (request: FastifyRequest, name: string): string | null => {
  const value = request.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** Reads the JSON body of a request. */
export async function bodyOf(doors: Doors, request: FastifyRequest): Promise<unknown> {
  const stream = bodyStream(request)
  if (!stream) return undefined
  const announced = request.headers['content-length']
  const bytes = await readBytes(stream, doors.body_limit_bytes, announced === undefined ? null : Number(announced))
  return parseJson(bytes)
}

/** Sends what an operation answered, as it is. */
export function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.form === 'answer') return sendAnswer(reply, outcome.answer)
  if (outcome.replayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(outcome.status)
    .type(`${outcome.operation.media_type}; charset=utf-8`)
    .send(outcome.text ?? JSON.stringify(outcome.output))
}
