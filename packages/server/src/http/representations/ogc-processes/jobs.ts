import type { JobStatus } from '@swath/contract/lifecycles.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
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

/** The states that a status of the dialect stands for, for filters; a status of ours stands for itself. */
export function parseOgcJobStates(status: string, dialect: ProcessesDialect): string[] {
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
  ],
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

/** The results of a completed job: its items by reference. */
export const toOgcJobResults = (job: Job, urls: ProcessesUrls) => ({
  items: job.item_ids.map((id) => ({ href: urls.item(id), type: 'application/geo+json' })),
})

export interface OgcJobPage {
  readonly jobs: readonly Job[]
  readonly limit: number
  readonly page: number
  readonly total: number
}

/**
 * A page of jobs. The link to the next page is relative to the root, because clients of `/v2` append it to their base.
 *
 * @param filter the parameters of the request that select jobs.
 */
export function toOgcJobList(
  { jobs, limit, page, total }: OgcJobPage,
  filter: readonly (readonly [name: string, value: string])[],
  dialect: ProcessesDialect,
  urls: ProcessesUrls,
) {
  const hasNext = (page + 1) * limit < total
  const base = dialect === 'ogc' ? urls.jobs : `${urls.path}/jobs`
  const query = new URLSearchParams({ page: `${page + 1}`, limit: `${limit}`, ...Object.fromEntries(filter) })
  const next = hasNext ? [createProcessesLink('next', `${base}?${query}`)] : []
  return {
    jobs: jobs.map((job) => toOgcStatusInfo(job, dialect, urls)),
    links: [createProcessesLink('self', urls.jobs), ...next],
  }
}
