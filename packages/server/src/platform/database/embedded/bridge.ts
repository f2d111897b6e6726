import { Worker } from 'node:worker_threads'
import type { Outcome } from '../driver.ts'
import { DatabaseFailure, StatementRefused } from '../failures.ts'
import { decoderOf } from '../values.ts'
import { counter } from './messages.ts'
import type { EngineOptions, Reply, Request, TextOutcome, WorkerData } from './messages.ts'

/** A request without its number, which the bridge gives. */
export type Work = Request extends infer One ? (One extends Request ? Omit<One, 'id'> : never) : never

export interface PostOptions {
  /** How long the statement may run before the thread is given up. */
  readonly limit_ms: number
  /** The life of the thread that the request belongs to; a request of an earlier life is refused. Absent: any life will do. */
  readonly life?: number
}

export interface Bridge {
  post(work: Work, options: PostOptions): Promise<Outcome[]>
  /** Grows by one with every reopening; a transaction ends with the life it began in. */
  life(): number
  facts(): { syncs: number; reopened: number }
  close(): Promise<void>
}

export interface BridgeOptions {
  readonly engine: EngineOptions
  /** Called when the thread was given up and a new one is being opened. */
  readonly onReopen: (reason: string) => void
}

interface Pending {
  readonly request: Request
  readonly options: PostOptions
  readonly resolve: (outcomes: Outcome[]) => void
  readonly reject: (error: Error) => void
}

/** One life of the worker thread. */
interface Thread {
  readonly worker: Worker
  readonly counters: BigInt64Array
}

const toOutcome = (outcome: TextOutcome): Outcome => {
  const decoders = outcome.columns.map((column) => ({ name: column.name, decode: decoderOf(column.type) }))
  const rows = outcome.rows.map((fields) => {
    const row: Record<string, unknown> = {}
    decoders.forEach(({ name, decode }, at) => {
      const field = fields[at] ?? null
      row[name] = field === null ? null : decode(field)
    })
    return row
  })
  return { rows, command: outcome.command }
}

/** Opens the thread and waits until it can answer. */
function openThread(engine: EngineOptions, onReply: (reply: Reply) => void, onGone: (why: string) => void): Promise<Thread> {
  const counters = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT * counter.length)
  const data: WorkerData = { engine, counters }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: data, stdout: true, stderr: true })
  return new Promise((resolve, reject) => {
    let open = false
    const refuse = (why: string): void => {
      if (open) return onGone(why)
      void worker.terminate()
      reject(new DatabaseFailure('database-unavailable', `the embedded database does not open: ${why}`))
    }
    worker.on('error', (error) => refuse(error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => refuse('its thread ended'))
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'unopened') return refuse(reply.message)
      if (reply.kind !== 'ready') return onReply(reply)
      open = true
      resolve({ worker, counters: new BigInt64Array(counters) })
    })
  })
}

/** A reply that is ready but not yet read must not count against a statement: the watchdog looks twice. */
const secondLook_ms = 250
const reopenAttempts = 3

