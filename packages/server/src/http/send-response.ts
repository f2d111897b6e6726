import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ifNoneMatchIncludes } from '../engine/entity-tag.ts'
import type { CallResult } from '../engine/pipeline/call-result.ts'
import { viewAsBuffer } from './view-bytes.ts'

type DirectResponse = Extract<CallResult, { kind: 'response' }>['response']

/** Sends bytes, or 304 if their ETag matches; streams NDJSON and text. */
export function sendResponse(reply: FastifyReply, response: DirectResponse): FastifyReply {
  if (response.kind === 'ndjson') return sendText(reply, toNdjsonLines(response.values), 'application/x-ndjson')
  if (response.kind === 'text') return sendText(reply, response.chunks, response.media_type)
  reply.headers(response.headers)
  if (isNotModified(reply, response.headers['etag'])) return reply.code(304).send()
  return reply.type(response.media_type).send(viewAsBuffer(response.body))
}

/** Proxies must not hold back a response that is sent as it is produced. */
const unbuffered = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

const sendText = (reply: FastifyReply, pieces: AsyncIterable<string>, media_type: string): FastifyReply =>
  reply
    .headers(media_type === 'text/event-stream' ? unbuffered : {})
    .type(`${media_type}; charset=utf-8`)
    .send(Readable.from(pieces, { objectMode: false }))

async function* toNdjsonLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}

/** True if the client has this representation already, by its `If-None-Match` header. */
export const isNotModified = (reply: FastifyReply, etag: string | undefined): boolean =>
  etag !== undefined && ifNoneMatchIncludes(reply.request.headers['if-none-match'], etag)
