import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import type { Raster } from '@swath/raster'
import type { OrganizationRasterJobRunner } from '../../src/domains/tiles/raster-pool.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { immediateRetries, startTestApp, type TestApp } from '../test-app.ts'
import { testThreads } from '../test-process-services.ts'
import { createJobRequest, deliverSmallScene, waitForJob } from './jobs.ts'

let app: TestApp
let busy: TestOrganization
let other: TestOrganization
before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('good')], background: immediateRetries })
  busy = await createTestOrganization(app, 100_000)
  other = await createTestOrganization(app, 100_000)
})
after(() => app?.close())

/** The raster as a host would have it that accepts reads and never answers. */
const withSilentSource = (raster: Raster): Raster => {
  const { id, size, etag } = raster.source
  return {
    ...raster,
    source: { id, size, etag, read: () => new Promise(() => undefined), close: async () => undefined },
  }
}

/** Makes the jobs of an organization that write images endless: each keeps its thread until it is cancelled. */
function makeJobsEndless(t: TestContext, organization: string): { readonly begun: () => number } {
  let begun = 0
  const { forOwner } = testThreads.rasters
  t.mock.method(testThreads.rasters, 'forOwner', (owner: Parameters<typeof forOwner>[0]) => {
    const jobs = forOwner(owner)
    if (owner.organization !== organization) return jobs
    const run: OrganizationRasterJobRunner['run'] = (job, rasters, request, options) => {
      if (job !== 'processToCog') return jobs.run(job, rasters, request, options)
      begun += 1
      return jobs.run(job, rasters.map(withSilentSource), request, options)
    }
    return { ...jobs, run }
  })
  return { begun: () => begun }
}

type JobRequest = Awaited<ReturnType<typeof createJobRequest>>

async function createDispatchedJob({ owner: { client } }: TestOrganization, request: JobRequest): Promise<string> {
  const { job } = await client.call<{ job: Job }>('processing.create', request)
  await client.call('processing.dispatch', { job_id: job.id })
  return job.id
}

const cancel = (client: Client, job_id: string): Promise<unknown> => client.call('processing.job.cancel', { job_id })

test("while one organization has more endless jobs than there are slots, another's job and statistics end", async (t) => {
  const { client } = other.owner
  const { item } = await deliverSmallScene(client)
  const ofBusy = await createJobRequest(busy.owner.client, busy.project, 0)
  const ofOther = await createJobRequest(client, other.project, 0)
  // From here on: the delivery of an order converts images as well.
  const { begun } = makeJobsEndless(t, busy.organization)
  const endless: string[] = []
  for (let n = 0; n < 6; n++) {
    const input_params = { ...ofBusy.input_params, title: `Endless ${n}` }
    endless.push(await createDispatchedJob(busy, { ...ofBusy, input_params }))
  }
  for (const job_id of endless.slice(0, 4)) await waitForJob(busy.owner.client, job_id, 'running')
  try {
    const job_id = await createDispatchedJob(other, ofOther)
    await waitForJob(client, job_id, 'completed')
    const request = { item_id: item, expression: 'b1' }
    const { statistics } = await client.call<{ statistics: object }>('items.tile.statistics', request)
    assert.ok(statistics)
    assert.equal(begun(), 4, 'as many as there are slots')
    const waiting = await busy.owner.client.call<{ job: Job }>('processing.job.get', { job_id: endless[5]! })
    assert.equal(waiting.job.status, 'dispatched')
    await cancel(busy.owner.client, endless[0]!)
    await waitForJob(busy.owner.client, endless[4]!, 'running')
  } finally {
    await Promise.allSettled(endless.map((job_id) => cancel(busy.owner.client, job_id)))
  }
})
