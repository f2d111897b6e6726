import type { Wait } from '@swath/client/transfer/retry.ts'

/** Waits for the time, or until the browser has a connection again: without one, however long that takes. */
export const waitForConnection: Wait = (ms, signal) =>
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
  })
