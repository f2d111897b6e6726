import type { QueueLog } from './queue.ts'

export interface LookoutOptions {
  readonly poll_ms: number
  readonly log: QueueLog | undefined
}

/**
 * Wakes the workers of the kinds of work that are due, which nobody may have told of: tried again after a failure, put
 * off until now, or added by another process. One question for all kinds, because most have nothing to do most of the
 * time. The result ends it.
 */
export function startLookout(
  due: () => Promise<readonly string[]>,
  wake: (task: string) => void,
  { poll_ms, log }: LookoutOptions,
): () => Promise<void> {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    try {
      for (const task of await due()) wake(task)
    } catch (error) {
      log?.error({ error }, 'the queue could not be read')
    }
    if (!ended) timer = setTimeout(next, poll_ms)
  }
  let looking = look()
  const next = (): void => {
    looking = look()
  }
  return async () => {
    ended = true
    clearTimeout(timer)
    await looking
    clearTimeout(timer)
  }
}
