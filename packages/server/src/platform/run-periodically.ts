/** The handling of a run that is due during another one: it is skipped, or it follows at once. */
export type OverdueRunPolicy = 'skip' | 'follow'

/**
 * Repeats work every `interval_ms`, without overlap: a run that is due during another one is skipped, unless `overdue` is
 * `follow`. Then no run begins later than the longer of the interval and the run before it. An error is passed to `onError`, and
 * the work continues. Does not keep the process alive. The returned function stops it and waits for the current run.
 */
export function runPeriodically(
  interval_ms: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  overdue: OverdueRunPolicy = 'skip',
): () => Promise<void> {
  let currentRun: Promise<void> | undefined
  let isOverdue = false
  const run = async (): Promise<void> => {
    do {
      isOverdue = false
      await work().catch(onError)
    } while (isOverdue)
    currentRun = undefined
  }
  const timer = setInterval(() => {
    if (currentRun) isOverdue = overdue === 'follow'
    else currentRun = run()
  }, interval_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    isOverdue = false
    await currentRun
  }
}
