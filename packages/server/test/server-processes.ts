import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const mainPath = join(import.meta.dirname, '..', 'src', 'main.ts')
const poll_interval_ms = 50

/** The server as a separate process, with its captured output. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly output: { out: string; err: string }
}

/** Flags that make a process load modules as this one does, without the test flags. */
export const moduleLoaderFlags = (): string[] =>
  process.execArgv.filter((flag) => /^--(import|disable-warning)=/.test(flag))

/** Starts the server with exactly these settings; `command` as after `npm start --`. */
export function startServerProcess(environment: Readonly<Record<string, string>>, ...command: string[]): ServerProcess {
  const words = [...moduleLoaderFlags(), mainPath, ...command]
  // The compile cache is shared between starts, as by `npm start`.
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'silent', ...environment }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.out += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (output.err += String(chunk)))
  return { child, output }
}

/** Waits until the output matches; fails if the process exits first. */
export async function waitForOutput({ child, output }: ServerProcess, words: RegExp): Promise<void> {
  while (!words.test(output.out)) {
    if (child.exitCode !== null) assert.fail(`the process exited with ${child.exitCode}: ${output.err}`)
    await new Promise((resolve) => setTimeout(resolve, poll_interval_ms))
  }
}

/** Stops the process gracefully. */
export async function stopServerProcess({ child, output }: ServerProcess): Promise<void> {
  const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
  child.kill('SIGTERM')
  await exit
  assert.deepEqual([child.exitCode, child.signalCode], [0, null], output.err)
}
