import type { Call } from '../../engine/call.ts'
import type { TaskContext } from '../../engine/task.ts'
import type { RowPage } from '../../platform/database/select-page.ts'
import { newId } from '../../platform/ids.ts'
import type { RetryPolicy } from '../../platform/queue/queue.ts'
import {
  insertDeadLetter,
  listPendingDeadLetterRows,
  markDeadLetterReplayed,
  type DeadLetterRow,
} from './store.dead-letters.ts'

/** Billing tasks are retried for about a day, with exponential backoff. */
export const billingTaskRetryPolicy: RetryPolicy = { limit: 10, delay_s: 30, backoff: true, expire_s: 300 }

/** Runs a billing task; if its last attempt fails, stores a dead letter that an operator can replay. */
export async function withDeadLetter(
  job: TaskContext,
  data: Readonly<Record<string, unknown>>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!job.isLastAttempt || job.signal.aborted) throw error
    const { organization_id } = data
    await insertDeadLetter(job.database.unscoped, {
      id: newId(),
      kind: job.taskName,
      organization_id: typeof organization_id === 'string' ? organization_id : null,
      data,
      attempts: job.attempt + 1,
      last_error: error instanceof Error ? error.message : 'The task failed without an error message.',
      created_at: job.clock.process.now(),
    })
    job.log.error({ error }, 'a billing task failed on its last attempt')
  }
}

/** Pending dead letters of all organizations, oldest first. */
export const listPendingDeadLetters = (call: Pick<Call, 'unscoped'>, limit: number): Promise<RowPage<DeadLetterRow>> =>
  listPendingDeadLetterRows(call.unscoped, limit)

/**
 * Enqueues the tasks of the oldest dead letters again, each in its own transaction; returns how many were enqueued and
 * how many could not be. A task that fails again gets a new dead letter.
 */
export async function replayPendingDeadLetters(
  call: Pick<Call, 'unscoped' | 'queue' | 'clocks'>,
  limit: number,
): Promise<{ replayed_count: number; failed_count: number }> {
  const { rows: letters } = await listPendingDeadLetterRows(call.unscoped, limit)
  let replayed_count = 0
  let failed_count = 0
  for (const { id, kind, data } of letters) {
    try {
      const isClaimed = await call.unscoped.transaction(async (tx) => {
        if (!(await markDeadLetterReplayed(tx, id, call.clocks.process.now()))) return false
        await call.queue.enqueue(tx, { name: kind }, data)
        return true
      })
      if (isClaimed) replayed_count += 1
    } catch {
      // It stays pending and visible; the others continue.
      failed_count += 1
    }
  }
  return { replayed_count, failed_count }
}
