import { monotonic_ms } from '../platform/clock.ts'
import { RecentUse } from '../platform/recent-use.ts'
import type { Call } from './call.ts'
import { Problem } from './problem.ts'

/** The organization that a job counts for. */
export interface WorkOwner {
  readonly organization: string
  /** True for jobs of tasks: they are never rejected, since the task queue bounds how many there are. */
  readonly background?: boolean
}

/** The organization of the caller, or the caller itself if it has none. */
export const ownerOf = ({ principal }: Pick<Call, 'principal'>): WorkOwner => ({
  organization: principal.organization ?? principal.id,
})

export interface FairQueueOptions {
  /** What the jobs work on, for messages to rejected callers: "images". */
  readonly subject: string
  readonly max_running: number
  /** Of all organizations together; background jobs are not limited. */
  readonly max_waiting: number
  readonly max_waiting_per_organization: number
  /** A job whose expected wait is longer is rejected at once, so that clients learn of it early. Not for background jobs. */
  readonly max_wait_ms?: number
  /** A monotonic clock; tests pass their own. */
  readonly now_ms?: () => number
}

/** Schedules the jobs of many organizations on a shared resource, such as threads. */
export interface FairQueue {
  /**
   * Runs the work when a slot is free. Throws `rate-limited` if the queue of the organization is full, or if it would wait
   * too long because of its own jobs; `unavailable` if other organizations are the cause; and the abort reason if the
   * signal aborts before the work starts.
   */
  run<T>(owner: WorkOwner, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** An organization that sent a job within this time is expected to send another. */
const alone_after_ms = 2000

interface Waiter {
  readonly start: () => void
}

/**
 * Creates a fair queue: the organization with the fewest running jobs is next, in turns if several have equally few; the
 * jobs of one organization start in order. So an organization never waits for the queue of another, only for running
 * jobs; and if several are active, none has more than a quarter of the slots.
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

  /** Slots that an organization may use: all while it is alone, else a quarter, so that others find a free slot. */
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

  /** Expected wait of the next job of an organization, by the mean duration of recent jobs. */
  const waitOf = (organization: string): number =>
    duration.mean_ms *
    Math.max(waiting.placeOf(organization) / max_running, (waiting.countOf(organization) + 1) / mostOf(organization))

  /** An organization that runs its fair share already causes its own wait; otherwise the others do. */
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

/** Exponential moving average of job durations. */
class MeanDuration {
  mean_ms = 0
  private isWarm = false

  /** Ignores the first job: it also opens threads and files. */
  note(took_ms: number): void {
    if (this.isWarm) this.mean_ms += (took_ms - this.mean_ms) * (this.mean_ms === 0 ? 1 : 0.1)
    this.isWarm = true
  }
}

/** Waiting jobs by organization; the organization that was served last is at the end. */
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

  /** Position that the next job of an organization would have in the whole queue. */
  placeOf(organization: string): number {
    const own = this.countOf(organization) + 1
    let place = own
    for (const [other, { length }] of this.lists) if (other !== organization) place += Math.min(own, length)
    return place
  }

  /** Resolves when the waiter is started; if the signal aborts, removes it and rejects with the abort reason. */
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

/** The organization with the fewest running jobs among those below their maximum. */
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
  'rate-limited': (subject: string) =>
    `Your organization has too many requests for ${subject} waiting. Try again later.`,
  unavailable: (subject: string) => `The service has too many requests for ${subject} waiting. Try again later.`,
}

function refusal({ subject }: FairQueueOptions, problem: keyof typeof sentences, wait_ms: number): Problem {
  const retry_after_s = Math.ceil(Math.max(wait_ms, least_wait_ms) / 1000)
  return new Problem(problem, sentences[problem](subject), { retry_after_s })
}
