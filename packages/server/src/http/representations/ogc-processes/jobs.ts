import type { JobStatus } from '@swath/contract/lifecycles.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { listPageLinks, type PageParameters } from './page-parameters.ts'
import { createProcessesLink, type ProcessesDialect, type ProcessesUrls } from './urls.ts'

/** The status of a job in the words of each dialect. */
const statusWords: Readonly<Record<ProcessesDialect, Readonly<Record<JobStatus, string>>>> = {
  ogc: {
    pending: 'accepted',
    dispatched: 'accepted',
    running: 'running',
    completed: 'successful',
    failed: 'failed',
    cancelled: 'dismissed',
  },
  // Its clients poll until the money is settled: `captured` and `released` are their terminal states.
  v2: {
    pending: 'created',
    dispatched: 'running',
    running: 'running',
    completed: 'captured',
    failed: 'released',
    cancelled: 'released',
  },
}

/** The words for the status of a job in OGC API - Processes. */
export const listOgcStatusWords = (): string[] => [...new Set(Object.values(statusWords.ogc))]

/** Further words of the older dialect in filters, for states that its jobs pass through without being shown in them. */
const v2FilterWords: Readonly<Record<string, JobStatus>> = {
  valid: 'pending',
  licensed: 'pending',
  accepted: 'pending',
  successful: 'completed',
}

/** The states that a status of the dialect stands for, for filters; a status of ours stands for itself. */
export function parseOgcJobStates(status: string, dialect: ProcessesDialect): string[] {
  if (dialect === 'v2' && Object.hasOwn(v2FilterWords, status)) return [v2FilterWords[status]!]
  const states = Object.entries(statusWords[dialect]).flatMap(([state, word]) => (word === status ? [state] : []))
  return states.length === 0 ? [status] : states
}

/** The status document of a job. */
export const toOgcStatusInfo = (job: Job, dialect: ProcessesDialect, urls: ProcessesUrls) =>
  dialect === 'ogc' ? toOgcStatus(job, urls) : toV2Job(job, urls)

const toOgcStatus = (job: Job, urls: ProcessesUrls) => ({
  type: 'process' as const,
  processID: job.process_id,
  jobID: job.id,
  status: statusWords.ogc[job.status as JobStatus],
  ...(job.failure ? { message: job.failure.text } : {}),
  created: job.created_at,
  ...(job.started_at ? { started: job.started_at } : {}),
  ...(job.finished_at ? { finished: job.finished_at } : {}),
  updated: job.updated_at,
  progress: Math.floor(job.progress * 100),
  links: [
    createProcessesLink('self', urls.job(job.id)),
    ...(job.status === 'completed'
      ? [createProcessesLink('http://www.opengis.net/def/rel/ogc/1.0/results', `${urls.job(job.id)}/results`)]
      : []),
    ...(job.finished_at === null ? [createProcessesLink('monitor', urls.job(job.id))] : []),
  ],
})

/** The status document of a job that was removed: its URLs return 404. */
export const toRemovedJobStatus = (job: Job, urls: ProcessesUrls) => ({
  ...toOgcStatus(job, urls),
  status: statusWords.ogc.cancelled,
  links: [createProcessesLink('up', urls.jobs)],
})

/** Entries of errors have two members: clients reject others. */
const toV2Job = (job: Job, urls: ProcessesUrls) => ({
  processID: job.process_id,
  jobID: job.id,
  accountID: job.organization_id,
  workspaceID: job.project_id,
  definition: { inputs: job.input_params },
  status: statusWords.v2[job.status as JobStatus],
  created: job.created_at,
  updated: job.updated_at,
  started: job.started_at,
  finished: job.finished_at,
  creditConsumption: { credits: job.credits_captured },
  results: {
    ...(job.target_collection_id && job.status === 'completed'
      ? { collection: `${urls.base}/v2/assets/stac/collections/${job.target_collection_id}` }
      : {}),
    ...(job.failure ? { errors: [{ name: job.failure.code, message: job.failure.text }] } : {}),
  },
})

export interface OgcJobPage extends PageParameters {
  readonly jobs: readonly Job[]
  readonly total: number
}

export type JobListParameters = readonly [name: string, value: string][]

/**
 * A page of jobs. The link to the next page is relative to the root for clients of `/v2`, which append it to their base.
 *
 * @param filter the parameters of the request that select jobs.
 */
export function toOgcJobList(
  page: OgcJobPage,
  filter: JobListParameters,
  dialect: ProcessesDialect,
  urls: ProcessesUrls,
) {
  const links = listPageLinks(dialect === 'ogc' ? urls.jobs : `${urls.path}/jobs`, filter, page)
  return {
    jobs: page.jobs.map((job) => toOgcStatusInfo(job, dialect, urls)),
    links:
      dialect === 'ogc'
        ? links
        : [createProcessesLink('self', urls.jobs), ...links.filter(({ rel }) => rel === 'next')],
  }
}
