import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { smallScenes } from '../hosts/faulty-host.ts'
import { findCaptures, waitForOrder } from '../orders.ts'
import { newId } from '../../src/platform/ids.ts'
import type { TestApp } from '../test-app.ts'

const terminal = new Set(['completed', 'failed', 'cancelled'])

/** Polls a job until it has the status; throws if it reaches another final status, or after a minute. */
export async function waitForJob(client: Client, job_id: string, status: string): Promise<Job> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const { job } = await client.call<{ job: Job }>('processing.job.get', { job_id })
    if (job.status === status) return job
    if (terminal.has(job.status)) throw new Error(`the job is ${job.status}: ${JSON.stringify(job.failure)}`)
    await pause(50)
  }
  throw new Error(`the job did not reach status ${status} within a minute`)
}

interface DeliveredScene {
  readonly item: string
  readonly collection: string
  readonly geometry: object
}

/** Orders a small scene of the host "good" into a project, by default the oldest, and waits until it is delivered. */
export async function deliverSmallScene(client: Client, projectId: string | null = null): Promise<DeliveredScene> {
  const captures = await findCaptures(client, 'good', smallScenes.slice(0, 1))
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures, projectId })
  await waitForOrder(client, id, 'FULFILLED')
  const manifest = await client.call<{ collection_id: string; features: { item_id: string }[] }>('orders.list_assets', {
    order_id: id,
  })
  return { item: manifest.features[0]!.item_id, collection: manifest.collection_id, geometry: captures[0]!.geometry }
}

/** A valid input of `processing.create`; inputs of different variants differ. */
export async function createJobRequest(client: Client, project_id: string, variant: number) {
  const { item } = await deliverSmallScene(client)
  const { job_types } = await client.call('processing.job_types.list', {})
  const job_type_id = job_types.find(({ name }) => name === 'format-conversion')!.id
  return { project_id, job_type_id, input_params: { item, title: `Variant ${variant}` }, reuse: false }
}

/** A valid input of `clip.create_from_item`. */
export async function createClipRequest(client: Client) {
  const { item, geometry } = await deliverSmallScene(client)
  return { source_item_id: item, aoi_geometry: geometry, reuse: false }
}

/** A valid input of `clip.create_from_area`: delivers a scene to the caller's organization and makes it a mosaic. */
export async function createClipAreaRequest(app: TestApp, client: Client, organization_id: string) {
  await app.admin.call('admin.orgs.credit_adjust', { organization_id, amount_credits: 10_000, reason: 'test' })
  // A project of its own: the first item of a project has effects that the next ones have not.
  const { id: project } = await client.call<{ id: string }>('projects.create', { name: newId() })
  const { item, collection, geometry } = await deliverSmallScene(client, project)
  await client.call('items.update', { item_id: item, properties: { mosaic_type: 'visual' } })
  return { area: collection, mosaic_types: ['visual'], aoi_geometry: geometry, organization_id, reuse: false }
}
