/**
 * Runs `work` without overlap. Calls during a run share the next run, so that it sees everything that was done before the
 * call.
 */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<T> | null = null
  return () => {
    if (waiting) return waiting
    const next = running.then(() => {
      waiting = null
      return work()
    })
    waiting = next
    running = next.catch(() => undefined)
    return next
  }
}
