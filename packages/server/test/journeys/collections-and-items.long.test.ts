import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { assertUnchanged } from '../ledger-assertions.ts'
import { validateStacItem } from '../stac-schemas.ts'
import { getEntityEvents, placeSceneOrder, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const scenes = ['l8-stormlake-20200829', 'hls-exe-20210613', 'hls-exe-20210608'] as const
let app: TestApp
let org: TestOrganization
let client: Client
let delivered: { collection: string; items: string[] }
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 0)
  client = org.owner.client
  const order_id = await placeSceneOrder(client, 'open', scenes)
  await waitForOrder(client, order_id, 'FULFILLED')
  const manifest = await client.call('orders.list_assets', { order_id })
  delivered = { collection: manifest.collection_id!, items: manifest.features.map(({ item_id }) => item_id) }
})
after(() => app?.close())

const featureNames = (searchResult: { features: readonly unknown[] }): string[] =>
  searchResult.features.map((feature) => (feature as { name: string }).name)

test('a collection can be created, updated, listed and deleted, and its name is unique in its project', async () => {
  const project_id = org.project
  const created = await client.call('collections.create', { project_id, name: 'Fields', color: '#336699' })
  assert.equal(created.item_count, 0)
  assert.equal(created.auto_created, false)
  await assertUnchanged(app, () =>
    assert.rejects(client.call('collections.create', { project_id, name: 'fIELDS' }), {
      status: 409,
      problem: 'name-taken',
    }),
  )
  const changed = await client.call('collections.update', {
    project_id,
    collection_id: created.id,
    color: null,
    layer_order: 3,
  })
  assert.deepEqual([changed.name, changed.color, changed.layer_order], ['Fields', null, 3])
  const { collections, total } = await client.call('collections.list', { project_id })
  assert.equal(total, 2)
  assert.deepEqual(collections.map(({ item_count }) => item_count).sort(), [0, 3])

  await client.call('collections.delete', { project_id, collection_id: created.id })
  await assert.rejects(client.call('collections.get', { project_id, collection_id: created.id }), { status: 404 })
  const recreated = await client.call('collections.create', { project_id, name: 'Fields' })
  assert.notEqual(recreated.id, created.id)
  assert.deepEqual(
    (await getEntityEvents(client, created.id)).map((event) => event.event_type),
    ['collection.created', 'collection.updated'],
  )
})

test('items are listed in pages, by project and by collection', async () => {
  const pages = await Promise.all(
    [0, 1, 2, 3].map((offset) => client.call('items.list', { project_id: org.project, limit: 1, offset })),
  )
  assert.deepEqual(
    pages.map((page) => page.items.length),
    [1, 1, 1, 0],
  )
  assert.ok(pages.every((page) => page.total === 3 && page.limit === 1))
  const fullList = await client.call('items.list', { project_id: org.project })
  assert.deepEqual(
    pages.flatMap((page) => page.items),
    fullList.items,
  )
  const collectionItems = await client.call('items.list_by_collection', { collection_id: delivered.collection })
  assert.deepEqual(collectionItems.items, fullList.items)
  const none = await client.call('items.list', { project_id: org.project, uncollected: true })
  assert.equal(none.total, 0)
  await assert.rejects(
    client.call('items.list', { project_id: org.project, uncollected: true, collection_id: delivered.collection }),
    { status: 400, problem: 'conflicting-parameters' },
  )
})

test('items are found by bbox, time, property and type, in the requested order', async () => {
  const search = (input: object) => client.call('items.search', { project_id: org.project, ...input })
  const table: readonly (readonly [object, readonly string[]])[] = [
    [{ bbox: [-4, 50, -3, 51] }, ['hls-exe-20210613', 'hls-exe-20210608']],
    [{ bbox: [100, 0, 101, 1] }, []],
    [{ datetime: '2021-06-10T00:00:00Z/..' }, ['hls-exe-20210613']],
    [{ query: { 'eo:cloud_cover': { lt: 20 } } }, ['hls-exe-20210613']],
    [
      { query: { gsd: { eq: 30 }, 'eo:cloud_cover': { gte: 0 } }, sortby: [{ field: 'eo:cloud_cover' }] },
      ['hls-exe-20210613', 'hls-exe-20210608'],
    ],
    [
      { query: { 'eo:cloud_cover': { gte: 0 } }, sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }] },
      ['hls-exe-20210608', 'hls-exe-20210613'],
    ],
    [{ type: 'clip' }, []],
    [{ collections: [delivered.collection], limit: 1, offset: 1 }, ['hls-exe-20210608']],
  ]
  for (const [input, names] of table) assert.deepEqual(featureNames(await search(input)), names, JSON.stringify(input))
  assert.equal((await search({ limit: 1 })).numberMatched, 3)
  assert.equal((await client.call('items.search_org', {})).numberMatched, 3)
})

test('items are valid STAC, one by one and in searches', async () => {
  const searchResult = await client.call('items.search_org', { format: 'stac' })
  assert.equal(searchResult.features.length, 3)
  for (const item_id of delivered.items) {
    const item = await client.call('items.get_stac', { item_id })
    assert.deepEqual(await validateStacItem(item as never), [])
    assert.deepEqual(
      searchResult.features.find((feature) => feature.id === item.id),
      item,
    )
    const response = await client.fetch(`/v1/items/get_stac?item_id=${item_id}`)
    assert.match(response.headers.get('content-type') ?? '', /^application\/geo\+json/)
  }
})

test('an item lists its assets, and stays without a collection when its collection is deleted', async () => {
  const { project } = org
  const { items } = await client.call('items.list', { project_id: project })
  const stormlake = items.find(({ name }) => name === 'l8-stormlake-20200829')!
  const { item } = await client.call('items.get', { item_id: stormlake.id })
  assert.deepEqual(item, stormlake)
  const { assets } = await client.call('items.list_assets', { item_id: stormlake.id })
  const data = assets.find(({ key }) => key === 'data')!
  assert.equal(data.band_names.length, 3)
  assert.ok(data.ready && data.checksum?.startsWith('1220'))

  await client.call('collections.delete', { project_id: project, collection_id: delivered.collection })
  const uncollected = await client.call('items.list', { project_id: project, uncollected: true })
  assert.equal(uncollected.total, 3)
  const lineage = await client.call('provenance.get', {
    entity_type: 'collection',
    entity_id: delivered.collection,
    direction: 'both',
  })
  assert.equal(lineage.nodes[0]?.deleted, true)
})
