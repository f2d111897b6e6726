import type { Job, PgBoss } from 'pg-boss'
import { monotonic_ms } from '../clock.ts'
import type { QueueLog, TaskKind } from './queue.ts'

/** Looks for the tasks of one kind and runs them. */
export interface Worker {
  readonly task: string
  /** There may be work: look now. */
  wake(): void
  stop(grace_ms: number): Promise<void>
}

export interface WorkerOptions {
  readonly concurrency: number
  /** How often running tasks say that they are alive. */
  readonly alive_ms: number
  readonly log: QueueLog | undefined
  /** Lets a task wait again as if it had not been begun. */
  readonly giveBack: (task: string, id: string) => Promise<void>
}

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

/** Writes down how an attempt ended that did not complete. Where that fails, the queue learns it from the silence of the heartbeat. */
async function writeFailure(
  boss: PgBoss,
  kind: TaskKind,
  job: Job<object>,
  error: unknown,
  { log, giveBack }: WorkerOptions,
): Promise<void> {
  const facts = { task: kind.name, id: job.id, attempt: job.retryCount + 1 }
  try {
    if (error instanceof ProcessStops) return await giveBack(kind.name, job.id)
    log?.warn({ ...facts, error }, 'a task failed')
    const attempt = { id: job.id, retryCount: job.retryCount }
    await boss.fail(kind.name, attempt, error instanceof Error ? error : { message: String(error) })
  } catch (failure) {
    log?.error({ ...facts, error: failure }, 'the failure of a task could not be written down')
  }
}

/** Runs one attempt and tells the queue how it went. Never throws. */
async function runAttempt(
  boss: PgBoss,
  kind: TaskKind,
  job: Job<object>,
  abort: AbortController,
  options: WorkerOptions,
): Promise<void> {
  const expiry = setTimeout(
    () => abort.abort(new Error(`the attempt took longer than ${kind.retry.expire_s} s`)),
    kind.retry.expire_s * 1000,
  )
  try {
    const gone = aborted(abort.signal)
    const facts = { id: job.id, number: job.retryCount, last: job.retryCount >= kind.retry.limit }
    await Promise.race([kind.run(job.data, abort.signal, facts), gone])
    await boss.complete(kind.name, { id: job.id, retryCount: job.retryCount })
  } catch (error) {
    await writeFailure(boss, kind, job, abort.signal.aborted ? abort.signal.reason : error, options)
  } finally {
    clearTimeout(expiry)
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

/** Starts to work on one kind: one look now and one after each waking, as many attempts at once as `concurrency` says. */
export function startWorker(boss: PgBoss, kind: TaskKind, options: WorkerOptions): Worker {
  const { log } = options
  const running = new Set<Attempt>()
  const pause = openPause()
  const stopping = new AbortController()
  /** The last look found all it asked for, so that there may be more. */
  let full = false

  const begin = (job: Job<object>): void => {
    const abort = new AbortController()
    const done = runAttempt(boss, kind, job, abort, options)
    const attempt: Attempt = { job, abort, done }
    running.add(attempt)
    void done.then(() => {
      running.delete(attempt)
      if (full) pause.wake()
    })
  }

  const look = async (): Promise<void> => {
    const free = options.concurrency - running.size
    if (free <= 0) return
    full = false
    try {
      const jobs = await boss.fetch<object>(kind.name, { batchSize: free })
      full = jobs.length === free
      jobs.forEach(begin)
    } catch (error) {
      log?.error({ error, task: kind.name }, 'the queue could not be read')
    }
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look()
      if (!stopping.signal.aborted) await pause.rest()
    }
  }
  const looping = loop()

  const sayAlive = async (): Promise<void> => {
    const attempts = [...running].map(({ job }) => ({ id: job.id, retryCount: job.retryCount }))
    if (attempts.length === 0) return
    await boss
      .touch(kind.name, attempts)
      .catch((error: unknown) => log?.warn({ error, task: kind.name }, 'no heartbeat could be written'))
  }
  const alive = setInterval(() => void sayAlive(), options.alive_ms)

  return {
    task: kind.name,
    wake: () => pause.wake(),
    stop: async (grace_ms) => {
      stopping.abort()
      pause.wake()
      await looping
      const end = monotonic_ms() + grace_ms
      const all = Promise.all([...running].map((attempt) => attempt.done))
      await waitAtMost(all, end - monotonic_ms())
      for (const attempt of running) attempt.abort.abort(new ProcessStops('the process stops'))
      await Promise.all([...running].map((attempt) => attempt.done))
      clearInterval(alive)
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
