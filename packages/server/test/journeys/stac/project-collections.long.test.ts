import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { StacCatalog, StacCollection, StacSearchResult } from '@swath/contract/schemas/stac.ts'
import { createTestOrganization } from '../../test-organizations.ts'
import { startTestApp, type TestApp } from '../../test-app.ts'
import { validateStacItem } from '../../stac-schemas.ts'

// Items in no collection have an address in the STAC API.

const catalog = '/assets/stac'
let app: TestApp
let client: Client
let project: string
let collection: string
before(async () => {
  app = await startTestApp()
  const org = await createTestOrganization(app, 0)
  client = org.owner.client
  project = org.project
  const created = await client.call<{ id: string }>('collections.create', {
    project_id: project,
    name: 'Harbour scenes',
  })
  collection = created.id
  await client.call('items.batch_create', {
    project_id: project,
    collection_id: collection,
    features: [5, 20, 35, 50, 65].map((cloud, index) => createFeature(`scene-${index}`, cloud)),
  })
})
after(() => app?.close())

const createFeature = (id: string, cloud: number) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  geometry: { type: 'Point', coordinates: [20.5, 20.5] },
  properties: { datetime: '2024-01-01T00:00:00Z', 'eo:cloud_cover': cloud, platform: 'sentinel-2a' },
  assets: { data: { href: 'https://files.example/a.tif', type: 'image/tiff', roles: ['data'] } },
  links: [],
})

const get = (path: string) => client.fetch(path.startsWith('http') ? path : `${catalog}${path}`)
const post = (path: string, body: object) =>
  client.fetch(`${catalog}${path}`, { method: 'POST', body: JSON.stringify(body) })

async function readJson<T>(response: Response | Promise<Response>, status = 200): Promise<T> {
  const received = await response
  assert.equal(received.status, status, await received.clone().text())
  return (await received.json()) as T
}

const idsOf = ({ features }: StacSearchResult): string[] => features.map(({ id }) => id)

test('items in no collection are shown in a collection of their project, where they have an address', async () => {
  const place = `project-${project}`
  const features = [createFeature('loose', 10), createFeature('scene-0', 90)]
  const { created } = await client.call<{ created: number }>('items.batch_create', { project_id: project, features })
  assert.equal(created, 2, 'an id is unique in its collection alone')

  const { collections } = await readJson<{ collections: StacCollection[] }>(get('/collections'))
  assert.deepEqual(
    collections.map(({ id }) => id),
    [collection, place],
  )
  const shown = await readJson<StacCollection>(get(`/collections/${place}`))
  assert.deepEqual(shown, collections[1])
  assert.deepEqual(shown.extent.spatial.bbox, [[20.5, 20.5, 20.5, 20.5]])
  const { links } = await readJson<StacCatalog>(get(''))
  assert.equal(links.filter(({ href }) => href.endsWith(`/collections/${place}`)).length, 1)

  const listed = await readJson<StacSearchResult>(get(`/collections/${place}/items`))
  assert.deepEqual(idsOf(listed).toSorted(), ['loose', 'scene-0'])
  for (const item of listed.features) {
    assert.deepEqual(await validateStacItem(item), [])
    assert.equal(item.collection, place)
    const self = item.links.find(({ rel }) => rel === 'self')!.href
    assert.deepEqual(await readJson(get(self)), item)
    assert.equal(item.links.find(({ rel }) => rel === 'collection')!.href, `${app.url}${catalog}/collections/${place}`)
  }
  const cloudOf = async (path: string) =>
    (await readJson<StacSearchResult['features'][number]>(get(path))).properties['eo:cloud_cover']
  assert.equal(await cloudOf(`/collections/${place}/items/scene-0`), 90)
  assert.equal(await cloudOf(`/collections/${collection}/items/scene-0`), 5)

  const search = async (body: object) => idsOf(await readJson<StacSearchResult>(post('/search', body))).toSorted()
  assert.deepEqual(await search({ collections: [place] }), ['loose', 'scene-0'])
  assert.equal((await search({ collections: [place, collection] })).length, 7)
  assert.deepEqual(await search({ collections: [place], datetime: '2024-01-01T00:00:00Z' }), ['loose', 'scene-0'])
  assert.deepEqual(await search({ collections: [place, place.toUpperCase()] }), ['loose', 'scene-0'])
  assert.deepEqual(await search({ collections: [`project-${collection}`] }), [])
  const byCollection = (value: string, op = '=') => ({ op, args: [{ property: 'collection' }, value] })
  assert.deepEqual(await search({ filter: byCollection(place) }), ['loose', 'scene-0'])
  assert.equal((await search({ filter: { op: 'not', args: [byCollection(collection)] } })).length, 2)
  assert.equal((await search({ filter: byCollection(collection, '<>') })).length, 2)
  const { aggregations } = await readJson<{ aggregations: { name: string; buckets?: object[]; overflow?: number }[] }>(
    get('/aggregate?aggregations=collection_frequency'),
  )
  assert.deepEqual(aggregations[0], {
    name: 'collection_frequency',
    data_type: 'frequency_distribution',
    buckets: [
      { key: collection, data_type: 'string', frequency: 5 },
      { key: place, data_type: 'string', frequency: 2 },
    ],
    overflow: 0,
  })
  for (const path of ['queryables', 'aggregate', 'aggregations'])
    assert.equal((await get(`/collections/${place}/${path}`)).status, 200, path)
})

