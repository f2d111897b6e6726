import { monotonic_ms } from '../../clock.ts'
import type { StatementResult } from '../driver.ts'
import { DatabaseFailure, StatementError } from '../failures.ts'
import { getColumnDecoder } from '../values.ts'
import type {
  DatabaseEngineOptions,
  DatabaseEngineReply,
  DatabaseEngineRequest,
  TextFormatQueryResult,
} from './messages.ts'
import { openDatabaseEngineThread } from './thread.ts'
import type { DatabaseEngineThreadOpener, DatabaseEngineThread } from './thread.ts'

/** A request without its id, which the client assigns. */
export type DatabaseEngineRequestBody = DatabaseEngineRequest extends infer Single
  ? Single extends DatabaseEngineRequest
    ? Omit<Single, 'id'>
    : never
  : never

export interface DatabaseEngineRequestOptions {
  /** The time that the statement may run before the thread is terminated. */
  readonly timeout_ms: number
  /** The thread generation that the request belongs to; rejected if another one is running. Absent: any generation. */
  readonly generation?: number
}

export interface DatabaseEngineClientOptions {
  readonly engine: DatabaseEngineOptions
  /** Starts a thread with the engine; `openDatabaseEngineThread` if omitted. */
  readonly openThread?: DatabaseEngineThreadOpener
  /** The delay before another attempt at a database that could not be reopened; default 5000. */
  readonly reopen_delay_ms?: number
  /** Called when the thread is terminated and a new one is started. */
  readonly onReopen: (reason: string) => void
}

interface PendingRequest {
  readonly request: DatabaseEngineRequest
  readonly options: DatabaseEngineRequestOptions
  readonly resolve: (results: StatementResult[]) => void
  readonly reject: (error: Error) => void
}

/** A second delay, so that a reply that has arrived but is not yet processed does not count as a timeout. */
const watchdog_grace_ms = 250
const close_timeout_ms = 60_000
const max_reopen_attempts = 3
/** A database that could not be reopened (for example because the disk is full) is retried on a request after this time. */
const default_reopen_delay_ms = 5000

const toStatementResult = (result: TextFormatQueryResult): StatementResult => {
  const columns = result.columns.map((column) => ({ name: column.name, decode: getColumnDecoder(column.type) }))
  const rows = result.rows.map((fields) => {
    const row: Record<string, unknown> = {}
    columns.forEach(({ name, decode }, index) => {
      const field = fields[index] ?? null
      row[name] = field === null ? null : decode(field)
    })
    return row
  })
  return { rows, command: result.command }
}

/**
 * Sends requests to the thread that runs the engine and returns its replies in order. A statement beyond its timeout, a
 * broken engine or an ended thread makes it terminate the thread and reopen the folder in a new thread generation.
 * Requests that had not started then run in the next generation; the running one fails, and so does every request of an
 * open transaction.
 */
export class DatabaseEngineClient {
  readonly #options: DatabaseEngineClientOptions
  #thread: DatabaseEngineThread | undefined
  /** Sent to the thread, oldest first. */
  #posted: PendingRequest[] = []
  /** Queued while there is no thread. */
  #queued: PendingRequest[] = []
  #state: 'open' | 'reopening' | 'broken' | 'closed' = 'reopening'
  #generation = 0
  #ready_ms = Number.NEGATIVE_INFINITY
  #broken_ms = 0
  #openFailure: Error = new DatabaseFailure('database-unavailable', 'the embedded database could not be reopened')
  #nextId = 1
  #earlierSyncs = 0
  #watch: NodeJS.Timeout | undefined
  /** The id of the request that the watchdog times; 0 for none. */
  #watched = 0

  constructor(options: DatabaseEngineClientOptions) {
    this.#options = options
  }

  /** Opens the first thread; throws `database-unavailable`. */
  async open(): Promise<void> {
    this.#thread = await this.#openThread()
    this.#markReady()
  }

  /** Grows by one with every reopening; a transaction ends with the generation it began in. */
  get generation(): number {
    return this.#generation
  }

  /** The time when the current thread became ready, in monotonic milliseconds; no statement ran on it before. */
  get ready_ms(): number {
    return this.#ready_ms
  }

