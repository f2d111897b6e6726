import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const look_ms = 50

/** The server as a separate process, with its captured output. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
}

/** Flags that make a process load modules as this one does, without the test flags. */
export const loadingFlags = (): string[] => process.execArgv.filter((flag) => /^--(import|disable-warning)=/.test(flag))

/** Starts the server with exactly these settings; `command` as after `npm start --`. */
export function startProcess(environment: Readonly<Record<string, string>>, ...command: string[]): ServerProcess {
  const words = [...loadingFlags(), main, ...command]
  // The compile cache is shared between starts, as by `npm start`.
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'silent', ...environment }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += String(part)))
  child.stderr.on('data', (part: Buffer) => (said.err += String(part)))
  return { child, said }
}

/** Waits until the output matches; fails if the process exits first. */
export async function untilSaid({ child, said }: ServerProcess, words: RegExp): Promise<void> {
  while (!words.test(said.out)) {
    if (child.exitCode !== null) assert.fail(`the process exited with ${child.exitCode}: ${said.err}`)
    await new Promise((resolve) => setTimeout(resolve, look_ms))
  }
}

/** Stops the process gracefully. */
export async function endProcess({ child, said }: ServerProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
  child.kill('SIGTERM')
  await ended
  assert.deepEqual([child.exitCode, child.signalCode], [0, null], said.err)
}
