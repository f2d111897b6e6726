import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { findScenes, readOrder, repeatCall } from '../harness/orders.ts'
import { waitFor } from '../harness/resources.ts'

const ending_ms = 180_000

/** A call that creates a job; it is repeated with its key until it has a response. */
export interface JobCall {
  readonly key: string
  readonly process_id: string
  readonly inputs: object
  /** The job is cancelled while it runs. */
  readonly isCancelled: boolean
  job_id: string | null
}

export interface JobsScenario {
  readonly project: string
  readonly item: string
  readonly calls: JobCall[]
  readonly random: () => number
}

/** A server with one delivered scene, and its project. */
export async function createJobsScenario(client: Client, random: () => number): Promise<JobsScenario> {
  const captures = await findScenes(client, 'open')
  const { id: order_id } = await client.call<{ id: string }>('orders.archive.place', { captures })
  const isDelivered = async () => (await readOrder(client, order_id)).status === 'FULFILLED'
  if (!(await waitFor(isDelivered, { timeout_ms: ending_ms, poll_ms: 200 })))
    throw new Error('the scene of the proof was not delivered')
  const manifest = await client.call<{ project_id: string; features: { item_id: string }[] }>('orders.list_assets', {
    order_id,
  })
  return { project: manifest.project_id, item: manifest.features[0]!.item_id, calls: [], random }
}

/** The kinds of jobs, for a scene of reflectances: one in four fails for a formula without numbers, and others write GeoTIFF, features and PNG. */
const kinds: readonly ((item: string, key: string, number: number) => Pick<JobCall, 'process_id' | 'inputs'>)[] = [
  (item, title, number) => ({ process_id: 'band-math', inputs: { item, expression: `b1 + ${number}`, title } }),
  (item, title) => ({ process_id: 'band-math', inputs: { item, expression: 'b1 / (b1 - b1)', title } }),
  (item, title, number) => ({ process_id: 'contours', inputs: { item, interval: 0.5, base: number, title } }),
  (item, title, number) => ({
    process_id: 'format-conversion',
    inputs: { item, format: 'png', bands: ['b1'], lowest: 0, highest: 3000 + number, title },
  }),
]

/** One job of each kind, and one that is cancelled. */
export const planCalls = ({ item, calls }: JobsScenario): JobCall[] =>
  [...kinds, kinds[0]!].map((describe, at) => {
    const number = calls.length + at
    const key = `job-${number}`
    return { key, ...describe(item, key, number), isCancelled: at === kinds.length, job_id: null }
  })

export async function createJob(client: Client, { project }: JobsScenario, call: JobCall): Promise<void> {
  const { job } = await client.call<{ job: Job }>(
    'processing.execute',
    { process_id: call.process_id, workspaceId: project, inputs: call.inputs },
    { idempotencyKey: call.key },
  )
  call.job_id = job.id
}

/** Repeats every call without a response with its key. */
export async function retryUnanswered(client: Client, scenario: JobsScenario): Promise<void> {
  for (const call of scenario.calls.filter(({ job_id }) => job_id === null))
    await repeatCall(call.key, () => createJob(client, scenario, call))
}

export const countOpenJobs = async (client: Client): Promise<number> =>
  (await client.call<{ total: number }>('processing.jobs.list', { status: 'pending,dispatched,running' })).total

/** Waits until no job is open; each call must have created one job. */
export async function waitUntilEnded(client: Client, { calls }: JobsScenario): Promise<string[]> {
  await waitFor(async () => (await countOpenJobs(client)) === 0, { timeout_ms: ending_ms, poll_ms: 500 })
  const open = await countOpenJobs(client)
  const { total } = await client.call<{ total: number }>('processing.jobs.list', { limit: 1 })
  return [
    ...(open > 0 ? [`${open} jobs have not ended after ${ending_ms / 1000} s`] : []),
    ...(total === calls.length ? [] : [`${calls.length} calls created ${total} jobs`]),
  ]
}
