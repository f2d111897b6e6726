import { Problem } from '../../../engine/problem.ts'
import { createProcessesException } from '../../representations/ogc-processes/exceptions.ts'
import {
  listJobFilterParameters,
  toJobListInput,
  withParameterNames,
} from '../../representations/ogc-processes/job-list-request.ts'
import {
  toOgcJobList,
  toOgcStatusInfo,
  toRemovedJobStatus,
  type OgcJobPage,
} from '../../representations/ogc-processes/jobs.ts'
import { readJobResults, sendJobResults } from './job-results.ts'
import { send, type Handle, type ProcessesCall } from './processes-call.ts'

async function readJobPage(call: ProcessesCall): Promise<OgcJobPage> {
  try {
    return await call.read<OgcJobPage>('processing.jobs.list', () => toJobListInput(call.query, call.dialect))
  } catch (error) {
    throw call.dialect === 'ogc' ? withParameterNames(error) : error
  }
}

export const listJobs: Handle = async (call, reply) =>
  send(reply, toOgcJobList(await readJobPage(call), listJobFilterParameters(call.query), call.dialect, call.urls))

export const getJob: Handle = async (call, reply) =>
  send(reply, toOgcStatusInfo(await call.readShownJob(), call.dialect, call.urls))

export const getResults: Handle = async (call, reply) => {
  const job = await call.readShownJob()
  if (job.status === 'completed') return sendJobResults(reply, await readJobResults(call, job))
  if (job.failure) throw new Problem('unsupported-raster', job.failure.text)
  const detail = `The job is ${job.status} and has no results.`
  throw job.status === 'cancelled'
    ? new Problem('not-found', detail)
    : createProcessesException(call.dialect, 'result-not-ready', detail)
}

/** Cancels a job, or removes one that has ended from the interface. */
export const dismissJob: Handle = async (call, reply) => {
  if (call.dialect === 'v2')
    return send(reply, toOgcStatusInfo(await call.readJob('processing.job.cancel'), call.dialect, call.urls))
  await call.readShownJob()
  const job = await call.readJob('processing.job.cancel', { dismiss: true })
  return send(
    reply,
    job.dismissed_at === null ? toOgcStatusInfo(job, 'ogc', call.urls) : toRemovedJobStatus(job, call.urls),
  )
}
