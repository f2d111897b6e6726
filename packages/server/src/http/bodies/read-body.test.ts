import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Problem } from '../../engine/problem.ts'
import type { FastifyRequest } from 'fastify'
import { createLogger } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { readBodyBytes, parseJsonBody } from './read-body.ts'
import { createHttpServer } from '../server.ts'

const problem = (name: string) => (error: unknown) => error instanceof Problem && error.problem === name
const text = (words: string): Uint8Array => new TextEncoder().encode(words)

test('reads a body to its end, in any number of chunks', async () => {
  for (const pieces of [['{"a":1}'], ['{"a', '":1', '}'], []]) {
    const bytes = await readBodyBytes(Readable.from(pieces.map((piece) => Buffer.from(piece))), 100, null)
    assert.equal(bytes.toString(), pieces.join(''))
  }
})

test('rejects a body beyond the limit, by Content-Length or while reading, and stops reading it', async () => {
  const endlessStream = (): Readable =>
    new Readable({
      read() {
        this.push(Buffer.alloc(100_000))
      },
    })
  for (const content_length of [null, 10_001]) {
    const stream = endlessStream()
    await assert.rejects(readBodyBytes(stream, 10_000, content_length), problem('too-large'))
    if (!stream.closed) await once(stream, 'close')
    assert.ok(stream.destroyed)
  }
  assert.equal((await readBodyBytes(Readable.from([Buffer.alloc(10)]), 10, 10)).length, 10)
})

test('a connection serves the next request after a body that was too large, with or without Content-Length', async () => {
  const app = createHttpServer({
    trustProxy: false,
    log: createLogger({ level: 'silent' }),
    metrics: createMetrics(),
    baseUrl: null,
  })
  const readSize = async (request: FastifyRequest): Promise<{ size: number }> => {
    const content_length = Number(request.headers['content-length'] ?? 0)
    return { size: (await readBodyBytes(request.raw, 1000, content_length || null)).length }
  }
  app.post('/', (request) => readSize(request))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  try {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\n'
    const large = 'x'.repeat(500_000)
    socket.write(`${head}Content-Length: 500000\r\n\r\n${large}`)
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`)
    socket.write(`${head}Content-Length: 3\r\n\r\nabc`)
    let received = ''
    for await (const part of socket) {
      received += String(part)
      if (received.includes('{"size":3}')) break
    }
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 413', 'HTTP/1.1 200'])
  } finally {
    socket.destroy()
    await app.close()
  }
})

test('an incomplete body is malformed', async () => {
  const broken = new Readable({ read() {} })
  broken.push(Buffer.from('{"a"'))
  const reading = readBodyBytes(broken, 100, null)
  broken.destroy()
  await assert.rejects(reading, problem('malformed'))
})

test('an empty body is undefined, and invalid UTF-8 is malformed', () => {
  assert.equal(parseJsonBody(new Uint8Array(0)), undefined)
  assert.deepEqual(parseJsonBody(text('{"a":"ä€😀"}')), { a: 'ä€😀' })
  for (const bytes of [
    [0xff, 0xfe],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    assert.throws(() => parseJsonBody(new Uint8Array(bytes)), problem('malformed'))
  }
})
