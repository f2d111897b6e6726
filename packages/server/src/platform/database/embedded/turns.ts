import { monotonic_ms } from '../../clock.ts'
import { RecentUse } from '../../recent-use.ts'
import { SearchCooldown } from '../failures.ts'

/** A search may take long and is sent alone; other statements may be sent while one is running. */
export type Sending = 'search' | 'statement'

/** The right to use the single connection. */
export interface Turn {
  /** Marks a statement as sent; the returned function marks it as answered, which makes room for the next. */
  sent(): () => void
  /** Releases the connection; a second call does nothing. */
  release(): void
}

/** Schedules the single connection fairly: round robin between organizations, first in, first out within each. */
export interface Turns {
  /**
   * Resolves when the caller may use the connection; null stands for all unscoped work. Throws `SearchCooldownFailure` for
   * a search that would wait long because earlier searches of its organization took long.
   */
  take(organization: string | null, sending?: Sending): Promise<Turn>
}

export interface TurnsOptions {
  /** Monotonic milliseconds; replaced in tests. */
  readonly now_ms?: () => number
  /** Calls back after a delay; replaced in tests. */
  readonly later?: (work: () => void, delay_ms: number) => void
}

/** One running and one ready, so that the database thread is never idle; more would queue there in the order of sending. */
const most_sent = 2
/** A search that takes longer than this starts a cooldown for searches of its organization, while others use the database. */
const long_search_ms = 250
/** The cooldown is this many times the duration of the search, up to a maximum. */
const cooldown_factor = 3
const longest_cooldown_ms = 10_000
/** A search that would wait longer for the end of a cooldown is rejected: its caller may be gone by then. */
const longest_wait_ms = 2000
/**
 * Organizations that used the database within this time count as active; longer than they may have waited for a statement.
 */
const alone_after_ms = 30_000

interface Waiter {
  readonly start: () => void
  readonly refuse: (reason: SearchCooldown) => void
}

/** The queue of an organization; its searches and its other statements have separate queues. */
interface OrganizationQueue {
  readonly organization: string | null
  readonly sending: Sending
  readonly waiting: Waiter[]
}

const nameOf = (organization: string | null, sending: Sending): string => `${organization ?? ''} ${sending}`

/**
 * A statement never waits for the queue of another organization: only for the holder of the connection, for what is
 * already sent, and for one statement of each other organization. A running statement cannot be interrupted here, so an
 * organization with long searches gets at most a quarter of the time for them while others are active.
 */
export function openTurns({ now_ms = monotonic_ms, later = laterUnref }: TurnsOptions = {}): Turns {
  const queues = new OrganizationQueues(now_ms, later)
  return { take: (organization, sending = 'statement') => queues.take(organization, sending) }
}

const laterUnref = (work: () => void, delay_ms: number): void => void setTimeout(work, delay_ms).unref()

class OrganizationQueues {
  private readonly queues = new Map<string, OrganizationQueue>()
  private readonly cooldowns: Cooldowns
  private readonly users: RecentUse
  private readonly now_ms: () => number
  private readonly later: NonNullable<TurnsOptions['later']>
  private taken = false
  private sent = 0
  private wakes_ms = Number.POSITIVE_INFINITY
  /** When the thread answered last: before that, it worked on statements sent earlier. */
  private answered_ms = Number.NEGATIVE_INFINITY
  private servesAll = false

  constructor(now_ms: () => number, later: NonNullable<TurnsOptions['later']>) {
    this.now_ms = now_ms
    this.later = later
    this.cooldowns = new Cooldowns(now_ms)
    this.users = new RecentUse(alone_after_ms, now_ms)
  }

  take(organization: string | null, sending: Sending): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (organization !== null) this.users.note(organization)
      const name = nameOf(organization, sending)
      const queue = this.queues.get(name) ?? { organization, sending, waiting: [] }
      this.queues.set(name, queue)
      queue.waiting.push({ start: () => resolve(this.newTurn(queue)), refuse: reject })
      this.pass()
    })
  }

  private newTurn({ organization, sending }: OrganizationQueue): Turn {
    this.taken = true
    if (organization !== null) this.users.note(organization)
    return {
      sent: () => {
        const begun_ms = this.now_ms()
        // Nothing is sent while a search runs: it would wait as long.
        const weight = sending === 'search' ? most_sent : 1
        this.sent += weight
        return once(() => {
          this.sent -= weight
          const now_ms = this.now_ms()
          if (sending === 'search') this.cooldowns.note(organization, now_ms - Math.max(begun_ms, this.answered_ms))
          this.answered_ms = now_ms
          this.pass()
        })
      },
      release: once(() => {
        this.taken = false
        this.pass()
      }),
    }
  }

  /** Grants the connection to the queue that has waited longest; a queue that was served moves to the end. */
  private pass(): void {
    if (this.taken || this.sent >= most_sent || this.queues.size === 0) return
    let next_ms = Number.POSITIVE_INFINITY
    for (const [name, queue] of this.inOrder()) {
      const wait_ms =
        queue.sending === 'search' && this.isBesideOthers(queue) ? this.cooldowns.of(queue.organization) : 0
      if (wait_ms > longest_wait_ms) {
        this.queues.delete(name)
        for (const { refuse } of queue.waiting) refuse(new SearchCooldown(wait_ms))
        continue
      }
      next_ms = Math.min(next_ms, wait_ms)
      if (wait_ms > 0) continue
      const next = queue.waiting.shift()!
      this.servesAll = queue.organization === null
      this.queues.delete(name)
      if (queue.waiting.length > 0) this.queues.set(name, queue)
      return next.start()
    }
    if (this.queues.size > 0) this.wakeIn(next_ms)
  }

  /** Every second grant is for unscoped work: authentication, due tasks, health checks. */
  private *inOrder(): Iterable<[string, OrganizationQueue]> {
    const name = nameOf(null, 'statement')
    const forAll = this.servesAll ? undefined : this.queues.get(name)
    if (forAll) yield [name, forAll]
    yield* this.queues
  }

  /** True if other organizations are waiting or used the database recently. */
  private isBesideOthers({ organization }: OrganizationQueue): boolean {
    for (const { organization: other } of this.queues.values()) {
      if (other !== null && other !== organization) return true
    }
    return this.users.hasOthers(organization)
  }

  private wakeIn(delay_ms: number): void {
    const due_ms = this.now_ms() + delay_ms
    if (this.wakes_ms <= due_ms) return
    this.wakes_ms = due_ms
    this.later(() => {
      if (this.wakes_ms === due_ms) this.wakes_ms = Number.POSITIVE_INFINITY
      this.pass()
    }, delay_ms)
  }
}

function once(work: () => void): () => void {
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

  note(organization: string | null, took_ms: number): void {
    if (took_ms <= long_search_ms) return
    this.ends_ms.set(organization, this.now_ms() + Math.min(took_ms * cooldown_factor, longest_cooldown_ms))
  }

  /** The remaining time of a cooldown in milliseconds. */
  of(organization: string | null): number {
    const end_ms = this.ends_ms.get(organization)
    if (end_ms === undefined) return 0
    const left_ms = end_ms - this.now_ms()
    if (left_ms > 0) return left_ms
    this.ends_ms.delete(organization)
    return 0
  }
}
