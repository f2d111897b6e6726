import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { openTcpProxy } from './tcp-proxy.ts'

/** A server that returns every chunk in upper case. */
const server = createServer((socket) => {
  socket.on('data', (piece) => socket.write(piece.toString().toUpperCase()))
  socket.on('error', () => {})
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const proxy = await openTcpProxy((server.address() as { port: number }).port)
after(async () => {
  await proxy.close()
  server.close()
})

async function dial(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function exchange(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const [piece] = (await once(socket, 'data')) as [Buffer]
  return piece.toString()
}

const endOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    socket.on('close', () => resolve('closed'))
  })

test('bytes held by `hang` arrive after `pass`', async () => {
  const [old, idle] = [await dial(), await dial()]
  assert.equal(await exchange(old, 'before'), 'BEFORE')
  await proxy.set({ kind: 'hang' })
  const delayedResponse = exchange(old, 'during')
  const second = await dial()
  const secondDelayedResponse = exchange(second, 'new')
  let arrived = false
  void Promise.race([delayedResponse, secondDelayedResponse]).then(() => (arrived = true))
  // Enough event loop turns for a chunk to arrive if nothing held it.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(arrived, false)
  await proxy.set({ kind: 'pass' })
  assert.deepEqual(
    [await delayedResponse, await secondDelayedResponse, await exchange(idle, 'after')],
    ['DURING', 'NEW', 'AFTER'],
  )
  for (const socket of [old, idle, second]) socket.destroy()
})

test('`slow` delays chunks and keeps their order', async () => {
  await proxy.set({ kind: 'slow', delay_ms: 5 })
  const socket = await dial()
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  for (const letter of ['a', 'b', 'c']) {
    socket.write(letter)
    await new Promise((resolve) => setImmediate(resolve))
  }
  while (text.length < 3) await once(socket, 'data')
  assert.equal(text, 'ABC')
  socket.destroy()
})

test('connections are reset, answered with fixed bytes, refused, and pass again on the same port', async () => {
  await proxy.set({ kind: 'pass' })
  const open = await dial()
  assert.equal(await exchange(open, 'a'), 'A')
  const end = endOf(open)
  await proxy.set({ kind: 'reset' })
  assert.equal(await end, 'ECONNRESET')
  assert.match(await endOf(connect(proxy.port, '127.0.0.1')), /ECONNRESET|closed/)
  await proxy.set({ kind: 'answer', bytes: 'busy' })
  assert.equal(await exchange(await dial(), 'anything'), 'busy')
  await proxy.set({ kind: 'refuse' })
  assert.equal(await endOf(connect(proxy.port, '127.0.0.1')), 'ECONNREFUSED')
  await proxy.set({ kind: 'pass' })
  const reconnected = await dial()
  assert.equal(await exchange(reconnected, 'b'), 'B')
  reconnected.destroy()
})
