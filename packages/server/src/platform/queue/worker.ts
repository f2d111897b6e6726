import type { Job, PgBoss } from 'pg-boss'
import { monotonic_ms } from '../clock.ts'
import type { QueueLog, QueueOptions, TaskDefinition } from './queue.ts'
import type { TaskAttemptOutcome } from '../metrics.ts'
import type { TaskSlots } from './slots.ts'
import { createFairTaskFetch, findTaskGroup } from './task-groups.ts'
import { splitTaskTrace } from './task-trace.ts'
import { writeResultWithRetry } from './write-result.ts'

/** Fetches and runs the tasks of one definition. */
export interface TaskWorker {
  readonly task: string
  /** Fetches tasks now, because there may be new ones. */
  wake(): void
  stop(grace_ms: number): Promise<void>
}

export interface TaskWorkerOptions {
  /** Shared by all workers. */
  readonly slots: TaskSlots
  /** The interval of heartbeats of running tasks. */
  readonly heartbeat_interval_ms: number
  readonly log: QueueLog | undefined
  readonly recordAttempt?: QueueOptions['recordAttempt']
  /** Requeues a task as if its attempt had not started. */
  readonly requeueTask: (task: string, id: string) => Promise<void>
}

/** The time for which a stop tries to write the results of ended attempts. */
const stop_write_timeout_ms = 2000

/** The time for which a stop waits for ended attempts to release their resources. */
const stop_settle_timeout_ms = 1000

/** The reason of attempts that end because the process stops; not a failure of the task. */
class ProcessStopping extends Error {
  override readonly name = 'ProcessStopping'
}

