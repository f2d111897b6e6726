import { monotonic_ms } from '../platform/clock.ts'
import { OrganizationUseTracker } from '../platform/organization-use.ts'
import type { Call } from './call.ts'
import { Problem } from './problem.ts'

/** The organization that a job counts for. */
export interface FairQueueOwner {
  readonly organization: string
  /** True for jobs of tasks: they are never rejected, since the task queue bounds how many there are. */
  readonly background?: boolean
}

/** The organization of the caller, or the caller itself if it has none. */
export const getCallerFairQueueOwner = ({ principal }: Pick<Call, 'principal'>): FairQueueOwner => ({
  organization: principal.organization ?? principal.id,
})

export interface FairQueueOptions {
  /** The object of the jobs, for messages to rejected callers: "images". */
  readonly subject: string
  /** The slots that anybody may have, also one organization alone. */
  readonly max_running: number
  /** Slots on top of `max_running` for organizations that run nothing, which thus do not wait for long jobs. Default 0. */
  readonly extra?: number
  /** The slots of an organization while others are active. Default a quarter of `max_running`. */
  readonly max_shared?: number
  /** Maximum of waiting jobs of all organizations together; background jobs are not limited. */
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
  run<T>(owner: FairQueueOwner, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** An organization that sent a job within this time is expected to send another. */
const recent_caller_ms = 2000

interface Waiter {
  readonly start: () => void
}

/**
 * Creates a fair queue: the organization with the minimum of running jobs is next, in turns if several have equally few; the
 * jobs of one organization start in order. So an organization never waits for the queue of another, only for running
 * jobs, and if there are extra slots, not for these either, until as many organizations have one. While several are active,
 * none has more than its share of the slots; alone it may have all but the extra ones.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { max_running, extra = 0, max_wait_ms = Number.POSITIVE_INFINITY, now_ms = monotonic_ms } = options
  const running = new RunningJobs()
  const recentCallers = new OrganizationUseTracker(recent_caller_ms, now_ms)
  const waiting = new WaitingList()
  const meanDuration = new MeanDuration()
  const { maxRunning, hasSlot } = createShares(options, { running, recentCallers, waiting })

  /** Free slots that are kept for recent callers are given to those that wait once these are no longer recent. */
  const grantLater = createDelayedCall(grantSlots, recent_caller_ms)

  function grantSlots(): void {
    while (waiting.total > 0 && running.total < max_running + extra) {
      const next = running.findMinRunning(waiting.organizations(), hasSlot)
      if (next === null) return grantLater()
      running.add(next)
      waiting.takeFirst(next).start()
    }
  }

  function releaseSlot(organization: string): void {
    running.remove(organization)
    waiting.moveToEnd(organization)
    grantSlots()
  }

  async function acquireSlot({ organization, background }: FairQueueOwner, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    recentCallers.note(organization)
    if (hasSlot(organization)) return running.add(organization)
    if (background) return addWaiting(organization, signal)
    const wait_ms = expectedWait_ms(organization)
    requireQueueSpace(options, waiting.total, waiting.countOf(organization))
    if (wait_ms > max_wait_ms) throw waitTooLong(organization, wait_ms)
    const wait = (abortSignal?: AbortSignal): Promise<void> => addWaiting(organization, abortSignal)
    await waitWithTimeout(max_wait_ms, wait, () => waitTooLong(organization, max_wait_ms), signal)
  }

  function addWaiting(organization: string, signal?: AbortSignal): Promise<void> {
    const started = waiting.add(organization, signal)
    grantLater()
    return started
  }

  /** Expected wait of the next job of an organization, by the mean duration of recent jobs. */
  function expectedWait_ms(organization: string): number {
    const jobsPerSlot = (waiting.countOf(organization) + 1) / maxRunning(organization)
    return meanDuration.mean_ms * Math.max(waiting.positionOf(organization) / max_running, jobsPerSlot)
  }

  /** An organization that runs its fair share already causes its own wait; otherwise the others do. */
  function waitTooLong(organization: string, wait_ms: number): Problem {
    const fairShare = max_running / Math.max(1, running.organizations)
    const isOwnLoad = running.countOf(organization) >= Math.min(Math.floor(fairShare), maxRunning(organization))
    return overloadProblem(options, isOwnLoad ? 'rate-limited' : 'unavailable', wait_ms)
  }

  return {
    run: async (owner, work, signal) => {
      await acquireSlot(owner, signal)
      const started_ms = now_ms()
      try {
        return await work()
      } finally {
        meanDuration.record(now_ms() - started_ms)
        releaseSlot(owner.organization)
      }
    },
  }
}

interface QueueUse {
  readonly running: RunningJobs
  readonly recentCallers: OrganizationUseTracker
  readonly waiting: WaitingList
}

/** The slots that an organization may have by what others use. */
function createShares(
  { max_running, extra = 0, max_shared = Math.floor(max_running / 4) }: FairQueueOptions,
  { running, recentCallers, waiting }: QueueUse,
) {
  /** All while it is alone, else its share, so that others find a free slot. */
  const maxRunning = (organization: string): number =>
    recentCallers.hasOthers(organization) || waiting.hasOthers(organization) ? Math.max(1, max_shared) : max_running
  const hasSlot = (organization: string): boolean => {
    const own = running.countOf(organization)
    return running.total < (own === 0 ? max_running + extra : max_running) && own < maxRunning(organization)
  }
  return { maxRunning, hasSlot }
}

/** Returns a function that makes a call after a delay, however often it is called meanwhile. */
function createDelayedCall(callback: () => void, delay_ms: number): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      callback()
    }, delay_ms).unref()
  }
}

