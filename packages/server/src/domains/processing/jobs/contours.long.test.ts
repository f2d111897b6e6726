import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import { assertRejected } from '../../../../test/call-operation.ts'
import {
  createOrganizationWithHeights,
  type OrganizationWithHeights,
} from '../../../../test/processing/organization-with-heights.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { findItem } from '../../items/store.ts'

let services: TestServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services))
})
after(() => services?.close())

async function runContours(inputs: object): Promise<Job> {
  const request = { process_id: 'contours', workspaceId: org.project, inputs: { item: heights, ...inputs } }
  const { job } = await org.invoke<{ job: Job }>('processing.execute', request)
  await org.runner.runPending()
  return (await org.invoke<{ job: Job }>('processing.job.get', { job_id: job.id })).job
}

interface Feature {
  readonly properties: { readonly level: number }
  readonly geometry: { readonly type: string }
}

test('contours become a vector item with its lines, levels and lineage', async () => {
  const job = await runContours({ interval: 2, base: 1 })
  assert.deepEqual([job.status, job.settlement], ['completed', 'captured'], JSON.stringify(job.failure))
  const item = (await findItem(org.owner.db, org.organization, job.item_ids[0]!))!
  assert.deepEqual([item.type, item.job_id], ['derived_vector', job.id])
  const [asset] = await findAssetsOfItem(org.owner.db, org.organization, item.id)
  assert.deepEqual([asset!.key, asset!.media_type, asset!.roles], ['data', 'application/geo+json', ['data']])
  const bytes = await services.blobs.read(asset!.blob_path!, 0, asset!.file_size_bytes!)
  const { features } = JSON.parse(Buffer.from(bytes).toString()) as { features: Feature[] }
  assert.ok(features.length > 3)
  for (const { properties, geometry } of features)
    assert.deepEqual([Math.abs(properties.level % 2), geometry.type], [1, 'LineString'])
  const { process } = await org.invoke<{ process: { outputs: object[] } }>('processing.catalog.get', {
    process_id: 'contours',
  })
  assert.deepEqual(process.outputs, [{ name: 'item', media_type: 'application/geo+json' }])
})

test('a surface that crosses no level fails with a reason, and its hold is released', async () => {
  const job = await runContours({ interval: 1_000_000, base: -500_000 })
  assert.deepEqual([job.status, job.settlement], ['failed', 'released'])
  assert.match(job.failure!.text, /no feature/)
})

test('areas of equal samples become polygons with their value, and an unknown band is refused', async () => {
  const request = { process_id: 'vectorize', workspaceId: org.project, inputs: { item: heights, connectedness: 8 } }
  const { job: created } = await org.invoke<{ job: Job }>('processing.execute', request)
  await org.runner.runPending()
  const { job } = await org.invoke<{ job: Job }>('processing.job.get', { job_id: created.id })
  assert.deepEqual([job.status, job.settlement], ['completed', 'captured'], JSON.stringify(job.failure))
  const item = (await findItem(org.owner.db, org.organization, job.item_ids[0]!))!
  assert.equal(item.type, 'derived_vector')
  const [asset] = await findAssetsOfItem(org.owner.db, org.organization, item.id)
  const bytes = await services.blobs.read(asset!.blob_path!, 0, asset!.file_size_bytes!)
  const { features } = JSON.parse(Buffer.from(bytes).toString()) as {
    features: { properties: { value: unknown }; geometry: { type: string } }[]
  }
  assert.ok(features.length > 10)
  for (const { properties, geometry } of features) {
    assert.equal(typeof properties.value, 'number')
    assert.match(geometry.type, /^(Multi)?Polygon$/)
  }
  await assertRejected(
    org.invoke('processing.execute', { ...request, inputs: { item: heights, band: 'b9' } }),
    'validation',
  )
})

test('a job that writes features is not assigned to an outside worker', async () => {
  const { job_types } = await org.invoke<{ job_types: { id: string; name: string }[] }>('processing.job_types.list')
  const { job } = await org.invoke<{ job: Job }>('processing.create', {
    project_id: org.project,
    job_type_id: job_types.find(({ name }) => name === 'contours')!.id,
    input_params: { item: heights, interval: 3 },
  })
  await assertRejected(org.invoke('processing.job.delegate', { job_id: job.id }), 'invalid-state')
  await org.invoke('processing.job.cancel', { job_id: job.id })
})