/**
 * Requests to the thread that holds the engine, answered in order. A statement beyond its limit, a broken engine or a thread that ended
 * cost that thread its life: it is terminated and the folder opened anew. Requests that it had not begun then run in the next life; the
 * one under way fails, and so does everything of an open transaction.
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const { engine, onReopen } = options
  /** Posted to the thread, oldest first. */
  let posted: Pending[] = []
  /** Held back while there is no thread. */
  let held: Pending[] = []
  let state: 'open' | 'reopening' | 'broken' | 'closed' = 'open'
  let life = 0
  let nextId = 1
  let syncsBefore = 0
  let watch: NodeJS.Timeout | undefined
  let watched = 0

  const onReply = (reply: Reply): void => {
    if (state === 'reopening' || reply.kind === 'ready' || reply.kind === 'unopened') return
    const at = posted.findIndex((pending) => pending.request.id === reply.id)
    const [pending] = at < 0 ? [] : posted.splice(at, 1)
    if (!pending) return
    if (reply.kind === 'fatal') {
      posted.unshift(pending)
      return giveUp(`the engine broke: ${reply.message}`, new DatabaseFailure('outcome-unknown', `the engine broke under the statement: ${reply.message}`))
    }
    if (reply.kind === 'refusal') pending.reject(new StatementRefused(reply.refusal))
    else pending.resolve(reply.outcomes.map(toOutcome))
    watchHead()
  }

  const onGone = (why: string): void => {
    if (state === 'open') giveUp(why, new DatabaseFailure('outcome-unknown', `the database's thread ended under the statement: ${why}`))
  }

  let thread = await openThread(engine, onReply, onGone)

  function watchHead(): void {
    const head = posted[0]
    if (head?.request.id === watched) return
    clearTimeout(watch)
    watched = head?.request.id ?? 0
    if (!head) return
    const { limit_ms } = head.options
    const giveUpHead = (): void =>
      giveUp(
        `a statement ran longer than ${limit_ms} ms`,
        new DatabaseFailure('statement-too-long', `the statement ran longer than ${limit_ms} ms and was ended`),
      )
    watch = setTimeout(() => {
      watch = setTimeout(giveUpHead, secondLook_ms)
    }, limit_ms)
  }

  function send(pending: Pending): void {
    if (pending.options.life !== undefined && pending.options.life !== life) {
      return pending.reject(new DatabaseFailure('transaction-lost', 'the database was reopened and the transaction is lost'))
    }
    posted.push(pending)
    thread.worker.postMessage(pending.request)
    watchHead()
  }

  /** Ends this life of the thread. `error` is for the request under way. */
  function giveUp(reason: string, error: Error): void {
    if (state !== 'open') return
    state = 'reopening'
    clearTimeout(watch)
    watched = 0
    onReopen(reason)
    void reopen(error)
  }

  async function reopen(error: Error): Promise<void> {
    const lost = posted
    posted = []
    await thread.worker.terminate()
    const begun = Number(Atomics.load(thread.counters, counter.begun))
    syncsBefore += Number(Atomics.load(thread.counters, counter.syncs))
    life += 1
    const again: Pending[] = []
    for (const pending of lost) {
      const untouched = pending.request.id > begun && pending.options.life === undefined
      if (untouched) again.push(pending)
      else if (pending.request.id >= begun || pending === lost[0]) pending.reject(error)
      else pending.reject(new DatabaseFailure('outcome-unknown', 'the database was reopened before the answer came'))
    }
    held = [...again, ...held]
    try {
      thread = await openAgain()
    } catch (failure) {
      state = 'broken'
      for (const pending of held.splice(0)) pending.reject(failure as Error)
      return
    }
    state = 'open'
    for (const pending of held.splice(0)) send(pending)
  }

  async function openAgain(): Promise<Thread> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await openThread(engine, onReply, onGone)
      } catch (error) {
        if (attempt === reopenAttempts) throw error
      }
    }
  }

  const post = (work: Work, postOptions: PostOptions): Promise<Outcome[]> =>
    new Promise((resolve, reject) => {
      const request = { ...work, id: nextId++ } as Request
      const pending: Pending = { request, options: postOptions, resolve, reject }
      if (state === 'open') send(pending)
      else if (state === 'reopening') held.push(pending)
      else if (state === 'closed') reject(new DatabaseFailure('database-closed', 'the database is closed'))
      else reject(new DatabaseFailure('database-unavailable', 'the embedded database could not be reopened'))
    })

  return {
    post,
    life: () => life,
    facts: () => ({ syncs: syncsBefore + Number(Atomics.load(thread.counters, counter.syncs)), reopened: life }),
    close: async () => {
      if (state === 'closed') return
      if (state !== 'broken') await post({ kind: 'close' }, { limit_ms: 60_000 }).catch(() => undefined)
      state = 'closed'
      clearTimeout(watch)
      await thread.worker.terminate()
    },
  }
}
