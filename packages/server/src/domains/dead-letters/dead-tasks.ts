import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { DeadTask } from '../../platform/queue/queue.ts'
import {
  findDeadLetter,
  markDeadLetterDiscarded,
  markDeadLetterReplayed,
  listPendingDeadLetterRows,
  type DeadLetterRow,
} from './store.dead-letters.ts'
import { findQueueTaskOrganizationId, findQueueTaskSubjectId } from './task-data.ts'

/** A task that has used up its attempts: of the queue, or a task of billing that was stored as a dead letter. */
export interface DeadLetterJson {
  readonly id: string
  readonly source: 'queue' | 'billing'
  readonly task: string
  readonly organization_id: string | null
  /** The entity that it was about; null if its data names none. */
  readonly subject: string | null
  readonly error: string
  readonly failed_at: string
}

function fromQueue({ id, task, data, error, failed_at }: DeadTask): DeadLetterJson {
  const taskData = (data ?? {}) as Readonly<Record<string, unknown>>
  const organization_id = findQueueTaskOrganizationId(taskData)
  const subject = findQueueTaskSubjectId(taskData)
  return { id, source: 'queue', task, organization_id, subject, error, failed_at: failed_at.toISOString() }
}

const fromBilling = ({ id, kind, organization_id, data, last_error, created_at }: DeadLetterRow): DeadLetterJson => ({
  id,
  source: 'billing',
  task: kind,
  organization_id,
  subject: findQueueTaskSubjectId(data),
  error: last_error,
  failed_at: created_at.toISOString(),
})

/** Maximum number of tasks read from each source. */
const max_read = 1000

/** Dead tasks of the queue and of billing, newest first; of one organization if it is passed. */
export async function listDeadTasks(
  call: Pick<Call, 'unscoped' | 'operatedQueue'>,
  { organization, limit }: { readonly organization: string | null; readonly limit: number },
): Promise<DeadLetterJson[]> {
  const queued = (await call.operatedQueue.dead(max_read)).map(fromQueue)
  const letters = (await listPendingDeadLetterRows(call.unscoped, max_read)).rows.map(fromBilling)
  return [...queued, ...letters]
    .filter(({ organization_id }) => organization === null || organization_id === organization)
    .toSorted((left, right) => (left.failed_at > right.failed_at ? -1 : 1))
    .slice(0, limit)
}

/**
 * Gives a dead task all its attempts again. False if it cannot be run now, because one with its singleton key is waiting or
 * running, or another call has retried it. Throws `not-found`.
 */
export async function retryDeadTask(
  call: Pick<Call, 'unscoped' | 'operatedQueue' | 'queue' | 'clocks'>,
  id: string,
): Promise<boolean> {
  const letter = await findDeadLetter(call.unscoped, id)
  if (letter) {
    return call.unscoped.transaction(async (tx) => {
      if (!(await markDeadLetterReplayed(tx, id, call.clocks.process.now()))) return false
      await call.queue.enqueue(tx, { name: letter.kind }, letter.data)
      return true
    })
  }
  const isKnown = (await call.operatedQueue.dead(max_read)).some((task) => task.id === id)
  if (!isKnown) throw new Problem('not-found', `No dead task has the id "${id}".`)
  return call.operatedQueue.retry(id)
}

/** Gives up a dead task for good; false if there is none any more. */
export async function discardDeadTask(
  call: Pick<Call, 'unscoped' | 'operatedQueue' | 'clocks'>,
  id: string,
): Promise<boolean> {
  if (await markDeadLetterDiscarded(call.unscoped, id, call.clocks.process.now())) return true
  return call.operatedQueue.discard(id)
}