  counters(): { syncs: number; reopened: number } {
    return { syncs: this.#earlierSyncs + (this.#thread?.syncs() ?? 0), reopened: this.#generation }
  }

  post(body: DatabaseEngineRequestBody, options: DatabaseEngineRequestOptions): Promise<StatementResult[]> {
    return new Promise((resolve, reject) => {
      const request = { ...body, id: this.#nextId++ } as DatabaseEngineRequest
      const pending: PendingRequest = { request, options, resolve, reject }
      if (this.#state === 'open') this.#send(pending)
      else if (this.#state === 'reopening') this.#queued.push(pending)
      else if (
        this.#state === 'broken' &&
        monotonic_ms() - this.#broken_ms >= (this.#options.reopen_delay_ms ?? default_reopen_delay_ms)
      )
        this.#revive(pending)
      else if (this.#state === 'closed') reject(new DatabaseFailure('database-closed', 'the database is closed'))
      else reject(this.#openFailure)
    })
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    if (this.#state !== 'broken')
      await this.post({ kind: 'close' }, { timeout_ms: close_timeout_ms }).catch(() => undefined)
    this.#state = 'closed'
    clearTimeout(this.#watch)
    await this.#thread?.end()
    // Requests sent after the close request were never started.
    const closedFailure = new DatabaseFailure('database-closed', 'the database is closed')
    for (const pending of [...this.#posted.splice(0), ...this.#queued.splice(0)]) pending.reject(closedFailure)
  }

  #markReady(): void {
    this.#state = 'open'
    this.#ready_ms = monotonic_ms()
  }

  #openThread(): Promise<DatabaseEngineThread> {
    const openThreadFunction = this.#options.openThread ?? openDatabaseEngineThread
    return openThreadFunction(this.#options.engine, {
      onReply: (reply) => this.#onReply(reply),
      onEnded: (reason) =>
        this.#giveUp(
          reason,
          new DatabaseFailure('outcome-unknown', `the database thread ended during the statement: ${reason}`),
        ),
    })
  }

  #send(pending: PendingRequest): void {
    const { generation } = pending.options
    if (generation !== undefined && generation !== this.#generation) {
      pending.reject(new DatabaseFailure('transaction-lost', 'the database was reopened and the transaction is lost'))
      return
    }
    this.#posted.push(pending)
    this.#thread?.send(pending.request)
    this.#watchOldest()
  }

  #onReply(reply: DatabaseEngineReply): void {
    if (this.#state === 'reopening' || reply.kind === 'ready' || reply.kind === 'unopened') return
    const index = this.#posted.findIndex((pending) => pending.request.id === reply.id)
    const pending = this.#posted[index]
    if (!pending) return
    if (reply.kind === 'fatal') {
      const reason = `the engine failed during the statement: ${reply.message}`
      this.#giveUp(reason, new DatabaseFailure('outcome-unknown', reason))
      return
    }
    this.#posted.splice(index, 1)
    if (reply.kind === 'refusal') pending.reject(new StatementError(reply.refusal))
    else pending.resolve(reply.kind === 'closed' ? [] : reply.outcomes.map(toStatementResult))
    this.#watchOldest()
  }

  /** The thread replies in order, so the oldest request is the running one. */
  #watchOldest(): void {
    const oldest = this.#posted[0]
    if ((oldest?.request.id ?? 0) === this.#watched) return
    clearTimeout(this.#watch)
    this.#watched = oldest?.request.id ?? 0
    if (!oldest) return
    const reason = `the statement ran longer than ${oldest.options.timeout_ms} ms and was cancelled`
    const giveUp = (): void => this.#giveUp(reason, new DatabaseFailure('statement-too-long', reason))
    this.#watch = setTimeout(() => {
      this.#watch = setTimeout(giveUp, watchdog_grace_ms)
    }, oldest.options.timeout_ms)
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
    this.#earlierSyncs += this.#thread?.syncs() ?? 0
    this.#generation += 1
    await this.#openNext()
  }

  #revive(pending: PendingRequest): void {
    this.#state = 'reopening'
    this.#queued.push(pending)
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
      this.#openFailure = failure as Error
      for (const pending of this.#queued.splice(0)) pending.reject(failure as Error)
      return
    }
    this.#markReady()
    for (const pending of this.#queued.splice(0)) this.#send(pending)
  }

  /** Requests that never started are queued for the next generation; the others fail. */
  #settleLost(lostRequests: readonly PendingRequest[], lastBegunId: number, error: Error): void {
    const retried: PendingRequest[] = []
    for (const pending of lostRequests) {
      const { id } = pending.request
      if (id > lastBegunId && pending.options.generation === undefined) retried.push(pending)
      else if (id >= lastBegunId) pending.reject(error)
      else pending.reject(new DatabaseFailure('outcome-unknown', 'the database was reopened before the reply arrived'))
    }
    this.#queued.unshift(...retried)
  }

  async #openAgain(): Promise<DatabaseEngineThread> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#openThread()
      } catch (error) {
        if (attempt === max_reopen_attempts) throw error
      }
    }
  }
}

/** Opens an engine client whose thread is ready. Throws `database-unavailable`. */
export async function openDatabaseEngineClient(options: DatabaseEngineClientOptions): Promise<DatabaseEngineClient> {
  const engineClient = new DatabaseEngineClient(options)
  await engineClient.open()
  return engineClient
}
