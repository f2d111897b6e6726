import { monotonic_ms } from '../../clock.ts'
import type { Outcome } from '../driver.ts'
import { DatabaseFailure, StatementRefused } from '../failures.ts'
import { decoderOf } from '../values.ts'
import type { EngineOptions, Reply, Request, TextOutcome } from './messages.ts'
import { openThread } from './thread.ts'
import type { OpenThread, Thread } from './thread.ts'

/** A request without its number, which the bridge gives. */
export type Work = Request extends infer One ? (One extends Request ? Omit<One, 'id'> : never) : never

export interface PostOptions {
  /** How long the statement may run before the thread is given up. */
  readonly limit_ms: number
  /** The life of the thread that the request belongs to; a request of an earlier life is refused. Absent: any life will do. */
  readonly life?: number
}

export interface BridgeOptions {
  readonly engine: EngineOptions
  /** Starts a thread with the engine; `openThread` where left out. */
  readonly openThread?: OpenThread
  /** How long a database that could not be reopened is left alone; 5000. */
  readonly reviveAfter_ms?: number
  /** Called when the thread is given up and a new one is being opened. */
  readonly onReopen: (reason: string) => void
}

interface Pending {
  readonly request: Request
  readonly options: PostOptions
  readonly resolve: (outcomes: Outcome[]) => void
  readonly reject: (error: Error) => void
}

/** A reply that is ready but not yet read must not count against a statement: the watchdog looks twice. */
const secondLook_ms = 250
const closing_ms = 60_000
const reopenAttempts = 3
/** A database that could not be reopened, as on a full disk, is tried again when it is asked after so long. */
const reviveAfter_ms = 5000

const toOutcome = (outcome: TextOutcome): Outcome => {
  const columns = outcome.columns.map((column) => ({ name: column.name, decode: decoderOf(column.type) }))
  const rows = outcome.rows.map((fields) => {
    const row: Record<string, unknown> = {}
    columns.forEach(({ name, decode }, at) => {
      const field = fields[at] ?? null
      row[name] = field === null ? null : decode(field)
    })
    return row
  })
  return { rows, command: outcome.command }
}

/**
 * Requests to the thread that holds the engine, answered in order. A statement beyond its limit, a broken engine or a thread that ended
 * cost that thread its life: it is terminated and the folder opened anew. Requests that it had not begun then run in the next life; the
 * one under way fails, and so does everything of an open transaction.
 */
export class Bridge {
  readonly #options: BridgeOptions
  #thread: Thread | undefined
  /** Posted to the thread, oldest first. */
  #posted: Pending[] = []
  /** Held back while there is no thread. */
  #held: Pending[] = []
  #state: 'open' | 'reopening' | 'broken' | 'closed' = 'reopening'
  #life = 0
  #broken_ms = 0
  #whyBroken: Error = new DatabaseFailure('database-unavailable', 'the embedded database could not be reopened')
  #nextId = 1
  #syncsOfEarlierLives = 0
  #watch: NodeJS.Timeout | undefined
  /** The request that the watchdog looks at; 0 for none. */
  #watched = 0

  constructor(options: BridgeOptions) {
    this.#options = options
  }

  /** Opens the first life; throws `database-unavailable`. */
  async open(): Promise<void> {
    this.#thread = await this.#openThread()
    this.#state = 'open'
  }

  /** Grows by one with every reopening; a transaction ends with the life it began in. */
  get life(): number {
    return this.#life
  }

