import type { Module } from '../../engine/task.ts'
import { cleanJobTask } from './clean-job.task.ts'
import { runJobTask } from './run-job.task.ts'
import { stopJobTask } from './stop.task.ts'
import { dueJobs, endLeasesOfKilledWorkers, sweepJobs } from './sweep.task.ts'

export const processingModule: Module = {
  tasks: [runJobTask, cleanJobTask, stopJobTask, sweepJobs],
  dueWork: [dueJobs],
  recover: endLeasesOfKilledWorkers,
}
