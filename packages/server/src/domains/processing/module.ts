import type { Module } from '../../engine/task.ts'
import { cleanJob } from './clean-job.task.ts'
import { estimateProcess } from './operations/processing.catalog.estimate.ts'
import { getProcess } from './operations/processing.catalog.get.ts'
import { listProcesses } from './operations/processing.catalog.list.ts'
import { validateProcessInputs } from './operations/processing.catalog.validate.ts'
import { createJob } from './operations/processing.create.ts'
import { createAndDispatchJob } from './operations/processing.create_and_dispatch.ts'
import { dispatchPendingJob } from './operations/processing.dispatch.ts'
import { executeProcess } from './operations/processing.execute.ts'
import { cancelJob } from './operations/processing.job.cancel.ts'
import { delegatePendingJob } from './operations/processing.job.delegate.ts'
import { deleteJob } from './operations/processing.job.delete.ts'
import { getJob } from './operations/processing.job.get.ts'
import { listJobLog } from './operations/processing.job.log.ts'
import { registerJobOutputs } from './operations/processing.job.register.ts'
import { getJobTileInfo } from './operations/processing.job.tile_info.ts'
import { listJobTypes } from './operations/processing.job_types.list.ts'
import { listReadableJobs } from './operations/processing.jobs.list.ts'
import { retryJob } from './operations/processing.jobs.retry.ts'
import { getProjectJob } from './operations/processing.project_job.get.ts'
import { listProjectJobs } from './operations/processing.project_jobs.list.ts'
import { runJob } from './run-job.task.ts'
import { stopJob } from './stop.task.ts'
import { dueJobs, endLeasesOfKilledWorkers, sweepJobs } from './sweep.task.ts'

export const processing: Module = {
  name: 'processing',
  handlers: [
    listProcesses,
    getProcess,
    validateProcessInputs,
    estimateProcess,
    createJob,
    createAndDispatchJob,
    dispatchPendingJob,
    executeProcess,
    getJob,
    listJobLog,
    registerJobOutputs,
    cancelJob,
    delegatePendingJob,
    retryJob,
    deleteJob,
    getJobTileInfo,
    listReadableJobs,
    getProjectJob,
    listProjectJobs,
    listJobTypes,
  ],
  tasks: [runJob, cleanJob, stopJob, sweepJobs],
  dueWork: [dueJobs],
  recover: endLeasesOfKilledWorkers,
}
