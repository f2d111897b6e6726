import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Job } from '@swath/contract/schemas/job.ts'
import { createCrsFromEpsg, type CogInput } from '@swath/raster'
import { assertRejected } from '../../../../test/call-operation.ts'
import { storeRasterAsset } from '../../../../test/rasters.ts'
import {
  createOrganizationWithHeights,
  type OrganizationWithHeights,
} from '../../../../test/processing/organization-with-heights.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'

let services: TestServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services, { amount_credits: 10_000 }))
})
after(() => services?.close())

interface Started {
  readonly job: Job
}

const getJob = async (job_id: string): Promise<Job> =>
  (await org.invoke<{ job: Job }>('processing.job.get', { job_id })).job

async function balance() {
  const wallet = await readWalletBalance(org.owner.db, org.organization, org.owner.clock.now())
  return { available_credits: wallet.available_credits, held_credits: wallet.held_credits }
}

const createSurface = async (side: number): Promise<CogInput> => ({
  width: side,
  height: side,
  sampleType: 'uint16',
  bands: [{ name: 'value', colour: 'gray', scale: 1, offset: 0 }],
  nodata: null,
  masked: false,
  georeferencing: { affine: [500_000, 10, 0, 5_000_000, 0, -10], crs: await createCrsFromEpsg(32_633), geoTags: null },
  readRows: async (top, rows) => {
    const data = Uint16Array.from({ length: side * rows }, (_value, at) => (at * 7919 + top) % 65_521)
    return { width: side, rows, bands: 1, data, mask: null }
  },
})

const createPending = async (title: string): Promise<Job> => {
  const { job_types } = await org.invoke<{ job_types: { id: string; name: string }[] }>('processing.job_types.list')
  const { id: job_type_id } = job_types.find(({ name }) => name === 'hillshade')!
  const input = { project_id: org.project, job_type_id, input_params: { item: heights, title } }
  return (await org.invoke<{ job: Job }>('processing.create', input)).job
}

test('a failed or cancelled job is retried as a new job with its own hold, and no other', async () => {
  const job = await createPending('Retried')
  await assertRejected(org.invoke('processing.jobs.retry', { job_id: job.id }), 'invalid-state')
  await org.invoke('processing.job.cancel', { job_id: job.id })
  const before = await balance()
  await assertRejected(org.invoke('processing.jobs.retry', { job_id: job.id, max_credits: 0 }), 'spend-limit-exceeded')
  assert.deepEqual(await balance(), before)
  const { job: retried } = await org.invoke<Started>('processing.jobs.retry', { job_id: job.id })
  assert.notEqual(retried.id, job.id)
  assert.deepEqual([retried.input_params, retried.project_id], [job.input_params, job.project_id])
  assert.equal((await balance()).held_credits, before.held_credits + job.credits_held)
  await org.runner.runPending()
  assert.equal((await getJob(retried.id)).status, 'completed')
  assert.equal((await getJob(job.id)).status, 'cancelled')
  await assertRejected(org.invoke('processing.jobs.retry', { job_id: retried.id }), 'invalid-state')
  const { entries } = await org.invoke<{ entries: { message: string }[] }>('processing.job.log', { job_id: retried.id })
  assert.ok(entries[0]!.message.includes(job.id))
  const member = await org.createMember('member')
  await assertRejected(org.invoke('processing.jobs.retry', { job_id: job.id }, member), 'not-a-member')
})

test('a retried job has a collection of its own for its results if the first was to have one', async () => {
  for (const collect_results of [true, false]) {
    const inputs = { item: heights, title: 'Collected' }
    const request = { workspaceId: org.project, process_id: 'hillshade', inputs, collect_results }
    const { job } = await org.invoke<Started>('processing.execute', request)
    await org.invoke('processing.job.cancel', { job_id: job.id })
    const { job: retried } = await org.invoke<Started>('processing.jobs.retry', { job_id: job.id })
    await org.runner.runPending()
    const { status, target_collection_id } = await getJob(retried.id)
    assert.deepEqual([status, target_collection_id !== null], ['completed', collect_results])
  }
})

test('a file that a job reads is not deleted until the job has ended', async () => {
  const asset = await storeRasterAsset(services.blobs, await createSurface(64), [])
  const { item_id } = await deliverItem(org.owner, org.project, { assets: [asset] })
  const inputs = { item: item_id, title: 'Reader' }
  const start = () =>
    org.invoke<Started>('processing.execute', { workspaceId: org.project, process_id: 'hillshade', inputs })
  const remove = () => org.invoke('assets.delete', { item_id, asset_id: asset.id })
  const { job: cancelled } = await start()
  await assertRejected(remove(), 'invalid-state')
  await org.invoke('processing.job.cancel', { job_id: cancelled.id })
  const { job: completed } = await start()
  await assertRejected(remove(), 'invalid-state')
  await org.runner.runPending()
  assert.equal((await getJob(completed.id)).status, 'completed')
  assert.deepEqual(await remove(), { id: asset.id })
})

test('a running job that is cancelled stops before its result is written', async (t) => {
  const asset = await storeRasterAsset(services.blobs, await createSurface(3000), [])
  const { item_id } = await deliverItem(org.owner, org.project, { assets: [asset] })
  const { job } = await org.invoke<Started>('processing.execute', {
    process_id: 'composite',
    workspaceId: org.project,
    inputs: { items: Array.from({ length: 20 }, () => item_id), period: 'all' },
  })
  const written = t.mock.method(services.blobs, 'putFile')
  const running = org.runner.runPending()
  while ((await getJob(job.id)).status === 'dispatched') await pause(20)
  assert.equal((await getJob(job.id)).status, 'running')
  await org.invoke('processing.job.cancel', { job_id: job.id })
  await running
  assert.equal(written.mock.callCount(), 0, 'the file of a job that ran to its end would have been stored')
  assert.equal((await getJob(job.id)).status, 'cancelled')
})
