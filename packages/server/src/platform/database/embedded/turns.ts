import { monotonic_ms } from '../../clock.ts'
import { RecentUse } from '../../recent-use.ts'
import { SearchCooldown } from '../failures.ts'

/** What is sent: alone, as a search that may take long, or together with what follows. */
export type Sending = 'search' | 'statement'

/** The right to send to the one connection. */
export interface Turn {
  /** Says that something is sent; called when it is answered, the answer makes room for the next. */
  sent(): () => void
  /** Ends the turn; calling it twice does nothing. */
  release(): void
}

/** Gives the one connection to one holder after the other: organizations by turns, each in the order of asking. */
export interface Turns {
  /**
   * Resolves when it is the turn of the caller's organization; null stands for all who work across organizations. Throws
   * `SearchCooldown` for a search that would wait long because others of its organization took long.
   */
  take(organization: string | null, sending?: Sending): Promise<Turn>
}

export interface TurnsOptions {
  /** Milliseconds that only grow; tests have their own. */
  readonly now_ms?: () => number
  /** Calls back after so many milliseconds; tests have their own. */
  readonly later?: (work: () => void, delay_ms: number) => void
}

/** One that runs and one that is ready, so that the thread of the database is never idle; more would wait there in the order of sending. */
const most_sent = 2
/** A search that takes longer is followed by a cooldown of its organization's searches, while others use the database. */
const long_search_ms = 250
/** So many times as long as the search took, but no longer than that. */
const cooldown_factor = 3
const longest_cooldown_ms = 10_000
/** Who would wait longer for the end of a cooldown is refused: the caller may be gone by then. */
const longest_wait_ms = 2000
/** Others who used the database within this time will use it again; longer than they may have waited for a statement to end. */
const alone_after_ms = 30_000

interface Waiter {
  readonly start: () => void
  readonly refuse: (reason: SearchCooldown) => void
}

/** What an organization waits with; its searches and all else each have their order. */
interface OrganizationQueue {
  readonly organization: string | null
  readonly sending: Sending
  readonly waiting: Waiter[]
}

const nameOf = (organization: string | null, sending: Sending): string => `${organization ?? ''} ${sending}`

/**
 * Nobody waits for the queue of another organization: only for the holder of the turn, for what has been sent already, and
 * for one turn of each other organization. A statement that runs cannot be interrupted here, so an organization whose
 * searches take long has at most a quarter of the time for them while others are there.
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
  /** When the thread answered last: before, it worked on what was sent earlier. */
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
        // Nothing is sent behind a search: it would wait as long.
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

  /** Gives the turn to the organization that has waited longest for one; the one that had it last goes to the end. */
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

  /** Every second turn is for work that serves all organizations: who calls, what is due, whether the database is there. */
  private *inOrder(): Iterable<[string, OrganizationQueue]> {
    const name = nameOf(null, 'statement')
    const forAll = this.servesAll ? undefined : this.queues.get(name)
    if (forAll) yield [name, forAll]
    yield* this.queues
  }

  /** Whether others wait now, however long already, or used the database of late. */
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

/** Until when organizations begin no search while others use the database. */
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

  /** What is left of a cooldown, in milliseconds. */
  of(organization: string | null): number {
    const end_ms = this.ends_ms.get(organization)
    if (end_ms === undefined) return 0
    const left_ms = end_ms - this.now_ms()
    if (left_ms > 0) return left_ms
    this.ends_ms.delete(organization)
    return 0
  }
}