test('an item is made, changed and deleted at its address in the collection of a project', async () => {
  const items = `/collections/project-${project}/items`
  const created = await readJson<StacSearchResult['features'][number]>(post(items, createFeature('made', 1)), 201)
  const { item } = await client.call<{ item: { collection_id: string | null } }>('items.get', {
    item_id: created.properties['service:item_id'],
  })
  assert.equal(item.collection_id, null)
  const send = (method: string, body?: object) =>
    client.fetch(`${catalog}${items}/made`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  const changed = await readJson<typeof created>(send('PATCH', { properties: { 'eo:cloud_cover': 2 } }))
  assert.equal(changed.properties['eo:cloud_cover'], 2)
  assert.equal((await send('PUT', changed)).status, 204)
  assert.equal((await post(items, createFeature('made', 1))).status, 409)
  assert.equal((await send('DELETE')).ok, true)
  assert.equal((await get(`${items}/made`)).status, 404)
  for (const id of [`project-${collection}`, 'project-1', 'nothing'])
    assert.equal((await get(`/collections/${id}`)).status, 404, id)
  const foreign = await createTestOrganization(app, 1)
  assert.equal((await foreign.owner.client.fetch(`${catalog}/collections/project-${project}`)).status, 404)
})

test('an item with the id of another is neither moved nor left beside it', async () => {
  const create = (name: string) => client.call<{ id: string }>('collections.create', { project_id: project, name })
  const other = await create('Other scenes')
  const features = [createFeature('scene-1', 1)]
  const { results } = await client.call<{ results: { item_id: string }[] }>('items.batch_create', {
    project_id: project,
    collection_id: other.id,
    features,
  })
  const move = (collection_id: string | null) =>
    client.fetch('/v1/op/items.update', {
      method: 'POST',
      body: JSON.stringify({ item_id: results[0]!.item_id, collection_id }),
    })
  assert.equal(((await readJson(move(collection), 409)) as { type: string }).type.endsWith('stac-id-taken'), true)
  await client.call('items.batch_create', { project_id: project, features })
  await readJson(move(null), 409)
  const key = { project_id: project, collection_id: other.id }
  const refused = await client.fetch('/v1/op/collections.delete', { method: 'POST', body: JSON.stringify(key) })
  assert.match(((await readJson(refused, 409)) as { detail: string }).detail, /STAC id of an item/)
  const { item } = await client.call<{ item: { collection_id: string } }>('items.get', {
    item_id: results[0]!.item_id,
  })
  assert.equal(item.collection_id, other.id)
})
