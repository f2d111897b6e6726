import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { batchSocketWrites } from './batch-writes.ts'

let server: Server
let port: number
/** Per write to a connection of the server: how many responses had ended before it. */
const endedBefore: number[] = []
let ended = 0

before(async () => {
  server = createServer(async (request, response) => {
    if (request.url === '/pieces') {
      for (const piece of ['a', 'b', 'c']) response.write(piece.repeat(100_000))
      await new Promise((resolve) => setTimeout(resolve, 5))
      response.write('d')
    }
    response.end(request.url)
    ended++
  })
  batchSocketWrites(server)
  server.on('connection', (socket: Socket) => {
    const write = socket._write.bind(socket)
    socket._write = (...writeArguments) => {
      endedBefore.push(ended)
      write(...writeArguments)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => server.close())

test('responses of one event loop turn are written after the last of them has ended', async () => {
  const sockets = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }),
  )
  await new Promise((resolve) => setImmediate(resolve))
  endedBefore.length = 0
  ended = 0
  // Pipelined requests of one connection always arrive in one turn; those of other connections mostly do.
  const answers = sockets.map((socket) => once(socket, 'data'))
  sockets[0]!.write('GET /1 HTTP/1.1\r\nhost: a\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n')
  for (const socket of sockets.slice(1)) socket.write('GET /x HTTP/1.1\r\nhost: a\r\n\r\n')
  await Promise.all(answers)
  assert.ok(endedBefore[0]! >= 2, `the first write came after ${endedBefore[0]} responses`)
  for (const socket of sockets) socket.destroy()
})

test('chunked responses arrive complete, one after another and with the connection closed after them', async () => {
  const get = (path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      send({ port, host: '127.0.0.1', path, headers }, resolve).on('error', reject).end()
    })
  const expectedBody = `${['a', 'b', 'c'].map((piece) => piece.repeat(100_000)).join('')}d/pieces`
  for (const connection of ['keep-alive', 'close']) {
    assert.equal(await text(await get('/pieces', { connection })), expectedBody)
    assert.equal(await text(await get('/one', { connection })), '/one')
  }
})
