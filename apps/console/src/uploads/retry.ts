import { isRepeatable } from '../api/problem.ts'
import { UnreadableFileError } from './read-file.ts'

const first_wait_ms = 1000
const max_wait_ms = 30_000
const max_tries = 10

/** The connection of the browser that `retry` waits for. */
export interface Connection {
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Waits for the time, or until the browser has a connection again: without one, however long that takes. */
export const browserConnection: Connection = {
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = navigator.onLine ? setTimeout(end, ms) : undefined
      function end(): void {
        clearTimeout(timer)
        removeEventListener('online', end)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      function stop(): void {
        end()
        reject(signal.reason as Error)
      }
      addEventListener('online', end)
      signal.addEventListener('abort', stop)
    }),
}

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly connection: Connection
  /** Called before each wait, and with false when it goes on. */
  readonly onWait: (isWaiting: boolean) => void
}

/** Failures that pass, such as a broken connection. */
const mayPass = (error: unknown): boolean => !(error instanceof UnreadableFileError) && isRepeatable(error)

/** Does work again after failures that pass: about three minutes long, and while the browser has no connection. */
export async function retry<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { signal, connection, onWait } = options
  for (let tries = 1; ; tries++) {
    try {
      const result = await work()
      if (tries > 1) onWait(false)
      return result
    } catch (error) {
      if (signal.aborted || !mayPass(error) || tries === max_tries) throw error
      onWait(true)
      await connection.wait(Math.min(max_wait_ms, first_wait_ms * 2 ** (tries - 1)), signal)
    }
  }
}
