import { monotonic_ms } from '../../clock.ts'
import { OrganizationUseTracker } from '../../organization-use.ts'
import { SearchCooldownFailure } from '../failures.ts'

/**
 * A search may take long and is sent alone; other statements may be sent while one is running. Those of background work are
 * like others, in a queue of their own.
 */
export type StatementKind = 'search' | 'statement' | 'background'

/** The right to use the single connection. */
export interface ConnectionLease {
  /** Marks a statement as sent; the returned function marks it as answered, which frees its place for the next. */
  markSent(): () => void
  /** Releases the connection; a second call does nothing. */
  release(): void
}

/**
 * Schedules the single connection fairly: round robin between organizations and kinds of statement, first in, first out within
 * each.
 */
export interface ConnectionScheduler {
  /**
   * Resolves when the caller may use the connection; null stands for all unscoped work. Throws `SearchCooldownFailure` for
   * a search that would wait long because earlier searches of its organization took long.
   */
  acquire(organization: string | null, statementKind?: StatementKind): Promise<ConnectionLease>
}

export interface ConnectionSchedulerOptions {
  /** Monotonic milliseconds; replaced in tests. */
  readonly now_ms?: () => number
  /** The time when the database became ready after it was last opened, in monotonic milliseconds. */
  readonly ready_ms?: () => number
  /** Calls back after a delay; replaced in tests. */
  readonly schedule?: (work: () => void, delay_ms: number) => void
}

/** One running and one ready, so that the database thread is never idle; more would queue there in the order of sending. */
const max_in_flight = 2
/** A search that takes longer than this starts a cooldown for searches of its organization, while others use the database. */
const min_cooldown_search_ms = 250
/** The cooldown is this many times the duration of the search, up to a maximum. */
const cooldown_factor = 3
const max_cooldown_ms = 10_000
/** A search that would wait longer for the end of a cooldown is rejected: its caller may have disconnected by then. */
const max_search_wait_ms = 2000
/**
 * Organizations that used the database within this time count as active; longer than they may have waited for a statement.
 */
const recent_use_ms = 30_000

interface Waiter {
  readonly start: () => void
  readonly refuse: (reason: SearchCooldownFailure) => void
}

/** The queue of an organization for one kind of statement. */
interface OrganizationQueue {
  readonly organization: string | null
  readonly statementKind: StatementKind
  readonly waiting: Waiter[]
}

const queueKey = (organization: string | null, statementKind: StatementKind): string =>
  `${organization ?? ''} ${statementKind}`

/**
 * A statement never waits for another queue: only for the holder of the connection, for statements already sent, and
 * for one statement of each other queue. A running statement cannot be interrupted here, so an organization with long
 * searches gets at most a quarter of the time for them while others are active.
 */
export function createConnectionScheduler({
  now_ms = monotonic_ms,
  ready_ms = () => Number.NEGATIVE_INFINITY,
  schedule = scheduleUnref,
}: ConnectionSchedulerOptions = {}): ConnectionScheduler {
  const queues = new ConnectionQueues({ now_ms, ready_ms, schedule })
  return { acquire: (organization, statementKind = 'statement') => queues.acquire(organization, statementKind) }
}

const scheduleUnref = (work: () => void, delay_ms: number): void => void setTimeout(work, delay_ms).unref()

class ConnectionQueues {
  private readonly queues = new Map<string, OrganizationQueue>()
  private readonly cooldowns: Cooldowns
  private readonly recentUsers: OrganizationUseTracker
  private readonly now_ms: () => number
  private readonly ready_ms: () => number
  private readonly schedule: NonNullable<ConnectionSchedulerOptions['schedule']>
  private isHeld = false
  private inFlight = 0
  private nextWake_ms = Number.POSITIVE_INFINITY
  /** The time when the thread last answered: before that, it worked on statements sent earlier. */
  private answered_ms = Number.NEGATIVE_INFINITY
  private servedUnscoped = false

  constructor({ now_ms, ready_ms, schedule }: Required<ConnectionSchedulerOptions>) {
    this.now_ms = now_ms
    this.ready_ms = ready_ms
    this.schedule = schedule
    this.cooldowns = new Cooldowns(now_ms)
    this.recentUsers = new OrganizationUseTracker(recent_use_ms, now_ms)
  }

