import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
const ready_ms = 60_000

export interface ServerProcess {
  readonly url: string
  /** SIGKILL: no chance to tidy up. Resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the orderly end. */
  stop(): Promise<number | null>
}

/** Starts the product, or another program that says when it is ready, as its own process. */
export async function startServer(
  environment: Readonly<Record<string, string>>,
  program: string = main,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = await addressOf(child, gone)
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
    stop: () => {
      child.kill('SIGTERM')
      return gone
    },
  }
}

/** The address that the process prints when it listens. */
function addressOf(child: ChildProcess, gone: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the server was not ready within ${ready_ms / 1000} s`))
    }, ready_ms)
    void gone.then((code) => {
      clearTimeout(timer)
      reject(new Error(`the server ended with ${code} before it was ready`))
    })
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-10_000)
      const found = /is ready at (http:\/\/\S+)/.exec(text)
      if (!found) return
      clearTimeout(timer)
      resolve(found[1]!)
    })
  })
}
