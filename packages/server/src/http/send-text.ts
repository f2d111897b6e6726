import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { TextChunks } from '../engine/operation-response.ts'
import { reserveResponseBytes } from './response-budget.ts'

/** Smaller texts are joined with the headers and encoded together; of larger ones this would make two more copies. */
const min_encoded_characters = 16 * 1024
/** Smaller texts are not counted against the response budget, and sent whole. */
const min_counted_characters = 64 * 1024
/** Larger texts are streamed with backpressure. */
const min_streamed_characters = 1024 * 1024
const chunk_characters = 256 * 1024

/** The body of a text response: whole if short, else a stream. Throws `rate-limited` if a read exceeds the response budget. */
export function toTextBody(
  reply: FastifyReply,
  text: string | TextChunks,
  canRefuse: boolean,
): string | Buffer | Readable {
  if (text.length < min_encoded_characters && typeof text === 'string') return text
  if (text.length < min_counted_characters && typeof text === 'string') return Buffer.from(text)
  reserveResponseBytes(reply.request, reply, text.length, canRefuse)
  if (typeof text === 'string' && text.length < min_streamed_characters) return Buffer.from(text)
  return Readable.from(splitIntoChunks(typeof text === 'string' ? [text] : text), { objectMode: false })
}

/** Encodes a text as UTF-8 in chunks of similar size, lazily. */
export function* splitIntoChunks(pieces: Iterable<string>): Generator<Buffer> {
  let buffered = ''
  for (const piece of pieces) {
    buffered += piece
    let start = 0
    while (buffered.length - start > chunk_characters) {
      const end = start + chunk_characters
      // A surrogate pair is not split.
      const chunkEnd = isHighSurrogate(buffered.charCodeAt(end - 1)) ? end - 1 : end
      yield Buffer.from(buffered.slice(start, chunkEnd))
      start = chunkEnd
    }
    if (start > 0) buffered = buffered.slice(start)
  }
  if (buffered !== '') yield Buffer.from(buffered)
}

const isHighSurrogate = (codeUnit: number): boolean => codeUnit >= 0xd800 && codeUnit <= 0xdbff
