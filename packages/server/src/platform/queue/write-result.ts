/** The delay after the first attempt; doubled after each, up to the maximum. */
const min_retry_delay_ms = 100
const max_retry_delay_ms = 10_000
/** Together slightly longer than the heartbeat timeout of the queue. */
const max_attempts = 13

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })

/**
 * Writes the result of an attempt, with retries while the database fails: a task whose result is not written runs again,
 * and only after the heartbeat timeout. Throws the last error when the attempts are used up or the signal is aborted.
 */
export async function writeResultWithRetry(write: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write()
      return
    } catch (error) {
      if (attempt === max_attempts || signal.aborted) throw error
    }
    await pause(Math.min(min_retry_delay_ms * 2 ** (attempt - 1), max_retry_delay_ms), signal)
  }
}
