/**
 * Repeats work every `interval_ms`, without overlap: a run that is due during another one is skipped. An error is passed
 * to `onError`, and the work continues. Does not keep the process alive. The returned function stops it and waits for the
 * current run.
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
