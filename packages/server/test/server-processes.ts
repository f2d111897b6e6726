import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const look_ms = 50

/** The product as a process of its own, with what it has printed. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
}

/** Starts the product with these settings and no others; `command` as after `npm start --`. */
export function startProcess(environment: Readonly<Record<string, string>>, ...command: string[]): ServerProcess {
  // Started as this process was, without what concerns tests.
  const flags = process.execArgv.filter((flag) => /^--(import|disable-warning)=/.test(flag))
  const words = [...flags, main, ...command]
  // What was compiled once is kept between starts, as by `npm start`.
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'silent', ...environment }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += String(part)))
  child.stderr.on('data', (part: Buffer) => (said.err += String(part)))
  return { child, said }
}

/** Waits until the process has printed the words; fails where it ends before. */
export async function untilSaid({ child, said }: ServerProcess, words: RegExp): Promise<void> {
  while (!words.test(said.out)) {
    if (child.exitCode !== null) assert.fail(`it ended with ${child.exitCode}: ${said.err}`)
    await new Promise((resolve) => setTimeout(resolve, look_ms))
  }
}

/** Ends the process in order. */
export async function endProcess({ child, said }: ServerProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
  child.kill('SIGTERM')
  await ended
  assert.deepEqual([child.exitCode, child.signalCode], [0, null], said.err)
}

/**
 * A port of this machine that nothing listens on, below those that the system gives to connections (from 32768): between now and
 * the moment when somebody listens there, another process may open a connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}
