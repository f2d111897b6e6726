/** Between the first tries; doubled after each, up to the longest. */
const firstPause_ms = 100
const longestPause_ms = 10_000
/** Together a little longer than the silence after which the queue takes a task for lost. */
const tries = 13

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
 * Writes down how an attempt ended, again and again while the database refuses: what is not written is done once more, and
 * only after a long silence. Throws the last refusal when the tries are used up or the signal is aborted.
 */
export async function writeOutcome(write: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let number = 1; ; number += 1) {
    try {
      await write()
      return
    } catch (error) {
      if (number === tries || signal.aborted) throw error
    }
    await pause(Math.min(firstPause_ms * 2 ** (number - 1), longestPause_ms), signal)
  }
}
