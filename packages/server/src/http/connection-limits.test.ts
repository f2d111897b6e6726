import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../engine/problem.ts'
import { openLog } from '../platform/log.ts'
import { openMetrics } from '../platform/metrics.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { pour } from './pour.ts'
import { readBytes } from './read-body.ts'
import { openServer } from './server.ts'

const generous: ConnectionLimits = { head_timeout_ms: 60_000, idle_timeout_ms: 60_000, max_connections: 100 }

async function withServer(
  limits: Partial<ConnectionLimits>,
  routes: (app: FastifyInstance) => void,
  work: (open: () => Socket, app: FastifyInstance) => Promise<void>,
): Promise<void> {
  const log = openLog({ level: 'silent' })
  const options = { trustProxy: false, log, metrics: openMetrics(), baseUrl: null }
  const app = openServer({ ...options, connections: { ...generous, ...limits } })
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

async function allOf(socket: Socket): Promise<string> {
  let said = ''
  socket.on('data', (chunk) => (said += String(chunk)))
  if (!socket.closed) await once(socket, 'close')
  return said
}

test('responds with 400 to request headers that do not end, and closes the connection', async () => {
  await withServer(
    { head_timeout_ms: 40 },
    () => undefined,
    async (open) => {
      const socket = open()
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      assert.match(await allOf(socket), /^HTTP\/1\.1 400 [^]*problems\/malformed/)
    },
  )
})

test('closes the connection of a stalled request body, and its reader gets malformed', async () => {
  let tell = (_failure: unknown): void => {}
  const failed = new Promise<unknown>((resolve) => (tell = resolve))
  await withServer(
    { idle_timeout_ms: 40 },
    (app) => {
      app.post('/', (request) => readBytes(request.raw, 1000, 100).catch(tell))
    },
    async (open, app) => {
      const socket = open()
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this')
      assert.equal(await allOf(socket), '')
      const failure = await failed
      assert.ok(failure instanceof Problem && failure.problem === 'malformed')
      // No timeout for a whole request, since large uploads take long.
      assert.equal(app.server.requestTimeout, 0)
    },
  )
})

test('closes the connection of a client that stops reading', async () => {
  let sent = 0
  let tell = (): void => {}
  const ended = new Promise<void>((resolve) => (tell = resolve))
  const endless = (): ReadableStream<Uint8Array> =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) })
  await withServer(
    { idle_timeout_ms: 40 },
    (app) => {
      app.get('/', async (_request, reply) => {
        reply.hijack()
        reply.raw.writeHead(200)
        await pour(endless(), reply.raw, (bytes, isEnd) => {
          sent += bytes
          if (isEnd) tell()
        })
      })
    },
    async (open) => {
      const socket = open()
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
    async (open) => {
      const socket = open()
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      assert.match(await allOf(socket), /\{"done":true\}/)
    },
  )
})

test('handles pipelined requests one after another, and closes a connection with too many waiting', async () => {
  let open_calls = 0
  let most_open = 0
  let handled = 0
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  await withServer(
    {},
    (app) => {
      app.get('/', async () => {
        open_calls += 1
        most_open = Math.max(most_open, open_calls)
        await new Promise((resolve) => setImmediate(resolve))
        open_calls -= 1
        return { number: ++handled }
      })
    },
    async (open) => {
      const patient = open()
      patient.write(request.repeat(30) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
      const answers = [...(await allOf(patient)).matchAll(/\{"number":(\d+)\}/g)].map(([, number]) => Number(number))
      assert.deepEqual(
        answers,
        Array.from({ length: 31 }, (_, index) => index + 1),
      )
      assert.equal(most_open, 1)
      const flooding = open()
      flooding.write(request.repeat(1000))
      await allOf(flooding)
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
    async (open) => {
      const first = open()
      first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(first, 'data')
      const second = open()
      second.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.equal(await allOf(second), '')
      assert.equal(first.closed, false)
    },
  )
})
