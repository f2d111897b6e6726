import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { findDeadTaskName, listDeadTasks, retryDeadTask } from './dead-letters.ts'
import type { OperatedQueue } from './queue.ts'
import { cancelTask, discardDeadTask, listStuckTasks, requeueStuckTask } from './stuck-tasks.ts'

const default_dead_task_limit = 200

/** The queue as operators use it; `notify` wakes the workers of a kind of task. */
export const createOperatedQueue = (
  boss: PgBoss,
  database: Database,
  notify: (task: string) => void,
): OperatedQueue => ({
  dead: (limit = default_dead_task_limit) => listDeadTasks(database, limit),
  retry: async (id) => {
    const task = await findDeadTaskName(database, id)
    const isRequeued = task !== null && (await retryDeadTask(boss, database, id))
    if (isRequeued) notify(task)
    return isRequeued
  },
  discard: (id) => discardDeadTask(boss, database, id),
  stuck: (filter) => listStuckTasks(database, filter),
  requeue: async (id) => {
    const task = await requeueStuckTask(database, id)
    if (task !== null) notify(task)
    return task !== null
  },
  cancel: (id) => cancelTask(boss, database, id),
})
