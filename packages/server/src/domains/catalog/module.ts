import type { Module } from '../../engine/task.ts'
import { runSavedSearchTask } from './saved-searches/run.task.ts'
import { dueSavedSearchesWork, sweepSavedSearches } from './saved-searches/sweep.task.ts'

export const catalogModule: Module = {
  tasks: [runSavedSearchTask, sweepSavedSearches],
  dueWork: [dueSavedSearchesWork],
}