  acquire(organization: string | null, statementKind: StatementKind): Promise<ConnectionLease> {
    return new Promise((resolve, reject) => {
      if (organization !== null) this.recentUsers.note(organization)
      const name = queueKey(organization, statementKind)
      const queue = this.queues.get(name) ?? { organization, statementKind, waiting: [] }
      this.queues.set(name, queue)
      queue.waiting.push({ start: () => resolve(this.createGrant(queue)), refuse: reject })
      this.grantNext()
    })
  }

  private createGrant({ organization, statementKind }: OrganizationQueue): ConnectionLease {
    this.isHeld = true
    if (organization !== null) this.recentUsers.note(organization)
    return {
      markSent: () => {
        const begun_ms = this.now_ms()
        // Nothing is sent while a search runs: it would wait as long.
        const weight = statementKind === 'search' ? max_in_flight : 1
        this.inFlight += weight
        return callOnce(() => {
          this.inFlight -= weight
          const now_ms = this.now_ms()
          // A search that was sent while the database was being opened again did not run until that had ended.
          const started_ms = Math.max(begun_ms, this.answered_ms, this.ready_ms())
          if (statementKind === 'search') this.cooldowns.record(organization, now_ms - started_ms)
          this.answered_ms = now_ms
          this.grantNext()
        })
      },
      release: callOnce(() => {
        this.isHeld = false
        this.grantNext()
      }),
    }
  }

  /** Grants the connection to the queue that has waited longest; a queue that was served moves to the end. */
  private grantNext(): void {
    if (this.isHeld || this.inFlight >= max_in_flight || this.queues.size === 0) return
    let next_ms = Number.POSITIVE_INFINITY
    for (const [name, queue] of this.queuesInOrder()) {
      const wait_ms =
        queue.statementKind === 'search' && this.hasOtherUsers(queue)
          ? this.cooldowns.remaining_ms(queue.organization)
          : 0
      if (wait_ms > max_search_wait_ms) {
        this.queues.delete(name)
        for (const { refuse } of queue.waiting) refuse(new SearchCooldownFailure(wait_ms))
        continue
      }
      next_ms = Math.min(next_ms, wait_ms)
      if (wait_ms > 0) continue
      const next = queue.waiting.shift()!
      this.servedUnscoped = queue.organization === null
      this.queues.delete(name)
      if (queue.waiting.length > 0) this.queues.set(name, queue)
      return next.start()
    }
    if (this.queues.size > 0) this.scheduleWake(next_ms)
  }

  /** Every second grant is for unscoped work: authentication, due tasks, health checks. */
  private *queuesInOrder(): Iterable<[string, OrganizationQueue]> {
    const name = queueKey(null, 'statement')
    const unscopedQueue = this.servedUnscoped ? undefined : this.queues.get(name)
    if (unscopedQueue) yield [name, unscopedQueue]
    yield* this.queues
  }

  /** True if other organizations are waiting or used the database recently. */
  private hasOtherUsers({ organization }: OrganizationQueue): boolean {
    for (const { organization: other } of this.queues.values()) {
      if (other !== null && other !== organization) return true
    }
    return this.recentUsers.hasOthers(organization)
  }

  private scheduleWake(delay_ms: number): void {
    const due_ms = this.now_ms() + delay_ms
    if (this.nextWake_ms <= due_ms) return
    this.nextWake_ms = due_ms
    this.schedule(() => {
      if (this.nextWake_ms === due_ms) this.nextWake_ms = Number.POSITIVE_INFINITY
      this.grantNext()
    }, delay_ms)
  }
}

function callOnce(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}

/** Until when organizations may not start a search while others use the database. */
class Cooldowns {
  private readonly ends_ms = new Map<string | null, number>()
  private readonly now_ms: () => number

  constructor(now_ms: () => number) {
    this.now_ms = now_ms
  }

  record(organization: string | null, took_ms: number): void {
    if (took_ms <= min_cooldown_search_ms) return
    this.ends_ms.set(organization, this.now_ms() + Math.min(took_ms * cooldown_factor, max_cooldown_ms))
  }

  /** The remaining time of a cooldown in milliseconds. */
  remaining_ms(organization: string | null): number {
    const end_ms = this.ends_ms.get(organization)
    if (end_ms === undefined) return 0
    const left_ms = end_ms - this.now_ms()
    if (left_ms > 0) return left_ms
    this.ends_ms.delete(organization)
    return 0
  }
}
