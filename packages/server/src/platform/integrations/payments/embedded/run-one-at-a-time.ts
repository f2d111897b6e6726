/**
 * Runs `work` without overlap. Calls during a run share the next run, so that it sees everything that was done before the
 * call.
 */
export function runOneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let currentRun: Promise<unknown> = Promise.resolve()
  let waitingRun: Promise<T> | null = null
  return () => {
    if (waitingRun) return waitingRun
    const nextRun = currentRun.then(() => {
      waitingRun = null
      return work()
    })
    waitingRun = nextRun
    currentRun = nextRun.catch(() => undefined)
    return nextRun
  }
}