  facts(): { syncs: number; reopened: number } {
    return { syncs: this.#syncsOfEarlierLives + (this.#thread?.syncs() ?? 0), reopened: this.#life }
  }

  post(work: Work, options: PostOptions): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      const request = { ...work, id: this.#nextId++ } as Request
      const pending: Pending = { request, options, resolve, reject }
      if (this.#state === 'open') this.#send(pending)
      else if (this.#state === 'reopening') this.#held.push(pending)
      else if (
        this.#state === 'broken' &&
        monotonic_ms() - this.#broken_ms >= (this.#options.reviveAfter_ms ?? reviveAfter_ms)
      )
        this.#revive(pending)
      else if (this.#state === 'closed') reject(new DatabaseFailure('database-closed', 'the database is closed'))
      else reject(this.#whyBroken)
    })
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    if (this.#state !== 'broken') await this.post({ kind: 'close' }, { limit_ms: closing_ms }).catch(() => undefined)
    this.#state = 'closed'
    clearTimeout(this.#watch)
    await this.#thread?.end()
    // What was posted behind the end was never begun.
    const late = new DatabaseFailure('database-closed', 'the database is closed')
    for (const pending of [...this.#posted.splice(0), ...this.#held.splice(0)]) pending.reject(late)
  }

  #openThread(): Promise<Thread> {
    const open = this.#options.openThread ?? openThread
    return open(this.#options.engine, {
      onReply: (reply) => this.#onReply(reply),
      onGone: (why) =>
        this.#giveUp(
          why,
          new DatabaseFailure('outcome-unknown', `the database's thread ended under the statement: ${why}`),
        ),
    })
  }

  #send(pending: Pending): void {
    const { life } = pending.options
    if (life !== undefined && life !== this.#life) {
      pending.reject(new DatabaseFailure('transaction-lost', 'the database was reopened and the transaction is lost'))
      return
    }
    this.#posted.push(pending)
    this.#thread?.send(pending.request)
    this.#watchOldest()
  }

  #onReply(reply: Reply): void {
    if (this.#state === 'reopening' || reply.kind === 'ready' || reply.kind === 'unopened') return
    const at = this.#posted.findIndex((pending) => pending.request.id === reply.id)
    const pending = this.#posted[at]
    if (!pending) return
    if (reply.kind === 'fatal') {
      const why = `the engine broke under the statement: ${reply.message}`
      this.#giveUp(why, new DatabaseFailure('outcome-unknown', why))
      return
    }
    this.#posted.splice(at, 1)
    if (reply.kind === 'refusal') pending.reject(new StatementRefused(reply.refusal))
    else pending.resolve(reply.kind === 'closed' ? [] : reply.outcomes.map(toOutcome))
    this.#watchOldest()
  }

  /** The thread answers in order, so the oldest request is the one that runs. */
  #watchOldest(): void {
    const oldest = this.#posted[0]
    if ((oldest?.request.id ?? 0) === this.#watched) return
    clearTimeout(this.#watch)
    this.#watched = oldest?.request.id ?? 0
    if (!oldest) return
    const why = `the statement ran longer than ${oldest.options.limit_ms} ms and was ended`
    const end = (): void => this.#giveUp(why, new DatabaseFailure('statement-too-long', why))
    this.#watch = setTimeout(() => {
      this.#watch = setTimeout(end, secondLook_ms)
    }, oldest.options.limit_ms)
  }

  /** Ends this life of the thread. `error` is for the request under way. */
  #giveUp(reason: string, error: Error): void {
    if (this.#state !== 'open') return
    this.#state = 'reopening'
    clearTimeout(this.#watch)
    this.#watched = 0
    this.#options.onReopen(reason)
    void this.#reopen(error)
  }

  async #reopen(error: Error): Promise<void> {
    await this.#thread?.end()
    this.#settleLost(this.#posted.splice(0), this.#thread?.begun() ?? 0, error)
    this.#syncsOfEarlierLives += this.#thread?.syncs() ?? 0
    this.#life += 1
    await this.#openNext()
  }

  #revive(pending: Pending): void {
    this.#state = 'reopening'
    this.#held.push(pending)
    this.#options.onReopen('the database could not be reopened before')
    void this.#openNext()
  }

  /** Opens the next life for what is held. */
  async #openNext(): Promise<void> {
    try {
      this.#thread = await this.#openAgain()
    } catch (failure) {
      this.#state = 'broken'
      this.#broken_ms = monotonic_ms()
      this.#whyBroken = failure as Error
      for (const pending of this.#held.splice(0)) pending.reject(failure as Error)
      return
    }
    this.#state = 'open'
    for (const pending of this.#held.splice(0)) this.#send(pending)
  }

  /** Of what was posted: requests never begun are held for the next life, the others fail. */
  #settleLost(lost: readonly Pending[], begun: number, error: Error): void {
    const again: Pending[] = []
    for (const pending of lost) {
      const { id } = pending.request
      if (id > begun && pending.options.life === undefined) again.push(pending)
      else if (id >= begun) pending.reject(error)
      else pending.reject(new DatabaseFailure('outcome-unknown', 'the database was reopened before the answer came'))
    }
    this.#held.unshift(...again)
  }

  async #openAgain(): Promise<Thread> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#openThread()
      } catch (error) {
        if (attempt === reopenAttempts) throw error
      }
    }
  }
}

/** A bridge whose thread can answer. Throws `database-unavailable`. */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const bridge = new Bridge(options)
  await bridge.open()
  return bridge
}
