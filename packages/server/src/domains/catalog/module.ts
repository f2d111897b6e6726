import type { Module } from '../../engine/task.ts'
import { runSavedSearchTask } from './saved-searches/run.task.ts'
import { dueSavedSearches, sweepSavedSearches } from './saved-searches/sweep.task.ts'

export const catalog: Module = {
  tasks: [runSavedSearchTask, sweepSavedSearches],
  dueWork: [dueSavedSearches],
}
