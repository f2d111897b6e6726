/**
 * Does work again and again, `every_ms` after it began, and never twice at once: what is still under way then is left to
 * it. A failure is told to `onFault` and tried again next time. Keeps no process alive. The result ends it, waiting for
 * what is under way.
 */
export function repeat(
  every_ms: number,
  work: () => Promise<void>,
  onFault: (error: unknown) => void,
): () => Promise<void> {
  let busy: Promise<void> | undefined
  const timer = setInterval(() => {
    busy ??= work()
      .catch(onFault)
      .finally(() => {
        busy = undefined
      })
  }, every_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await busy
  }
}