/** A running attempt. */
interface RunningAttempt {
  readonly job: Job<object>
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** Rejects with the reason of the signal when it is aborted. */
const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** The result of an attempt: the error that ended it, or null. */
type AttemptResult = { readonly error: unknown } | null

const outcomeOf = (result: AttemptResult): TaskAttemptOutcome => {
  if (!result) return 'succeeded'
  return result.error instanceof ProcessStopping ? 'interrupted' : 'failed'
}

/** Runs one attempt until it ends, times out or the process stops. Never throws. */
async function runAttempt(
  definition: TaskDefinition,
  job: Job<object>,
  abort: AbortController,
): Promise<AttemptResult> {
  const expiry = setTimeout(
    () => abort.abort(new Error(`the attempt took longer than ${definition.retry.expire_s} s`)),
    definition.retry.expire_s * 1000,
  )
  try {
    const abortion = rejectOnAbort(abort.signal)
    const { data, traceparent } = splitTaskTrace(job.data)
    const fields = { id: job.id, number: job.retryCount, last: job.retryCount >= definition.retry.limit, traceparent }
    const running = definition.run(data, abort.signal, fields)
    await Promise.race([running, abortion]).catch(async (error: unknown) => {
      if (abort.signal.reason instanceof ProcessStopping)
        await waitWithTimeout(
          running.catch(() => undefined),
          stop_settle_timeout_ms,
        )
      throw error
    })
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
async function reportResult(
  boss: PgBoss,
  {
    definition,
    job,
    attemptResult,
  }: { readonly definition: TaskDefinition; readonly job: Job<object>; readonly attemptResult: AttemptResult },
  writeSignal: AbortSignal,
  { log, requeueTask }: TaskWorkerOptions,
): Promise<void> {
  const fields = { task: definition.name, id: job.id, attempt: job.retryCount + 1 }
  const attempt = { id: job.id, retryCount: job.retryCount }
  const write = (): Promise<unknown> => {
    if (!attemptResult) return boss.complete(definition.name, attempt)
    const { error } = attemptResult
    if (error instanceof ProcessStopping) return requeueTask(definition.name, job.id)
    return boss.fail(definition.name, attempt, error instanceof Error ? error : { message: String(error) })
  }
  if (attemptResult && !(attemptResult.error instanceof ProcessStopping))
    log?.warn({ ...fields, error: attemptResult.error }, 'a task failed')
  try {
    await writeResultWithRetry(write, writeSignal)
  } catch (error) {
    log?.error({ ...fields, error }, 'the result of a task could not be written')
  }
}

/** Pauses until it is woken; does not pause if it was woken before. */
function createPause(): { rest(): Promise<void>; wake(): void } {
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
  definition: TaskDefinition,
  running: ReadonlySet<RunningAttempt>,
  { heartbeat_interval_ms, log }: TaskWorkerOptions,
): () => void {
  const touchAttempts = async (): Promise<void> => {
    const attempts = [...running].map(({ job }) => ({ id: job.id, retryCount: job.retryCount }))
    if (attempts.length === 0) return
    await boss
      .touch(definition.name, attempts)
      .catch((error: unknown) => log?.warn({ error, task: definition.name }, 'the heartbeat could not be written'))
  }
  const heartbeatTimer = setInterval(() => void touchAttempts(), heartbeat_interval_ms)
  return () => clearInterval(heartbeatTimer)
}

/** Returns a function that fetches the next task of a kind; null if there is none, or the queue cannot be read. */
function createTaskFetch(
  boss: PgBoss,
  task: string,
  { slots, log }: TaskWorkerOptions,
): () => Promise<Job<object> | null> {
  const fetchNext = createFairTaskFetch(boss, task, {
    listFullGroups: () => slots.listFullGroups(task),
    hasFree: () => slots.hasFree(task),
  })
  return () =>
    fetchNext().catch((error: unknown) => {
      log?.error({ error, task }, 'the queue could not be read')
      return null
    })
}

/** Starts the worker of one task definition: fetches now and after each wake, one task for each slot that it gets. */
export function startTaskWorker(boss: PgBoss, definition: TaskDefinition, options: TaskWorkerOptions): TaskWorker {
  const { slots } = options
  const running = new Set<RunningAttempt>()
  const pause = createPause()
  const stopping = new AbortController()
  /** Aborted when a stop must not wait any longer for an unavailable database. */
  const writeSignal = new AbortController()

  const begin = (job: Job<object>): void => {
    const abort = new AbortController()
    const slotAttempt = slots.begin(definition.name, findTaskGroup(job.data))
    const begun_ms = monotonic_ms()
    const done = runAttempt(definition, job, abort).then((attemptResult) => {
      options.recordAttempt?.(definition.name, outcomeOf(attemptResult), monotonic_ms() - begun_ms)
      return reportResult(boss, { definition, job, attemptResult }, writeSignal.signal, options)
    })
    const attempt: RunningAttempt = { job, abort, done }
    running.add(attempt)
    void done.then(() => {
      running.delete(attempt)
      if (slotAttempt.end()) pause.wake()
    })
  }

  const fetchNext = createTaskFetch(boss, definition.name, options)

  /** True if there may be more. */
  const beginNext = async (): Promise<boolean> => {
    if (!(await slots.take(definition.name, stopping.signal))) return false
    const job = await fetchNext()
    if (job) begin(job)
    else slots.release(definition.name)
    return job !== null
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const hasMore = await beginNext()
      if (!hasMore && !stopping.signal.aborted) await pause.rest()
    }
  }
  const loopPromise = loop()

  const endHeartbeat = startHeartbeat(boss, definition, running, options)

  return {
    task: definition.name,
    wake: () => pause.wake(),
    stop: async (grace_ms) => {
      stopping.abort()
      pause.wake()
      const end = monotonic_ms() + grace_ms
      await loopPromise
      const writeTimer = setTimeout(() => writeSignal.abort(), Math.min(stop_write_timeout_ms, end - monotonic_ms()))
      const all = Promise.all([...running].map((attempt) => attempt.done))
      await waitWithTimeout(all, end - monotonic_ms())
      clearTimeout(writeTimer)
      for (const attempt of running) attempt.abort.abort(new ProcessStopping('the process stops'))
      writeSignal.abort()
      await Promise.all([...running].map((attempt) => attempt.done))
      endHeartbeat()
    },
  }
}

async function waitWithTimeout(work: Promise<unknown>, ms: number): Promise<void> {
  if (ms <= 0) return
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timedOut])
  clearTimeout(timer)
}
