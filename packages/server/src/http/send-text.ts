import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Pieces } from '../engine/answer.ts'
import { holdBytes } from './response-budget.ts'

/** Smaller texts are not counted against the response budget, and sent whole. */
const counted_characters = 64 * 1024
/** Larger texts are streamed with backpressure. */
const streamed_characters = 1024 * 1024
const portion_characters = 256 * 1024

/** The body of a text response: whole if short, else a stream. Throws `rate-limited` if a read exceeds the response budget. */
export function textBody(reply: FastifyReply, text: string | Pieces, mayRefuse: boolean): string | Readable {
  if (text.length < counted_characters && typeof text === 'string') return text
  holdBytes(reply.request, reply, text.length, mayRefuse)
  if (typeof text === 'string' && text.length < streamed_characters) return text
  return Readable.from(portionsOf(typeof text === 'string' ? [text] : text), { objectMode: false })
}

/** Encodes a text as UTF-8 in chunks of similar size, lazily. */
export function* portionsOf(pieces: Iterable<string>): Generator<Buffer> {
  let waiting = ''
  for (const piece of pieces) {
    waiting += piece
    let start = 0
    while (waiting.length - start > portion_characters) {
      const end = start + portion_characters
      // A surrogate pair is not split.
      const whole = isLead(waiting.charCodeAt(end - 1)) ? end - 1 : end
      yield Buffer.from(waiting.slice(start, whole))
      start = whole
    }
    if (start > 0) waiting = waiting.slice(start)
  }
  if (waiting !== '') yield Buffer.from(waiting)
}

const isLead = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
