import type { Call } from '../../engine/call.ts'
import type { Job } from '../../engine/task.ts'
import { newId } from '../../platform/ids.ts'
import type { RetryPolicy } from '../../platform/queue/queue.ts'
import { insertDeadLetter, listLetters, takeLetter, type DeadLetterRow } from './store.dead-letters.ts'

/** Work on money is tried for about a day, more and more rarely. */
export const moneyRetry: RetryPolicy = { limit: 10, delay_s: 30, backoff: true, expire_s: 300 }

/** Runs work on money; where its last attempt fails too, it lies in the dead letters until an operator replays it. */
export async function withDeadLetter(
  job: Job,
  data: Readonly<Record<string, unknown>>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!job.last || job.signal.aborted) throw error
    const { organization_id } = data
    await insertDeadLetter(job.database.across, {
      id: newId(),
      kind: job.task,
      organization_id: typeof organization_id === 'string' ? organization_id : null,
      data,
      attempts: job.attempt + 1,
      last_error: error instanceof Error ? error.message : 'It failed without a reason.',
      created_at: job.clock.process.now(),
    })
    job.log.error({ error }, 'work on money has failed for good')
  }
}

/** The work that waits for an operator, of all organizations, oldest first. */
export const pendingLetters = (
  call: Pick<Call, 'across'>,
  limit: number,
): Promise<{ letters: DeadLetterRow[]; total: number }> => listLetters(call.across, limit)

/**
 * Gives the oldest letters all their attempts again, each in a transaction of its own; how many were taken up, and how
 * many could not be. Work that fails once more comes back as a letter.
 */
export async function replayLetters(
  call: Pick<Call, 'across' | 'queue' | 'clocks'>,
  limit: number,
): Promise<{ replayed_count: number; failed_count: number }> {
  const { letters } = await listLetters(call.across, limit)
  let replayed_count = 0
  let failed_count = 0
  for (const { id, kind, data } of letters) {
    try {
      const taken = await call.across.transaction(async (tx) => {
        if (!(await takeLetter(tx, id, call.clocks.process.now()))) return false
        await call.queue.enqueue(tx, kind, data)
        return true
      })
      if (taken) replayed_count += 1
    } catch {
      // It stays where it is, and is seen there; the others go on.
      failed_count += 1
    }
  }
  return { replayed_count, failed_count }
}