/** Exponential moving average of job durations. */
class MeanDuration {
  mean_ms = 0
  private isWarm = false

  /** Ignores the first job: it also opens threads and files. */
  record(duration_ms: number): void {
    if (this.isWarm) this.mean_ms += (duration_ms - this.mean_ms) * (this.mean_ms === 0 ? 1 : 0.1)
    this.isWarm = true
  }
}

/** Running jobs by organization. */
class RunningJobs {
  private readonly counts = new Map<string, number>()
  total = 0

  get organizations(): number {
    return this.counts.size
  }

  countOf(organization: string): number {
    return this.counts.get(organization) ?? 0
  }

  add(organization: string): void {
    this.total++
    this.counts.set(organization, this.countOf(organization) + 1)
  }

  remove(organization: string): void {
    this.total--
    this.counts.set(organization, this.countOf(organization) - 1)
    if (this.countOf(organization) === 0) this.counts.delete(organization)
  }

  /** The organization with the minimum of running jobs among those that may run one more. */
  findMinRunning(organizations: Iterable<string>, mayRun: (organization: string) => boolean): string | null {
    let found: string | null = null
    for (const organization of organizations)
      if (mayRun(organization) && (found === null || this.countOf(organization) < this.countOf(found)))
        found = organization
    return found
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
  positionOf(organization: string): number {
    const own = this.countOf(organization) + 1
    let position = own
    for (const [other, { length }] of this.lists) if (other !== organization) position += Math.min(own, length)
    return position
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

  private remove(organization: string, index: number): Waiter {
    const own = this.lists.get(organization)!
    const [waiter] = own.splice(index, 1)
    this.total--
    if (own.length === 0) this.lists.delete(organization)
    return waiter!
  }
}

async function waitWithTimeout(
  timeout_ms: number,
  wait: (abortSignal?: AbortSignal) => Promise<void>,
  onTimeout: () => Problem,
  signal?: AbortSignal,
): Promise<void> {
  if (timeout_ms === Number.POSITIVE_INFINITY) return wait(signal)
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(onTimeout()), timeout_ms)
  await wait(signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal).finally(() => clearTimeout(timer))
}

function requireQueueSpace(options: FairQueueOptions, waiting: number, own: number): void {
  if (own >= options.max_waiting_per_organization) throw overloadProblem(options, 'rate-limited', min_retry_after_ms)
  if (waiting >= options.max_waiting) throw overloadProblem(options, 'unavailable', min_retry_after_ms)
}

const min_retry_after_ms = 2000

const messages = {
  'rate-limited': (subject: string) =>
    `Your organization has too many requests for ${subject} waiting. Try again later.`,
  unavailable: (subject: string) => `The service has too many requests for ${subject} waiting. Try again later.`,
}

function overloadProblem({ subject }: FairQueueOptions, problem: keyof typeof messages, wait_ms: number): Problem {
  const retry_after_s = Math.ceil(Math.max(wait_ms, min_retry_after_ms) / 1000)
  return new Problem(problem, messages[problem](subject), { retry_after_s })
}
