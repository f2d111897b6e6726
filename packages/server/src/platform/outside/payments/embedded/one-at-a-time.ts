/**
 * The same work, never twice at once. Who asks while it runs gets the run after it, together with all others that wait,
 * so that what they had done before they asked is seen by it.
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
