import type { Module } from '../../engine/task.ts'
import { runSavedSearchTask } from './saved-searches/run.task.ts'
import { dueSavedSearchesWork, sweepSavedSearchesTask } from './saved-searches/sweep.task.ts'

export const catalogModule: Module = {
  tasks: [runSavedSearchTask, sweepSavedSearchesTask],
  dueWork: [dueSavedSearchesWork],
}
