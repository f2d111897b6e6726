import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const look_ms = 50

/** The product as a process of its own, with what it has printed. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
}

/** Flags that make a process load modules as this one does, without what concerns tests. */
export const loadingFlags = (): string[] => process.execArgv.filter((flag) => /^--(import|disable-warning)=/.test(flag))

/** Starts the product with these settings and no others; `command` as after `npm start --`. */
export function startProcess(environment: Readonly<Record<string, string>>, ...command: string[]): ServerProcess {
  const words = [...loadingFlags(), main, ...command]
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
