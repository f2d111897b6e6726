import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../engine/problem.ts'
import { createLogger } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { sendStream } from './send-stream.ts'
import { readBodyBytes } from './bodies/read-body.ts'
import { createHttpServer } from './server.ts'

const highLimits: ConnectionLimits = { head_timeout_ms: 60_000, idle_timeout_ms: 60_000, max_connections: 100 }

async function withServer(
  limits: Partial<ConnectionLimits>,
  routes: (app: FastifyInstance) => void,
  work: (openSocket: () => Socket, app: FastifyInstance) => Promise<void>,
): Promise<void> {
  const log = createLogger({ level: 'silent' })
  const options = { trustProxy: false, log, metrics: createMetrics(), baseUrl: null }
  const app = createHttpServer({ ...options, connections: { ...highLimits, ...limits } })
  routes(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets: Socket[] = []
  try {
    await work(() => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => undefined)
      sockets.push(socket)
      return socket
    }, app)
  } finally {
    for (const socket of sockets) socket.destroy()
    await app.close()
  }
}

async function readAll(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  if (!socket.closed) await once(socket, 'close')
  return received
}

test('responds with 408 to request headers that do not end, and closes the connection', async () => {
  await withServer(
    { head_timeout_ms: 40 },
    () => undefined,
    async (openSocket) => {
      const socket = openSocket()
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      assert.match(await readAll(socket), /^HTTP\/1\.1 408 [^]*problems\/malformed/)
    },
  )
})

test('closes a connection on which nothing was sent without a response, which a browser would take for that to its next request', async () => {
  await withServer(
    { head_timeout_ms: 40 },
    () => undefined,
    async (openSocket) => assert.equal(await readAll(openSocket()), ''),
  )
})

test('closes the connection of a stalled request body, and its reader gets malformed', async () => {
  let resolveFailure = (_failure: unknown): void => {}
  const failed = new Promise<unknown>((resolve) => (resolveFailure = resolve))
  await withServer(
    { idle_timeout_ms: 40 },
    (app) => {
      app.post('/', (request) => readBodyBytes(request.raw, 1000, 100).catch(resolveFailure))
    },
    async (openSocket, app) => {
      const socket = openSocket()
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this')
      assert.equal(await readAll(socket), '')
      const failure = await failed
      assert.ok(failure instanceof Problem && failure.problem === 'malformed')
      // No timeout for a whole request, since large uploads take long.
      assert.equal(app.server.requestTimeout, 0)
    },
  )
})

test('closes the connection of a client that stops reading', async () => {
  let sent = 0
  let resolveFailure = (): void => {}
  const ended = new Promise<void>((resolve) => (resolveFailure = resolve))
  const endlessStream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) })
  await withServer(
    { idle_timeout_ms: 40 },
    (app) => {
      app.get('/', async (_request, reply) => {
        reply.hijack()
        reply.raw.writeHead(200)
        await sendStream(endlessStream(), reply.raw, (bytes, isEnd) => {
          sent += bytes
          if (isEnd) resolveFailure()
        })
      })
    },
    async (openSocket) => {
      const socket = openSocket()
      socket.pause()
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await ended
      assert.ok(sent < 100_000_000)
    },
  )
})

test('a call may take longer than the idle timeout', async () => {
  await withServer(
    { idle_timeout_ms: 40 },
    (app) => {
      app.get('/', async () => {
        for (let round = 0; round < 2; round++) await once(app.server, 'timeout')
        return { done: true }
      })
    },
    async (openSocket) => {
      const socket = openSocket()
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      assert.match(await readAll(socket), /\{"done":true\}/)
    },
  )
})

test('handles pipelined requests one after another, and closes a connection with too many waiting', async () => {
  let open_calls = 0
  let max_open_calls = 0
  let handled = 0
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  await withServer(
    {},
    (app) => {
      app.get('/', async () => {
        open_calls += 1
        max_open_calls = Math.max(max_open_calls, open_calls)
        await new Promise((resolve) => setImmediate(resolve))
        open_calls -= 1
        return { number: ++handled }
      })
    },
    async (openSocket) => {
      const patientSocket = openSocket()
      patientSocket.write(request.repeat(30) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
      const answers = [...(await readAll(patientSocket)).matchAll(/\{"number":(\d+)\}/g)].map(([, number]) =>
        Number(number),
      )
      assert.deepEqual(
        answers,
        Array.from({ length: 31 }, (_, index) => index + 1),
      )
      assert.equal(max_open_calls, 1)
      const floodingSocket = openSocket()
      floodingSocket.write(request.repeat(1000))
      await readAll(floodingSocket)
      assert.ok(handled < 40, `${handled} were handled`)
    },
  )
})

test('closes connections beyond max_connections', async () => {
  await withServer(
    { max_connections: 1 },
    (app) => {
      app.get('/', async () => ({}))
    },
    async (openSocket) => {
      const first = openSocket()
      first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(first, 'data')
      const second = openSocket()
      second.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.equal(await readAll(second), '')
      assert.equal(first.closed, false)
    },
  )
})

test('a server that closes waits for calls in progress, not for connections without a request', async () => {
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  await withServer(
    {},
    (app) => {
      app.get('/', async () => {
        await finished
        return 'finished'
      })
    },
    async (openSocket, app) => {
      const [unused, unfinishedHead, calling] = [openSocket(), openSocket(), openSocket()]
      unfinishedHead.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      const started = once(app.server, 'request')
      calling.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await started
      const response = readAll(calling)
      const closed = app.close()
      assert.deepEqual(await Promise.all([readAll(unused), readAll(unfinishedHead)]), ['', ''])
      finish()
      assert.match(await response, /^HTTP\/1\.1 200 [^]*finished$/)
      await closed
    },
  )
})
