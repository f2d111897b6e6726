import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { StacItem, StacSearchResult } from '@swath/contract/schemas/stac.ts'
import type { Upload } from '@swath/contract/schemas/upload.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { validateStacItem } from '../stac-schemas.ts'
import { sha256 } from '../upload-services.ts'

// An item of which nobody said when it was taken claims no time: neither as a Feature, nor in searches, nor for its collection.

const dated = '2024-01-01T00:00:00.000Z'
let app: TestApp
let client: Client
let project: string
let collection_id: string
let undated: string
before(async () => {
  app = await startTestApp()
  const org = await createTestOrganization(app, 0)
  client = org.owner.client
  project = org.project
  collection_id = (await client.call<{ id: string }>('collections.create', { project_id: project, name: 'Old maps' }))
    .id
  await client.call('items.create', {
    project_id: project,
    collection_id,
    name: 'dated',
    type: 'external_reference',
    geometry: { type: 'Point', coordinates: [20, 20] },
    datetime: dated,
  })
  undated = await uploadFile(
    await readFile(new URL('../../../../fixtures/rasters/scenes/elkton-labels.tif', import.meta.url)),
  )
})
after(() => app?.close())

/** Uploads a raster whose metadata and name have no time; returns its item. */
async function uploadFile(bytes: Uint8Array): Promise<string> {
  const session = { project_id: project, target_collection_id: collection_id, file_count: 1, total_bytes: bytes.length }
  const { id: upload_id } = await client.call<Upload>('uploads.initiate', session)
  const signed = await client.call<{ upload_url: string; object_path: string }>('uploads.signed_url', {
    upload_id,
    file_name: 'labels.tif',
  })
  const sent = await fetch(signed.upload_url, { method: 'PUT', body: bytes as never })
  assert.equal(sent.status, 200, await sent.text())
  const files = [{ object_path: signed.object_path, size: bytes.length, sha256: sha256(bytes) }]
  await client.call('uploads.complete', { upload_id, files })
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(100)) {
    const { upload } = await client.call<{ upload: Upload }>('uploads.get', { upload_id })
    const [file] = upload.files
    if (file?.item_ids[0]) {
      assert.match(file.notes.join(), /does not say when it was taken. Set the time of the item/)
      return file.item_ids[0]
    }
    assert.equal(file?.reason ?? null, null)
  }
  return assert.fail('the upload was not read')
}

async function findNames(more: object): Promise<unknown[]> {
  const body = JSON.stringify({ collections: [collection_id], ...more })
  const response = await client.fetch('/assets/stac/search', { method: 'POST', body })
  assert.equal(response.status, 200, `${body}: ${await response.clone().text()}`)
  return ((await response.json()) as StacSearchResult).features.map(({ properties }) => properties['title'])
}

const datetime = { property: 'datetime' }
const isUnknown = { op: 'isNull', args: [datetime] }
const from2020 = { op: '>=', args: [datetime, { timestamp: '2020-01-01T00:00:00Z' }] }

const readInterval = async (): Promise<unknown> => {
  const response = await client.fetch(`/assets/stac/collections/${collection_id}`)
  return ((await response.json()) as { extent: { temporal: { interval: unknown } } }).extent.temporal.interval
}

test('the Feature of an item without a time has the bounds that are known, and says so', async () => {
  const feature = await client.call<StacItem>('items.get_stac', { item_id: undated })
  assert.deepEqual(await validateStacItem(feature), [])
  const { properties } = feature
  assert.equal(properties['datetime'], null)
  assert.equal(properties['start_datetime'], '1850-01-01T00:00:00.000Z')
  assert.equal(properties['end_datetime'], properties['created'])
  assert.equal(properties['service:time_unknown'], true)
  const { item } = await client.call<{ item: Item }>('items.get', { item_id: undated })
  assert.equal(item.datetime, null)
})

test('searches by time leave an item without a time out, from a date on; all others find it', async () => {
  assert.deepEqual(await findNames({}), ['dated', 'labels'], 'the oldest')
  assert.deepEqual(await findNames({ datetime: '2020-01-01T00:00:00Z/..' }), ['dated'])
  const today = new Date(app.clock.now()).toISOString().slice(0, 10)
  assert.deepEqual(await findNames({ datetime: `${today}T00:00:00Z/${today}T23:59:59Z` }), [])
  assert.deepEqual(await findNames({ datetime: '../2021-01-01T00:00:00Z' }), ['labels'])
  assert.deepEqual(await findNames({ filter: isUnknown }), ['labels'])
  assert.deepEqual(await findNames({ filter: { op: 'not', args: [isUnknown] } }), ['dated'])
  assert.deepEqual(await findNames({ filter: from2020 }), ['dated'])
  assert.deepEqual(await findNames({ bbox: [-180, 20.5, 180, 90] }), ['labels'])
})

test('a collection lasts as long as its items with a time, and its counts have the others apart', async () => {
  assert.deepEqual(await readInterval(), [[dated, dated]])
  const response = await client.fetch(
    `/assets/stac/aggregate?collections=${collection_id}&aggregations=datetime_frequency,datetime_min,total_count`,
  )
  const { aggregations } = (await response.json()) as {
    aggregations: { name: string; value?: unknown; buckets?: { frequency: number }[]; overflow?: number }[]
  }
  const byName = new Map(aggregations.map((one) => [one.name, one]))
  assert.equal(byName.get('total_count')!.value, 2)
  assert.equal(byName.get('datetime_min')!.value, dated)
  assert.deepEqual(
    byName.get('datetime_frequency')!.buckets!.map(({ frequency }) => frequency),
    [1],
  )
  assert.equal(byName.get('datetime_frequency')!.overflow, 1)
})

test('an item has a time from when somebody says so, and loses it again', async () => {
  const given = '2023-05-06T07:08:09.000Z'
  await client.call('items.update', { item_id: undated, datetime: given })
  const { properties } = await client.call<StacItem>('items.get_stac', { item_id: undated })
  assert.equal(properties['datetime'], given)
  assert.ok(!('start_datetime' in properties) && !('service:time_unknown' in properties))
  assert.deepEqual(await findNames({ datetime: '2023-05-06T00:00:00Z/2023-05-07T00:00:00Z' }), ['labels'])
  assert.deepEqual(await readInterval(), [[given, dated]])
  await client.call('items.update', { item_id: undated, datetime: null })
  assert.deepEqual(await readInterval(), [[dated, dated]])
  assert.deepEqual(await findNames({ datetime: '2020-01-01T00:00:00Z/..' }), ['dated'])
})
