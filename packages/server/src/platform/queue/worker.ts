import type { Job, PgBoss } from 'pg-boss'
import { monotonic_ms } from '../clock.ts'
import type { QueueLog, TaskKind } from './queue.ts'
import type { Slots } from './slots.ts'
import { writeOutcome } from './write-outcome.ts'

/** Fetches and runs the tasks of one definition. */
export interface Worker {
  readonly task: string
  /** Fetches tasks now, because there may be new ones. */
  wake(): void
  stop(grace_ms: number): Promise<void>
}

export interface WorkerOptions {
  /** Shared by all workers. */
  readonly slots: Slots
  /** How often the heartbeat of running tasks is written. */
  readonly alive_ms: number
  readonly log: QueueLog | undefined
  /** Requeues a task as if its attempt had not started. */
  readonly giveBack: (task: string, id: string) => Promise<void>
}

/** How long a stop tries to write the results of ended attempts. */
const lastTries_ms = 2000

/** The reason of attempts that end because the process stops; not a failure of the task. */
class ProcessStops extends Error {
  override readonly name = 'ProcessStopping'
}

/** A running attempt. */
interface Attempt {
  readonly job: Job<object>
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** Rejects with the reason of the signal when it is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** The result of an attempt: the error that ended it, or null. */
type Ending = { readonly error: unknown } | null

/** Runs one attempt until it ends, times out or the process stops. Never throws. */
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
 * Reports the result of an attempt to the queue. If it cannot be written after many tries, the queue detects the missing
 * heartbeat, and the task runs again. Never throws.
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
    log?.error({ ...facts, error }, 'the result of a task could not be written')
  }
}

/** Pauses until it is woken; does not pause if it was woken before. */
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

/** Writes the heartbeat of running attempts until the returned function is called. */
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
      .catch((error: unknown) => log?.warn({ error, task: kind.name }, 'the heartbeat could not be written'))
  }
  const alive = setInterval(() => void sayAlive(), alive_ms)
  return () => clearInterval(alive)
}

/** Starts the worker of one task definition: fetches now and after each wake, as many tasks as it gets slots for. */
export function startWorker(boss: PgBoss, kind: TaskKind, options: WorkerOptions): Worker {
  const { log, slots } = options
  const running = new Set<Attempt>()
  const pause = openPause()
  const stopping = new AbortController()
  /** Aborted when a stop must not wait any longer for an unavailable database. */
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

  /** True if there may be more: as many tasks were fetched as there were slots. */
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
