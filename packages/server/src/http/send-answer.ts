import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { holdsTag } from '../engine/held-tag.ts'
import type { Outcome } from '../engine/pipeline.ts'
import { packBody } from './pack-body.ts'

type Answer = Extract<Outcome, { form: 'response' }>['answer']

/** Sends bytes, or 304 if their ETag matches; streams NDJSON and text. */
export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.form === 'ndjson') return sendText(reply, textLines(answer.lines), 'application/x-ndjson')
  if (answer.form === 'text') return sendText(reply, answer.pieces, answer.media_type)
  reply.headers(answer.headers)
  if (isUnchanged(reply, answer.headers['etag'])) return reply.code(304).send()
  const { buffer, byteOffset, byteLength } = answer.body
  const body = Buffer.from(buffer, byteOffset, byteLength)
  return reply.type(answer.media_type).send(packBody(reply, body, answer.media_type))
}

const sendText = (reply: FastifyReply, pieces: AsyncIterable<string>, media_type: string): FastifyReply =>
  reply.type(`${media_type}; charset=utf-8`).send(Readable.from(pieces, { objectMode: false }))

async function* textLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}

/** True if the client has this representation already, by its `If-None-Match` header. */
export const isUnchanged = (reply: FastifyReply, etag: string | undefined): boolean =>
  etag !== undefined && holdsTag(reply.request.headers['if-none-match'], etag)
