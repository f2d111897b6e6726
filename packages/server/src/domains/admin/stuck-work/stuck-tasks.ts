import type { Call } from '../../../engine/call.ts'
import type { StuckWorkRow } from '../../../engine/stuck-work.ts'
import { listDeadTasks } from '../../dead-letters/dead-tasks.ts'
import { organizationOfTask, subjectOfTask } from '../../dead-letters/task-data.ts'
import type { StuckWorkQuery } from './stuck-work-kind.ts'

/** More than there are: the id is looked for among all. */
const max_dead_tasks = 1000

const describe = (task: string, about: string | null): string => (about === null ? task : `${task} ${about}`)

/** Tasks of the queue that do not move. */
export async function listStuckTaskRows(call: Call, query: StuckWorkQuery): Promise<StuckWorkRow[]> {
  return (await call.operatedQueue.stuck(query)).map(({ task, data, reason, error, since, ...row }) => {
    const taskData = (data ?? {}) as Readonly<Record<string, unknown>>
    const organization_id = organizationOfTask(taskData)
    return {
      id: row.id,
      organization_id,
      subject: describe(task, subjectOfTask(taskData)),
      reason,
      detail: error,
      since,
    }
  })
}

/** Tasks that have used up their attempts. */
export async function listDeadTaskRows(
  call: Call,
  { organization, id, limit }: StuckWorkQuery,
): Promise<StuckWorkRow[]> {
  const letters = await listDeadTasks(call, { organization, limit: max_dead_tasks })
  return letters
    .filter((letter) => id === null || letter.id === id)
    .map((letter): StuckWorkRow => ({
      id: letter.id,
      organization_id: letter.organization_id,
      subject: describe(letter.task, letter.subject),
      reason: 'gave-up',
      detail: letter.error,
      since: new Date(letter.failed_at),
    }))
    .toReversed()
    .slice(0, limit)
}
