import type { Job } from '../../engine/task.ts'
import { newId } from '../../platform/ids.ts'
import type { RetryPolicy } from '../../platform/queue/queue.ts'
import { insertDeadLetter } from './store.dead-letters.ts'

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
      created_at: job.clock.now(),
    })
    job.log.error({ error }, 'work on money has failed for good')
  }
}
