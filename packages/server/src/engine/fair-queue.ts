import { monotonic_ms } from '../platform/clock.ts'
import { RecentUse } from '../platform/recent-use.ts'
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
  /** Nobody waits longer, and who would is refused at once: a late refusal helps nobody. Background work waits as long as it takes. */
  readonly max_wait_ms?: number
  /** Milliseconds that only grow; tests have their own. */
  readonly now_ms?: () => number
}

/** Work of many organizations on something that they share, such as threads. */
export interface FairQueue {
  /**
   * Does the work once it is its turn. Throws `rate-limited` where the organization has as much waiting as it may, or has
   * its share of what runs and would wait too long; `unavailable` where others are the reason; and the reason of the signal
   * if it aborts before the work begins.
   */
  run<T>(owner: WorkOwner, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Others who asked within this time will ask again. */
const alone_after_ms = 2000

interface Waiter {
  readonly start: () => void
}

/**
 * The organization with the least work running comes next, by turns where several have equally little; its own work
 * begins in the order in which it came. So nobody waits for the queue of somebody else, only for work that has begun; and
 * where several organizations ask, none of them has more than a quarter of what may run.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { max_running, max_wait_ms = Number.POSITIVE_INFINITY, now_ms = monotonic_ms } = options
  const running = new Map<string, number>()
  const askers = new RecentUse(alone_after_ms, now_ms)
  const waiting = new WaitingList()
  const duration = new MeanDuration()
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
    while (total < max_running) {
      const next = leastRunning(waiting.organizations(), running, mostOf)
      if (next === null) return
      begin(next)
      waiting.takeFirst(next).start()
    }
  }

  /** What may run of an organization: everything while it is alone, else a quarter, so that others find a place when they come. */
  const mostOf = (organization: string): number =>
    askers.hasOthers(organization) || waiting.hasOthers(organization)
      ? Math.max(1, Math.floor(max_running / 4))
      : max_running

  async function begun({ organization, background }: WorkOwner, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    askers.note(organization)
    if (total < max_running && (running.get(organization) ?? 0) < mostOf(organization)) return begin(organization)
    if (background) return waiting.add(organization, signal)
    const wait_ms = waitOf(organization)
    refuseOverload(options, waiting.total, waiting.countOf(organization))
    if (wait_ms > max_wait_ms) throw tooLong(organization, wait_ms)
    const wait = (giveUp?: AbortSignal): Promise<void> => waiting.add(organization, giveUp)
    await waitAtMost(max_wait_ms, wait, () => tooLong(organization, max_wait_ms), signal)
  }

  /** What the next work of an organization waits, where all that wait take turns, by what work took of late. */
  const waitOf = (organization: string): number =>
    duration.mean_ms *
    Math.max(waiting.placeOf(organization) / max_running, (waiting.countOf(organization) + 1) / mostOf(organization))

  /** Who has a fair share of what runs already is the reason of the wait; for whom has less, it is the others. */
  function tooLong(organization: string, wait_ms: number): Problem {
    const share = max_running / Math.max(1, running.size)
    const isOwn = (running.get(organization) ?? 0) >= Math.min(Math.floor(share), mostOf(organization))
    return refusal(options, isOwn ? 'rate-limited' : 'unavailable', wait_ms)
  }

  return {
    run: async (owner, work, signal) => {
      await begun(owner, signal)
      const began_ms = now_ms()
      try {
        return await work()
      } finally {
        duration.note(now_ms() - began_ms)
        end(owner.organization)
      }
    },
  }
}

/** What work took of late. */
class MeanDuration {
  mean_ms = 0
  private isWarm = false

  /** The first work also opens threads and files, and says nothing of the next. */
  note(took_ms: number): void {
    if (this.isWarm) this.mean_ms += (took_ms - this.mean_ms) * (this.mean_ms === 0 ? 1 : 0.1)
    this.isWarm = true
  }
}

/** What waits, by organization; the one that had its turn last is at the end. */
class WaitingList {
  private readonly lists = new Map<string, Waiter[]>()
  total = 0

  organizations(): Iterable<string> {
    return this.lists.keys()
  }

  hasOthers(organization: string): boolean {
    return this.lists.size > (this.lists.has(organization) ? 1 : 0)
  }

  countOf(organization: string): number {
    return this.lists.get(organization)?.length ?? 0
  }

  /** Which of all that wait the next work of an organization would be, by turns. */
  placeOf(organization: string): number {
    const own = this.countOf(organization) + 1
    let place = own
    for (const [other, { length }] of this.lists) if (other !== organization) place += Math.min(own, length)
    return place
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

/** Of those that may have more. */
function leastRunning(
  organizations: Iterable<string>,
  running: ReadonlyMap<string, number>,
  mostOf: (organization: string) => number,
): string | null {
  let found: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const organization of organizations) {
    const count = running.get(organization) ?? 0
    if (count >= least || count >= mostOf(organization)) continue
    found = organization
    least = count
  }
  return found
}

async function waitAtMost(
  limit_ms: number,
  wait: (giveUp?: AbortSignal) => Promise<void>,
  late: () => Problem,
  signal?: AbortSignal,
): Promise<void> {
  if (limit_ms === Number.POSITIVE_INFINITY) return wait(signal)
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(late()), limit_ms)
  await wait(signal ? AbortSignal.any([signal, patience.signal]) : patience.signal).finally(() => clearTimeout(timer))
}

function refuseOverload(options: FairQueueOptions, waiting: number, own: number): void {
  if (own >= options.max_waiting_per_organization) throw refusal(options, 'rate-limited', least_wait_ms)
  if (waiting >= options.max_waiting) throw refusal(options, 'unavailable', least_wait_ms)
}

const least_wait_ms = 2000

const sentences = {
  'rate-limited': (subject: string) => `You have as many requests on ${subject} waiting as you may. Try again soon.`,
  unavailable: (subject: string) => `Too much work on ${subject} is waiting. Try again soon.`,
}

function refusal({ subject }: FairQueueOptions, problem: keyof typeof sentences, wait_ms: number): Problem {
  const retry_after_s = Math.ceil(Math.max(wait_ms, least_wait_ms) / 1000)
  return new Problem(problem, sentences[problem](subject), { retry_after_s })
}
