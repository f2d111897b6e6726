import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { createLogger } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createResponseBudget } from './response-budget.ts'
import { splitIntoChunks, toTextBody } from './send-text.ts'
import { createHttpServer } from './server.ts'

test('the chunks of a text are the same bytes as the whole', () => {
  const texts = ['', 'a', '😀'.repeat(400_000), `a${'😀'.repeat(200_000)}`, 'é'.repeat(262_144)]
  for (const pieces of [...texts.map((text) => [text]), texts]) {
    const portions = [...splitIntoChunks(pieces)]
    assert.equal(Buffer.concat(portions).toString('utf8'), pieces.join(''))
    assert.ok(portions.every((portion) => portion.length > 0 && portion.length <= 4 * 256 * 1024))
  }
})

const piece = 'x'.repeat(1024 * 1024)
const chunks_per_response = 40

test('streams large responses with backpressure and limits the bytes in flight', async () => {
  const budget = createResponseBudget({
    in_flight_limit_bytes: 50 * piece.length,
    in_flight_total_bytes: 100 * piece.length,
  })
  const log = createLogger({ level: 'silent' })
  const app = createHttpServer({
    trustProxy: false,
    log,
    metrics: createMetrics(),
    baseUrl: null,
    responseBudget: budget,
  })
  const chunks_made: number[] = []
  const closed: Promise<unknown>[] = []
  app.get('/:organization/:effect', (request, reply) => {
    const { organization, effect } = request.params as { organization: string; effect: string }
    request.callLog.set({ organization })
    closed.push(once(reply.raw, 'close'))
    const number = chunks_made.push(0) - 1
    const pieces = {
      length: chunks_per_response * piece.length,
      *[Symbol.iterator]() {
        for (; chunks_made[number]! < chunks_per_response; chunks_made[number]!++) yield piece
      },
    }
    return reply.type('application/json').send(toTextBody(reply, pieces, effect === 'read'))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets: Socket[] = []
  /** Sends a request, reads the head of the response and nothing more. */
  const sendRequest = async (path: string): Promise<{ socket: Socket; head: string }> => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'readable')
    return { socket, head: String(socket.read(500)) }
  }
  try {
    const first = await sendRequest('/a/read')
    assert.match(first.head, /^HTTP\/1\.1 200 /)
    const second = await sendRequest('/a/read')
    assert.match(second.head, /^HTTP\/1\.1 429 [^]*retry-after: 5\r\n/)
    // Responses of other than reads are not rejected; other organizations have limits of their own, within the total.
    assert.match((await sendRequest('/a/compute')).head, /^HTTP\/1\.1 200 /)
    assert.match((await sendRequest('/b/read')).head, /^HTTP\/1\.1 429 /)
    const [ended] = closed
    first.socket.destroy()
    await ended
    assert.match((await sendRequest('/b/read')).head, /^HTTP\/1\.1 200 /)
    // No client has read on: of each response only as much was produced as the network buffers.
    assert.ok(chunks_made.every((count) => count < chunks_per_response))
  } finally {
    for (const socket of sockets) socket.destroy()
    await app.close()
  }
})

test('a sent response is no longer counted, and a single response may have any size', async () => {
  const log = createLogger({ level: 'silent' })
  const responseBudget = createResponseBudget({ in_flight_limit_bytes: 10, in_flight_total_bytes: 10 })
  const app = createHttpServer({ trustProxy: false, log, metrics: createMetrics(), baseUrl: null, responseBudget })
  app.get('/', (_request, reply) => reply.send(toTextBody(reply, piece, true)))
  for (let round = 0; round < 3; round++) {
    const { statusCode, payload } = await app.inject('/')
    assert.equal(statusCode, 200)
    assert.equal(payload.length, piece.length)
  }
  await app.close()
})
