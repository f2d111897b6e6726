import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import { assertRejected } from '../../../test/call-operation.ts'
import { square } from '../../../test/geometries.ts'
import { storeFileAsset } from '../../../test/rasters.ts'
import { createQueuedOrganization } from '../../../test/task-runner.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../test/test-services.ts'
import { newId } from '../../platform/ids.ts'
import { grantCredits } from '../ledger/ledger.ts'

const scene = join(import.meta.dirname, '../../../../../fixtures/rasters/scenes/bolzano.tif')
/** Inside the scene. */
const aoi_geometry = square(11.3, 46.475, 0.01)

let services: TestServices
let org: Awaited<ReturnType<typeof createQueuedOrganization>>
/** A collection with a mosaic, and another item without. */
let area: string
let mosaic: string
let plain: string
before(async () => {
  services = await openTestServices()
  org = await createQueuedOrganization(services)
  const reference = { type: 'purchase', id: newId() }
  await org.owner.transaction((tx) =>
    grantCredits(tx, org.owner, { kind: 'purchase', amount_credits: 1000, reference }),
  )
  const deliver = async (properties: Record<string, unknown>) =>
    deliverItem(org.owner, org.project, { assets: [await storeFileAsset(services.blobs, scene)], properties })
  const delivered = await deliver({ mosaic_type: 'summer' })
  area = delivered.collection_id
  mosaic = delivered.item_id
  plain = (await deliver({})).item_id
})
after(() => services?.close())

interface Clipped {
  readonly job: Job
  readonly assets_to_clip: number
  readonly asset_keys: string[]
}

const getJob = async (job_id: string): Promise<Job> => (await org.invoke<{ job: Job }>('clip.job.get', { job_id })).job

test('an area is a collection with mosaics, by type', async () => {
  const { areas } = await org.invoke<{ areas: { area: string; mosaic_types: string[]; geometry: object | null }[] }>(
    'clip.areas.list',
  )
  assert.deepEqual(
    areas.map((row) => [row.area, row.mosaic_types]),
    [[area, ['summer']]],
  )
  assert.ok(areas[0]!.geometry)
  const { mosaics } = await org.invoke<{ mosaics: { mosaic_type: string; band_names: string[] }[] }>(
    'clip.area.mosaics',
    { area },
  )
  assert.deepEqual(mosaics, [{ ...mosaics[0], mosaic_type: 'summer', band_names: ['b1', 'b2'] }])
  for (const unknown of [newId(), 'nowhere'])
    for (const id of ['clip.area.metadata', 'clip.area.mosaics'])
      await assertRejected(org.invoke(id, { area: unknown }), 'not-found')
})

test('a clip of an item starts without being dispatched, and its file can be downloaded and is recorded', async () => {
  const clipped = await org.invoke<Clipped>('clip.create_from_item', { source_item_id: plain, aoi_geometry })
  assert.deepEqual([clipped.job.status, clipped.assets_to_clip, clipped.asset_keys], ['pending', 1, ['data']])
  const download = { job_id: clipped.job.id, mosaic_type: 'data', requester_ip: '192.0.2.7' }
  await assertRejected(org.invoke('clip.job.download', download), 'invalid-state')
  await org.runner.runPending()
  const job = await getJob(clipped.job.id)
  assert.deepEqual(
    [job.status, job.settlement, job.credits_captured],
    ['completed', 'captured', clipped.job.credits_held],
  )
  const { url, size_bytes } = await org.invoke<{ url: string; size_bytes: number }>('clip.job.download', download)
  assert.ok(url.startsWith('http') && size_bytes > 0)
  await assertRejected(org.invoke('clip.job.download', { ...download, mosaic_type: 'other' }), 'not-found')
  const { downloads } = await org.invoke<{ downloads: Record<string, string>[] }>('clip.job.downloads', {
    job_id: job.id,
  })
  assert.deepEqual(
    downloads.map(({ mosaic_type, requester_ip, actor }) => [mosaic_type, requester_ip, actor]),
    [['data', '192.0.2.7', org.owner.principal.id]],
  )
  const { tile_info } = await org.invoke<{ tile_info: { ready: boolean; tiles: string[] } }>('clip.job.tile_info', {
    job_id: job.id,
  })
  assert.ok(tile_info.ready && tile_info.tiles[0]!.includes(job.item_ids[0]!))
  await org.invoke('items.delete', { item_id: job.item_ids[0]! })
  await assertRejected(org.invoke('clip.job.download', download), 'not-found')
  const deleted = await org.invoke<{ tile_info: { ready: boolean; tiles: string[] } }>('clip.job.tile_info', {
    job_id: job.id,
  })
  assert.deepEqual([deleted.tile_info.ready, deleted.tile_info.tiles], [false, []])
})

test('a clip of an area has an asset for each mosaic type, and its item remains when the clip is deleted', async () => {
  const input = { area, mosaic_types: ['summer'], aoi_geometry, aoi_name: 'Valley', organization_id: org.organization }
  const { job } = await org.invoke<{ job: Job }>('clip.create_from_area', input)
  await assertRejected(org.invoke('clip.job.delete', { job_id: job.id }), 'invalid-state')
  await org.runner.runPending()
  const ended = await getJob(job.id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.failure))
  const { item } = await org.invoke<{ item: { name: string; type: string } }>('items.get', {
    item_id: ended.item_ids[0]!,
  })
  assert.deepEqual([item.name, item.type], ['Valley', 'clip'])
  const lineage = await org.invoke<{ edges: Record<string, string>[] }>('provenance.get', {
    entity_type: 'item',
    entity_id: ended.item_ids[0]!,
  })
  const sources = lineage.edges.filter(({ src_id }) => src_id === ended.item_ids[0]).map(({ dst_id }) => dst_id)
  assert.deepEqual(sources.toSorted(), [mosaic, job.id].toSorted())
  await org.invoke('clip.job.delete', { job_id: job.id })
  await assertRejected(org.invoke('clip.job.get', { job_id: job.id }), 'not-found')
  await org.invoke('items.get', { item_id: ended.item_ids[0]! })
})

test('unknown mosaic types, other organizations and polygons outside are refused by the fields of the operation', async () => {
  const input = { area, mosaic_types: ['summer'], aoi_geometry, organization_id: org.organization }
  await assertRejected(org.invoke('clip.create_from_area', { ...input, organization_id: newId() }), 'not-found')
  await assert.rejects(org.invoke('clip.create_from_area', { ...input, mosaic_types: ['winter'] }), /mosaic_types\.0/)
  await assert.rejects(
    org.invoke('clip.create_from_item', { source_item_id: plain, aoi_geometry: square(100, 10, 1) }),
    /^Problem: aoi_geometry|aoi_geometry/,
  )
  await assertRejected(org.invoke('clip.create_from_item', { source_item_id: newId(), aoi_geometry }), 'not-found')
  const { jobs, total } = await org.invoke<{ jobs: Job[]; total: number }>('clip.jobs.list', {
    organization_id: org.organization,
    status: 'completed',
  })
  assert.deepEqual([jobs.length, total], [1, 1])
})
