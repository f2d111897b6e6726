import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Client } from '@swath/client/client.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const look_ms = 100

/** The product as a process of its own, and what it has printed so far. */
export interface Started {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
}

/** Starts it with this environment and no other. */
export function start(environment: Readonly<Record<string, string>>, ...command: string[]): Started {
  const words = ['--disable-warning=ExperimentalWarning', main, ...command]
  const env = { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...environment }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += String(part)))
  child.stderr.on('data', (part: Buffer) => (said.err += String(part)))
  return { child, said }
}

/** Resolves when the words were printed; fails where the process ends before. */
export async function said({ child, said }: Started, words: RegExp): Promise<void> {
  while (!words.test(said.out)) {
    if (child.exitCode !== null) assert.fail(`it ended with ${child.exitCode}: ${said.err}`)
    await new Promise((resolve) => setTimeout(resolve, look_ms))
  }
}

/** Stops it in an orderly way. */
export async function end({ child }: Started): Promise<void> {
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
}

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Orders the first capture of the open host. */
export async function placeOrder(client: Client): Promise<string> {
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
    host_name: 'open',
    limit: 1,
  })
  const captures = features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  const input = { captures }
  return (await client.call<{ id: string }>('orders.archive.place', input, { idempotencyKey: 'one' })).id
}

export const statusOf = async (client: Client, order_id: string): Promise<string> =>
  (await client.call<{ status: string }>('orders.get', { order_id })).status

/** Resolves when a worker has delivered the order; fails where `working` ends before. */
export async function delivered(client: Client, order_id: string, working: Started): Promise<void> {
  while ((await statusOf(client, order_id)) !== 'FULFILLED') {
    if (working.child.exitCode !== null) assert.fail(working.said.err)
    await new Promise((resolve) => setTimeout(resolve, look_ms))
  }
}
