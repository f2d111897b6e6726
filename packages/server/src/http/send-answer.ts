import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Outcome } from '../engine/pipeline.ts'
import { packBody } from './pack-body.ts'

type Answer = Extract<Outcome, { form: 'response' }>['answer']

/** Sends bytes with their ETag rule, or lines and text as they come. */
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

/** True when the caller holds these very bytes already. */
export const isUnchanged = (reply: FastifyReply, etag: string | undefined): boolean =>
  etag !== undefined && matches(reply.request.headers['if-none-match'], etag)

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

const matches = (asked: string | undefined, etag: string): boolean =>
  asked !== undefined && asked.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
