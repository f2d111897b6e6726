import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../packages/server/test/free-port.mjs'
import { moduleLoaderFlags } from '../../packages/server/test/server-processes.ts'
import { serverEnvironment } from '../../tools/launch/node.mjs'

const serverMain = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
const ready_timeout_ms = 180_000

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  /** Sends SIGTERM and waits for the graceful shutdown. */
  stop(): Promise<number | null>
}

/** Settings for PostgreSQL: its URL, and test money and demo imagery, which need to be enabled there. */
export async function postgresSettings(database_url: string): Promise<Record<string, string>> {
  const port = await freePort()
  return {
    DATABASE_URL: database_url,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    SWATH_PLAY_MONEY: 'on',
    SWATH_DEMO: 'on',
  }
}

/** Benchmarks and proofs exceed the default rate limits; high limits are counted like low ones. */
export const highLimits = {
  RATE_LIMIT_CALLS: '1000000000',
  TWO_PERSON_CREDITS: '0',
  RATE_LIMIT_ORDERS: '1000000',
  RATE_LIMIT_SPENDING: '1000000',
  MAX_WAIT_MS: '600000',
}

/** Starts the product, or another program that prints when it is ready, as a process; `flags` are Node flags. */
export async function startServer(
  environment: Readonly<Record<string, string>>,
  program: string = serverMain,
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-output-'))
  const output = join(folder, 'output')
  // A file, not a pipe: a benchmark must not spend its time on reading log lines.
  const file = openSync(output, 'w')
  const child = spawn(process.execPath, [...moduleLoaderFlags(), ...flags, program], {
    env: { ...process.env, ...serverEnvironment(process.env), LOG_LEVEL: 'error', ...highLimits, ...environment },
    stdio: ['ignore', file, 'inherit'],
  })
  closeSync(file)
  // A failing caller must not leave the server running.
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  void exited.then(() => process.off('exit', kill))
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const url = await waitForUrl(output, exited)
    const end = async (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal)
      const code = await exited
      await removeFolder()
      return code
    }
    return { url, pid: child.pid!, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') }
  } catch (error) {
    child.kill('SIGKILL')
    await removeFolder()
    throw error
  }
}

const poll_ms = 50

/** Waits for the URL that the process prints when it listens. */
async function waitForUrl(output: string, exited: Promise<number | null>): Promise<string> {
  let ended: string | null = null
  void exited.then((code) => {
    ended = `the server ended with ${code} before it was ready`
  })
  for (let waited_ms = 0; waited_ms < ready_timeout_ms; waited_ms += poll_ms) {
    const found = /is ready at (http:\/\/\S+)/.exec(await readFile(output, 'utf8'))
    if (found) return found[1]!
    if (ended !== null) throw new Error(ended)
    await new Promise((resolve) => setTimeout(resolve, poll_ms))
  }
  throw new Error(`the server was not ready within ${ready_timeout_ms / 1000} s`)
}
