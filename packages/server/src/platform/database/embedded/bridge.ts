import { monotonic_ms } from '../../clock.ts'
import type { Outcome } from '../driver.ts'
import { DatabaseFailure, StatementRefused } from '../failures.ts'
import { decoderOf } from '../values.ts'
import type { EngineOptions, Reply, Request, TextOutcome } from './messages.ts'
import { openThread } from './thread.ts'
import type { OpenThread, Thread } from './thread.ts'

/** A request without its id, which the client assigns. */
export type Work = Request extends infer One ? (One extends Request ? Omit<One, 'id'> : never) : never

export interface PostOptions {
  /** How long the statement may run before the thread is terminated. */
  readonly limit_ms: number
  /** The thread generation that the request belongs to; rejected if another one is running. Absent: any generation. */
  readonly life?: number
}

export interface BridgeOptions {
  readonly engine: EngineOptions
  /** Starts a thread with the engine; `openEngineThread` if omitted. */
  readonly openThread?: OpenThread
  /** How long to wait before a database that could not be reopened is tried again; default 5000. */
  readonly reviveAfter_ms?: number
  /** Called when the thread is terminated and a new one is started. */
  readonly onReopen: (reason: string) => void
}

interface Pending {
  readonly request: Request
  readonly options: PostOptions
  readonly resolve: (outcomes: Outcome[]) => void
  readonly reject: (error: Error) => void
}

/** A second delay, so that a reply that has arrived but is not yet processed does not count as a timeout. */
const secondLook_ms = 250
const closing_ms = 60_000
const reopenAttempts = 3
/** A database that could not be reopened (for example because the disk is full) is retried on a request after this time. */
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
 * Sends requests to the thread that runs the engine and returns its replies in order. A statement beyond its timeout, a
 * broken engine or an ended thread makes it terminate the thread and reopen the folder in a new thread generation.
 * Requests that had not started then run in the next generation; the running one fails, and so does every request of an
 * open transaction.
 */
export class Bridge {
  readonly #options: BridgeOptions
  #thread: Thread | undefined
  /** Sent to the thread, oldest first. */
  #posted: Pending[] = []
  /** Queued while there is no thread. */
  #held: Pending[] = []
  #state: 'open' | 'reopening' | 'broken' | 'closed' = 'reopening'
  #life = 0
  #broken_ms = 0
  #whyBroken: Error = new DatabaseFailure('database-unavailable', 'the embedded database could not be reopened')
  #nextId = 1
  #syncsOfEarlierLives = 0
  #watch: NodeJS.Timeout | undefined
  /** The id of the request that the watchdog times; 0 for none. */
  #watched = 0

  constructor(options: BridgeOptions) {
    this.#options = options
  }

  /** Opens the first thread; throws `database-unavailable`. */
  async open(): Promise<void> {
    this.#thread = await this.#openThread()
    this.#state = 'open'
  }

  /** Grows by one with every reopening; a transaction ends with the generation it began in. */
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
    // Requests sent after the close request were never started.
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
          new DatabaseFailure('outcome-unknown', `the database thread ended during the statement: ${why}`),
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
      const why = `the engine failed during the statement: ${reply.message}`
      this.#giveUp(why, new DatabaseFailure('outcome-unknown', why))
      return
    }
    this.#posted.splice(at, 1)
    if (reply.kind === 'refusal') pending.reject(new StatementRefused(reply.refusal))
    else pending.resolve(reply.kind === 'closed' ? [] : reply.outcomes.map(toOutcome))
    this.#watchOldest()
  }

  /** The thread replies in order, so the oldest request is the running one. */
  #watchOldest(): void {
    const oldest = this.#posted[0]
    if ((oldest?.request.id ?? 0) === this.#watched) return
    clearTimeout(this.#watch)
    this.#watched = oldest?.request.id ?? 0
    if (!oldest) return
    const why = `the statement ran longer than ${oldest.options.limit_ms} ms and was cancelled`
    const end = (): void => this.#giveUp(why, new DatabaseFailure('statement-too-long', why))
    this.#watch = setTimeout(() => {
      this.#watch = setTimeout(end, secondLook_ms)
    }, oldest.options.limit_ms)
  }

  /** Terminates this thread generation. `error` is for the running request. */
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
    this.#options.onReopen('the last attempt to reopen the database failed')
    void this.#openNext()
  }

  /** Opens the next generation and sends the queued requests. */
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

  /** Requests that never started are queued for the next generation; the others fail. */
  #settleLost(lost: readonly Pending[], begun: number, error: Error): void {
    const again: Pending[] = []
    for (const pending of lost) {
      const { id } = pending.request
      if (id > begun && pending.options.life === undefined) again.push(pending)
      else if (id >= begun) pending.reject(error)
      else pending.reject(new DatabaseFailure('outcome-unknown', 'the database was reopened before the reply arrived'))
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

/** Opens an engine client whose thread is ready. Throws `database-unavailable`. */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const bridge = new Bridge(options)
  await bridge.open()
  return bridge
}
