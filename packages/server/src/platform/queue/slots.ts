/** The slots for tasks that run at once in a process, shared by all task definitions. */
export interface TaskSlots {
  /** Waits for slots and returns how many were granted: at least one, or 0 once the signal is aborted. */
  take(task: string, signal: AbortSignal): Promise<number>
  release(task: string, count: number): void
}

interface WaitingTask {
  readonly task: string
  readonly grant: (count: number) => void
}

/**
 * Task definitions are served in the order of their requests, each again only after all others that wait, and free slots
 * are shared between those that wait. If there are several, none gets all slots, so that a slow one cannot block the
 * others.
 */
export function createTaskSlots(count: number, task_count: number): TaskSlots {
  const max_per_task = task_count > 1 && count > 1 ? count - 1 : count
  const heldSlots = new Map<string, number>()
  const heldSlotsOf = (task: string): number => heldSlots.get(task) ?? 0
  const waiting: WaitingTask[] = []
  let free = count

  const grantSlots = (): void => {
    while (free > 0) {
      const eligible = waiting.filter(({ task }) => heldSlotsOf(task) < max_per_task)
      const nextTask = eligible[0]
      if (!nextTask) return
      const fairShare = Math.max(1, Math.floor(free / eligible.length))
      const granted = Math.min(fairShare, max_per_task - heldSlotsOf(nextTask.task))
      waiting.splice(waiting.indexOf(nextTask), 1)
      heldSlots.set(nextTask.task, heldSlotsOf(nextTask.task) + granted)
      free -= granted
      nextTask.grant(granted)
    }
  }

  return {
    take: (task, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(0)
        const waitingTask: WaitingTask = {
          task,
          grant: (granted) => {
            signal.removeEventListener('abort', leave)
            resolve(granted)
          },
        }
        const leave = (): void => {
          waiting.splice(waiting.indexOf(waitingTask), 1)
          resolve(0)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(waitingTask)
        grantSlots()
      }),
    release: (task, released) => {
      heldSlots.set(task, heldSlotsOf(task) - released)
      free += released
      grantSlots()
    },
  }
}
