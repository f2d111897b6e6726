import type { Module } from '../../engine/task.ts'
import { cleanJobTask } from './clean-job.task.ts'
import { runJobTask } from './run-job.task.ts'
import { stopJobTask } from './stop.task.ts'
import { dueJobsWork, endLeasesOfKilledWorkers, sweepJobsTask } from './sweep.task.ts'

export const processingModule: Module = {
  tasks: [runJobTask, cleanJobTask, stopJobTask, sweepJobsTask],
  dueWork: [dueJobsWork],
  recover: endLeasesOfKilledWorkers,
}
