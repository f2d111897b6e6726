import type { Call } from './call.ts'
import { Problem } from './problem.ts'

/** For whom work is done. */
export interface WorkOwner {
  readonly organization: string
  /** Work of a task waits however many wait already: it cannot ask again, and the queue of tasks bounds it. */
  readonly background?: boolean
}

/** Callers without an organization stand for themselves. */
export const ownerOf = ({ principal }: Pick<Call, 'principal'>): WorkOwner => ({
  organization: principal.organization ?? principal.id,
})

export interface FairQueueOptions {
  /** What the work is on, for the caller who is refused: "images". */
  readonly subject: string
  readonly max_running: number
  /** Of all organizations together; background work is not counted against the maxima. */
  readonly max_waiting: number
  readonly max_waiting_per_organization: number
}

/** Work of many organizations on something that they share, such as threads. */
export interface FairQueue {
  /**
   * Does the work once it is its turn. Throws `rate-limited` where the organization has as much waiting as it may,
   * `unavailable` where all together have, and the reason of the signal if it aborts before the work begins.
   */
  run<T>(owner: WorkOwner, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

interface Waiter {
  readonly start: () => void
}

const retry_after_s = 2

/**
 * The organization with the least work running comes next, by turns where several have equally little; its own work
 * begins in the order in which it came. So nobody waits for the queue of somebody else, only for work that has begun.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const running = new Map<string, number>()
  const waiting = new WaitingList()
  let total = 0

  function begin(organization: string): void {
    total++
    running.set(organization, (running.get(organization) ?? 0) + 1)
  }

  function end(organization: string): void {
    total--
    const left = running.get(organization)! - 1
    if (left === 0) running.delete(organization)
    else running.set(organization, left)
    waiting.moveToEnd(organization)
    const next = leastRunning(waiting.organizations(), running)
    if (next === null) return
    begin(next)
    waiting.takeFirst(next).start()
  }

  async function begun({ organization, background }: WorkOwner, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (total < options.max_running) return begin(organization)
    if (!background) refuseOverload(options, waiting.total, waiting.countOf(organization))
    await waiting.add(organization, signal)
  }

  return {
    run: async (owner, work, signal) => {
      await begun(owner, signal)
      try {
        return await work()
      } finally {
        end(owner.organization)
      }
    },
  }
}

/** What waits, by organization; the one that had its turn last is at the end. */
class WaitingList {
  private readonly lists = new Map<string, Waiter[]>()
  total = 0

  organizations(): Iterable<string> {
    return this.lists.keys()
  }

  countOf(organization: string): number {
    return this.lists.get(organization)?.length ?? 0
  }

  /** Resolves when the waiter is started; rejects with the reason of the signal, and is on the list no longer. */
  add(organization: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.lists.get(organization) ?? []
    this.lists.set(organization, own)
    this.total++
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.remove(organization, own.indexOf(waiter))
        reject(signal!.reason as Error)
      }
      const waiter: Waiter = {
        start: () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      own.push(waiter)
    })
  }

  takeFirst(organization: string): Waiter {
    const waiter = this.remove(organization, 0)
    this.moveToEnd(organization)
    return waiter
  }

  moveToEnd(organization: string): void {
    const own = this.lists.get(organization)
    if (!own) return
    this.lists.delete(organization)
    this.lists.set(organization, own)
  }

  private remove(organization: string, at: number): Waiter {
    const own = this.lists.get(organization)!
    const [waiter] = own.splice(at, 1)
    this.total--
    if (own.length === 0) this.lists.delete(organization)
    return waiter!
  }
}

function leastRunning(organizations: Iterable<string>, running: ReadonlyMap<string, number>): string | null {
  let found: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const organization of organizations) {
    const count = running.get(organization) ?? 0
    if (count >= least) continue
    found = organization
    least = count
  }
  return found
}

function refuseOverload(options: FairQueueOptions, waiting: number, own: number): void {
  const { subject, max_waiting, max_waiting_per_organization } = options
  if (own >= max_waiting_per_organization) {
    const message = `The organization has ${own} requests on ${subject} waiting, as many as it may. Try again soon.`
    throw new Problem('rate-limited', message, { retry_after_s })
  }
  if (waiting >= max_waiting) {
    throw new Problem('unavailable', `Too much work on ${subject} is waiting. Try again soon.`, { retry_after_s })
  }
}
