import { deleteExpiredClaimsTask } from './delete-expired-claims.task.ts'
import type { Task } from './task.ts'

/** Background tasks of the engine itself. It is not a module: it has no operations. */
export const engineTasks: readonly Task[] = [deleteExpiredClaimsTask]
