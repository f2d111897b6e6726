/**
 * The slots for tasks that run at once in a process, shared by all task definitions. An attempt holds a slot while it is
 * short; one that takes longer gives it back and goes on, so that it stops no other task, however long it takes.
 */
export interface TaskSlots {
  /** Waits for a slot; false once the signal is aborted. */
  take(task: string, signal: AbortSignal): Promise<boolean>
  /** Gives back a slot for which there was no task. */
  release(task: string): void
  /** True if the task would get a further slot now. */
  hasFree(task: string): boolean
  /** Counts an attempt, which runs in a slot that was taken. */
  begin(task: string, group: string): SlotAttempt
  /** The groups that have as many attempts at a task as one may have in this process. */
  listFullGroups(task: string): string[]
}

export interface SlotAttempt {
  /** Ends the attempt; true if its group was full, so that tasks of it may be waiting. */
  end(): boolean
}

export interface TaskSlotOptions {
  /** After this time an attempt gives its slot back. */
  readonly long_after_ms?: number
  /** Attempts that have given their slot back; while there are so many, others keep theirs. */
  readonly max_long?: number
}

interface WaitingTask {
  readonly task: string
  readonly grant: () => void
}

const default_long_after_ms = 250
/** For each slot: most long attempts wait for a thread or for another machine. */
const max_long_per_slot = 16

/**
 * Task definitions are served in the order of their requests, each again only after all others that wait. If there are
 * several, none gets all slots, so that one with many tasks cannot block the others. A group may have as many attempts at
 * one task as there are slots; only one while half of the long attempts are taken, which leaves the rest to other groups.
 */
export function createTaskSlots(
  count: number,
  task_count: number,
  { long_after_ms = default_long_after_ms, max_long = max_long_per_slot * count }: TaskSlotOptions = {},
): TaskSlots {
  const max_per_task = task_count > 1 && count > 1 ? count - 1 : count
  const heldSlots = new Map<string, number>()
  const heldSlotsOf = (task: string): number => heldSlots.get(task) ?? 0
  const waiting: WaitingTask[] = []
  const attempts = new AttemptCounts()
  const longAttempts = new LongAttempts(max_long)
  let free = count

  const hasFree = (task: string): boolean => free > 0 && heldSlotsOf(task) < max_per_task
  const isFull = (task: string, group: string): boolean =>
    attempts.countOf(task, group) >= (longAttempts.count < max_long / 2 ? count : 1)

  const grantSlots = (): void => {
    for (;;) {
      const next = waiting.findIndex(({ task }) => hasFree(task))
      if (next < 0) return
      const [{ task, grant }] = waiting.splice(next, 1) as [WaitingTask]
      heldSlots.set(task, heldSlotsOf(task) + 1)
      free -= 1
      grant()
    }
  }

  const release = (task: string): void => {
    heldSlots.set(task, heldSlotsOf(task) - 1)
    free += 1
    grantSlots()
  }

  const begin = (task: string, group: string): SlotAttempt => {
    attempts.add(task, group)
    const endLong = longAttempts.begin(long_after_ms, () => release(task))
    return {
      end: () => {
        const wasFull = isFull(task, group)
        attempts.remove(task, group)
        if (!endLong()) release(task)
        return wasFull
      },
    }
  }

  return {
    take: (task, signal) => waitForGrant(waiting, task, { signal, grantSlots }),
    release,
    hasFree,
    begin,
    listFullGroups: (task) => attempts.groupsOf(task).filter((group) => isFull(task, group)),
  }
}

/** Adds a task to those that wait for a slot; false once the signal is aborted. */
const waitForGrant = (
  waiting: WaitingTask[],
  task: string,
  { signal, grantSlots }: { readonly signal: AbortSignal; readonly grantSlots: () => void },
): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    const waitingTask: WaitingTask = {
      task,
      grant: () => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      },
    }
    const leave = (): void => {
      waiting.splice(waiting.indexOf(waitingTask), 1)
      resolve(false)
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(waitingTask)
    grantSlots()
  })

/** The attempts that have given their slot back. */
class LongAttempts {
  private readonly max: number
  /** Attempts that keep their slot only because there are too many long ones. */
  private readonly overdue = new Set<() => void>()
  count = 0

  constructor(max: number) {
    this.max = max
  }

  /** After a time gives the slot of an attempt back. The returned function ends the attempt; false if it still has its slot. */
  begin(after_ms: number, releaseSlot: () => void): () => boolean {
    let isLong = false
    const becomeLong = (): void => {
      isLong = true
      this.count += 1
      releaseSlot()
    }
    const timer = setTimeout(() => {
      if (this.count < this.max) becomeLong()
      else this.overdue.add(becomeLong)
    }, after_ms)
    return () => {
      clearTimeout(timer)
      this.overdue.delete(becomeLong)
      if (isLong) this.remove()
      return isLong
    }
  }

  private remove(): void {
    this.count -= 1
    const [next] = this.overdue
    if (next) this.overdue.delete(next)
    next?.()
  }
}

/** Running attempts by task and group. */
class AttemptCounts {
  private readonly tasks = new Map<string, Map<string, number>>()

  countOf(task: string, group: string): number {
    return this.tasks.get(task)?.get(group) ?? 0
  }

  groupsOf(task: string): string[] {
    return [...(this.tasks.get(task)?.keys() ?? [])]
  }

  add(task: string, group: string): void {
    const groups = this.tasks.get(task) ?? new Map<string, number>()
    this.tasks.set(task, groups.set(group, this.countOf(task, group) + 1))
  }

  remove(task: string, group: string): void {
    const count = this.countOf(task, group) - 1
    if (count > 0) this.tasks.get(task)?.set(group, count)
    else this.tasks.get(task)?.delete(group)
  }
}
