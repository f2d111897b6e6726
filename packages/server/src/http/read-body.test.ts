import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Problem } from '../engine/problem.ts'
import type { FastifyRequest } from 'fastify'
import { openLog } from '../platform/log.ts'
import { openMetrics } from '../platform/metrics.ts'
import { readBytes, readJson } from './read-body.ts'
import { openServer } from './server.ts'

const problem = (name: string) => (error: unknown) => error instanceof Problem && error.problem === name
const text = (words: string): Uint8Array => new TextEncoder().encode(words)

test('reads a body to its end, in any number of chunks', async () => {
  for (const pieces of [['{"a":1}'], ['{"a', '":1', '}'], []]) {
    const bytes = await readBytes(Readable.from(pieces.map((piece) => Buffer.from(piece))), 100, null)
    assert.equal(bytes.toString(), pieces.join(''))
  }
})

test('rejects a body beyond the limit, by Content-Length or while reading, and stops reading it', async () => {
  const endless = (): Readable =>
    new Readable({
      read() {
        this.push(Buffer.alloc(100_000))
      },
    })
  for (const announced of [null, 10_001]) {
    const stream = endless()
    await assert.rejects(readBytes(stream, 10_000, announced), problem('too-large'))
    if (!stream.closed) await once(stream, 'close')
    assert.ok(stream.destroyed)
  }
  assert.equal((await readBytes(Readable.from([Buffer.alloc(10)]), 10, 10)).length, 10)
})

test('a connection serves the next request after a body that was too large, with or without Content-Length', async () => {
  const app = openServer({
    trustProxy: false,
    log: openLog({ level: 'silent' }),
    metrics: openMetrics(),
    baseUrl: null,
  })
  const answer = async (request: FastifyRequest): Promise<{ size: number }> => {
    const announced = Number(request.headers['content-length'] ?? 0)
    return { size: (await readBytes(request.raw, 1000, announced || null)).length }
  }
  app.post('/', (request) => answer(request))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  try {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\n'
    const large = 'x'.repeat(500_000)
    socket.write(`${head}Content-Length: 500000\r\n\r\n${large}`)
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`)
    socket.write(`${head}Content-Length: 3\r\n\r\nabc`)
    let said = ''
    for await (const part of socket) {
      said += String(part)
      if (said.includes('{"size":3}')) break
    }
    assert.deepEqual(said.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 413', 'HTTP/1.1 200'])
  } finally {
    socket.destroy()
    await app.close()
  }
})

test('an incomplete body is malformed', async () => {
  const broken = new Readable({ read() {} })
  broken.push(Buffer.from('{"a"'))
  const reading = readBytes(broken, 100, null)
  broken.destroy()
  await assert.rejects(reading, problem('malformed'))
})

test('an empty body is undefined, and invalid UTF-8 is malformed', () => {
  assert.equal(readJson(new Uint8Array(0)), undefined)
  assert.deepEqual(readJson(text('{"a":"ä€😀"}')), { a: 'ä€😀' })
  for (const bytes of [
    [0xff, 0xfe],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    assert.throws(() => readJson(new Uint8Array(bytes)), problem('malformed'))
  }
})
