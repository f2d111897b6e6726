import type { Module } from '../../engine/task.ts'
import { cleanJob } from './clean-job.task.ts'
import { runJob } from './run-job.task.ts'
import { stopJob } from './stop.task.ts'
import { dueJobs, endLeasesOfKilledWorkers, sweepJobs } from './sweep.task.ts'

export const processing: Module = {
  tasks: [runJob, cleanJob, stopJob, sweepJobs],
  dueWork: [dueJobs],
  recover: endLeasesOfKilledWorkers,
}
