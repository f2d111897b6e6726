/** The slots for tasks that run at once in a process, shared by all task definitions. */
export interface Slots {
  /** Waits for slots and returns how many were granted: at least one, or 0 once the signal is aborted. */
  take(task: string, signal: AbortSignal): Promise<number>
  release(task: string, count: number): void
}

interface Waiting {
  readonly task: string
  readonly grant: (count: number) => void
}

/**
 * Task definitions are served in the order of their requests, each again only after all others that wait, and free slots
 * are shared between those that wait. If there are several, none gets all slots, so that a slow one cannot block the
 * others.
 */
export function openSlots(count: number, kinds: number): Slots {
  const most = kinds > 1 && count > 1 ? count - 1 : count
  const held = new Map<string, number>()
  const heldBy = (task: string): number => held.get(task) ?? 0
  const waiting: Waiting[] = []
  let free = count

  const serve = (): void => {
    while (free > 0) {
      const able = waiting.filter(({ task }) => heldBy(task) < most)
      const next = able[0]
      if (!next) return
      const share = Math.max(1, Math.floor(free / able.length))
      const granted = Math.min(share, most - heldBy(next.task))
      waiting.splice(waiting.indexOf(next), 1)
      held.set(next.task, heldBy(next.task) + granted)
      free -= granted
      next.grant(granted)
    }
  }

  return {
    take: (task, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(0)
        const one: Waiting = {
          task,
          grant: (granted) => {
            signal.removeEventListener('abort', leave)
            resolve(granted)
          },
        }
        const leave = (): void => {
          waiting.splice(waiting.indexOf(one), 1)
          resolve(0)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(one)
        serve()
      }),
    release: (task, released) => {
      held.set(task, heldBy(task) - released)
      free += released
      serve()
    },
  }
}
