import type { Job, PgBoss } from 'pg-boss'
import { monotonic_ms } from '../clock.ts'
import type { QueueLog, TaskKind } from './queue.ts'
import type { Slots } from './slots.ts'
import { writeOutcome } from './write-outcome.ts'

/** Looks for the tasks of one kind and runs them. */
export interface Worker {
  readonly task: string
  /** There may be work: look now. */
  wake(): void
  stop(grace_ms: number): Promise<void>
}

export interface WorkerOptions {
  /** Shared by the workers of all kinds. */
  readonly slots: Slots
  /** How often running tasks say that they are alive. */
  readonly alive_ms: number
  readonly log: QueueLog | undefined
  /** Lets a task wait again as if it had not been begun. */
  readonly giveBack: (task: string, id: string) => Promise<void>
}

/** How long a stop tries to write down what has ended. */
const lastTries_ms = 2000

/** Why an attempt ends when the process does. It is no failure of the task. */
class ProcessStops extends Error {
  override readonly name = 'ProcessStops'
}

/** A running attempt. */
interface Attempt {
  readonly job: Job<object>
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** Settles when the signal is aborted, by throwing its reason. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** How an attempt ended: with the error that ended it, or without. */
type Ending = { readonly error: unknown } | null

/** Runs one attempt, for as long as it may take and the process lasts. Never throws. */
async function runAttempt(kind: TaskKind, job: Job<object>, abort: AbortController): Promise<Ending> {
  const expiry = setTimeout(
    () => abort.abort(new Error(`the attempt took longer than ${kind.retry.expire_s} s`)),
    kind.retry.expire_s * 1000,
  )
  try {
    const gone = aborted(abort.signal)
    const facts = { id: job.id, number: job.retryCount, last: job.retryCount >= kind.retry.limit }
    await Promise.race([kind.run(job.data, abort.signal, facts), gone])
    return null
  } catch (error) {
    return { error: abort.signal.aborted ? abort.signal.reason : error }
  } finally {
    clearTimeout(expiry)
  }
}

/**
 * Tells the queue how an attempt ended. Where that cannot be written, also after many tries, the queue learns it from the
 * silence of the heartbeat, and the task is done again. Never throws.
 */
async function tellEnding(
  boss: PgBoss,
  kind: TaskKind,
  job: Job<object>,
  ending: Ending,
  ends: AbortSignal,
  { log, giveBack }: WorkerOptions,
): Promise<void> {
  const facts = { task: kind.name, id: job.id, attempt: job.retryCount + 1 }
  const attempt = { id: job.id, retryCount: job.retryCount }
  const write = (): Promise<unknown> => {
    if (!ending) return boss.complete(kind.name, attempt)
    const { error } = ending
    if (error instanceof ProcessStops) return giveBack(kind.name, job.id)
    return boss.fail(kind.name, attempt, error instanceof Error ? error : { message: String(error) })
  }
  if (ending && !(ending.error instanceof ProcessStops)) log?.warn({ ...facts, error: ending.error }, 'a task failed')
  try {
    await writeOutcome(write, ends)
  } catch (error) {
    log?.error({ ...facts, error }, 'the end of a task could not be written down')
  }
}

/** Rests until it is woken; who was woken before does not rest. */
function openPause(): { rest(): Promise<void>; wake(): void } {
  let woken = false
  let end: (() => void) | null = null
  return {
    rest: async () => {
      if (!woken) await new Promise<void>((resolve) => (end = resolve))
      end = null
      woken = false
    },
    wake: () => {
      woken = true
      end?.()
    },
  }
}

/** Says of running attempts that they are alive, until the result is called. */
function startHeartbeat(
  boss: PgBoss,
  kind: TaskKind,
  running: ReadonlySet<Attempt>,
  { alive_ms, log }: WorkerOptions,
): () => void {
  const sayAlive = async (): Promise<void> => {
    const attempts = [...running].map(({ job }) => ({ id: job.id, retryCount: job.retryCount }))
    if (attempts.length === 0) return
    await boss
      .touch(kind.name, attempts)
      .catch((error: unknown) => log?.warn({ error, task: kind.name }, 'no heartbeat could be written'))
  }
  const alive = setInterval(() => void sayAlive(), alive_ms)
  return () => clearInterval(alive)
}

/** Starts to work on one kind: one look now and one after each waking, as many attempts at once as it gets slots for. */
export function startWorker(boss: PgBoss, kind: TaskKind, options: WorkerOptions): Worker {
  const { log, slots } = options
  const running = new Set<Attempt>()
  const pause = openPause()
  const stopping = new AbortController()
  /** A stop does not wait long for a database that is away: what cannot be written then is left. */
  const ends = new AbortController()

  const begin = (job: Job<object>): void => {
    const abort = new AbortController()
    const done = runAttempt(kind, job, abort).then((ending) =>
      tellEnding(boss, kind, job, ending, ends.signal, options),
    )
    const attempt: Attempt = { job, abort, done }
    running.add(attempt)
    void done.then(() => {
      running.delete(attempt)
      slots.release(kind.name, 1)
    })
  }

  /** True where there may be more: as many tasks waited as there were slots. */
  const look = async (): Promise<boolean> => {
    const count = await slots.take(kind.name, stopping.signal)
    if (count === 0) return false
    const jobs = await boss.fetch<object>(kind.name, { batchSize: count }).catch((error: unknown) => {
      log?.error({ error, task: kind.name }, 'the queue could not be read')
      return []
    })
    jobs.forEach(begin)
    slots.release(kind.name, count - jobs.length)
    return jobs.length === count
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const more = await look()
      if (!more && !stopping.signal.aborted) await pause.rest()
    }
  }
  const looping = loop()

  const endHeartbeat = startHeartbeat(boss, kind, running, options)

  return {
    task: kind.name,
    wake: () => pause.wake(),
    stop: async (grace_ms) => {
      stopping.abort()
      pause.wake()
      const end = monotonic_ms() + grace_ms
      await looping
      const lastTries = setTimeout(() => ends.abort(), Math.min(lastTries_ms, end - monotonic_ms()))
      const all = Promise.all([...running].map((attempt) => attempt.done))
      await waitAtMost(all, end - monotonic_ms())
      clearTimeout(lastTries)
      for (const attempt of running) attempt.abort.abort(new ProcessStops('the process stops'))
      ends.abort()
      await Promise.all([...running].map((attempt) => attempt.done))
      endHeartbeat()
    },
  }
}

async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  if (ms <= 0) return
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, over])
  clearTimeout(timer)
}
