/**
 * Repeats work every `interval_ms`, without overlap: a run that is due during another one is skipped. An error is passed
 * to `onError`, and the work continues. Does not keep the process alive. The returned function stops it and waits for the
 * current run.
 */
export function runPeriodically(
  interval_ms: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let currentRun: Promise<void> | undefined
  const timer = setInterval(() => {
    currentRun ??= work()
      .catch(onError)
      .finally(() => {
        currentRun = undefined
      })
  }, interval_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await currentRun
  }
}
