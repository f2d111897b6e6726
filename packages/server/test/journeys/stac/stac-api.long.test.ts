import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { StacItem, StacSearchResult } from '@swath/contract/schemas/stac.ts'
import { createTestOrganization } from '../../test-organizations.ts'
import { startTestApp, type TestApp } from '../../test-app.ts'
import { validateStacItem } from '../../stac-schemas.ts'

// The STAC API as specified, where the corresponding operation is stricter.

const catalog = '/assets/stac'
let app: TestApp
let client: Client
let otherClient: Client
let collection: string
let project: string
let items: string
before(async () => {
  app = await startTestApp()
  const org = await createTestOrganization(app, 0)
  client = org.owner.client
  otherClient = (await createTestOrganization(app, 0)).owner.client
  const { id } = await client.call<{ id: string }>('collections.create', { project_id: org.project, name: 'Scenes' })
  collection = id
  project = org.project
  items = `${catalog}/collections/${id}/items`
  const features = [5, 20, 35].map((cloud, index) => createFeature(`scene-${index}`, cloud))
  await client.call('items.batch_create', { project_id: org.project, collection_id: id, features })
})
after(() => app?.close())

const createFeature = (id: string, cloud: unknown) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  geometry: { type: 'Point', coordinates: [20.5, 20.5] },
  properties: { datetime: '2024-01-01T00:00:00.123456Z', 'eo:cloud_cover': cloud, platform: 'sentinel-2a' },
  assets: { data: { href: 'https://files.example/a.tif', type: 'image/tiff', roles: ['data'] } },
  links: [{ rel: 'license', href: 'https://files.example/licence.txt' }],
})

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  client.fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

async function search(
  method: 'GET' | 'POST',
  searchInput: Record<string, unknown> | string,
): Promise<StacSearchResult> {
  const response =
    typeof searchInput === 'string'
      ? await send(method, `${catalog}/search?${searchInput}`)
      : await send(method, `${catalog}/search`, searchInput)
  assert.equal(response.status, 200, `${JSON.stringify(searchInput)}: ${await response.clone().text()}`)
  return (await response.json()) as StacSearchResult
}

const countMatches = async (searchInput: Record<string, unknown> | string): Promise<number> =>
  (await search(typeof searchInput === 'string' ? 'GET' : 'POST', searchInput)).numberMatched

test('search accepts 3D boxes, all geometry types, large limits and strings for lists', async () => {
  assert.equal((await search('POST', { bbox: [20, 20, -10, 21, 21, 9000], limit: 1_000_000 })).numberMatched, 3)
  assert.equal(await countMatches('bbox=20,20,-10,21,21,9000&limit=20000'), 3)
  const point = { type: 'Point', coordinates: [20.5, 20.5] }
  const line = {
    type: 'LineString',
    coordinates: [
      [20, 20],
      [21, 21],
    ],
  }
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [20, 20],
        [21, 20],
        [21, 21],
        [20, 20],
      ],
    ],
  }
  for (const intersects of [
    point,
    { type: 'MultiPoint', coordinates: [point.coordinates, [1, 1]] },
    line,
    { type: 'MultiLineString', coordinates: [line.coordinates] },
    area,
    { type: 'MultiPolygon', coordinates: [area.coordinates] },
    { type: 'GeometryCollection', geometries: [point, line] },
  ]) {
    assert.equal(await countMatches({ intersects }), 3, intersects.type)
    assert.equal(await countMatches(`intersects=${JSON.stringify(intersects)}`), 3, intersects.type)
  }
  assert.equal(await countMatches({ collections: collection, ids: 'scene-1,scene-2' }), 2)
  assert.equal(await countMatches({ filter: { op: 'between', args: [{ property: 'eo:cloud_cover' }, [10, 40]] } }), 2)
})

test('conditions of the query extension also read numeric strings as numbers', async () => {
  const countWithQuery = (test: object): Promise<number> => countMatches({ query: { 'eo:cloud_cover': test } })
  const table: [object, number][] = [
    [{ eq: '20' }, 1],
    [{ eq: 20 }, 1],
    [{ neq: '20' }, 2],
    [{ lt: '20' }, 1],
    [{ gte: '20' }, 2],
    [{ in: ['5', '35'] }, 2],
  ]
  for (const [searchInput, expected] of table)
    assert.equal(await countWithQuery(searchInput), expected, JSON.stringify(searchInput))
  assert.equal(await countMatches('query={"platform":{"startsWith":"sentinel"}}'), 3)
})

test('fields selects members with GET and POST, also on following pages', async () => {
  const firstFeature = async (method: 'GET' | 'POST', searchInput: Record<string, unknown> | string) =>
    (await search(method, searchInput)).features[0] as unknown as Record<string, Record<string, unknown>>
  assert.deepEqual((await firstFeature('GET', 'fields=id,%2Bproperties.platform'))['properties'], {
    datetime: '2024-01-01T00:00:00.123456Z',
    platform: 'sentinel-2a',
  })
  assert.equal((await firstFeature('GET', 'fields=-geometry'))['geometry'], null)
  assert.deepEqual(Object.keys((await firstFeature('POST', { fields: {} }))['properties']!), ['datetime'])
  const { features, links } = await search('GET', 'fields=id&limit=1')
  assert.deepEqual(Object.keys(features[0]!.properties), ['datetime'])
  const next = links.find(({ rel }) => rel === 'next')!
  const nextPage = (await (await client.fetch(next.href)).json()) as StacSearchResult
  assert.deepEqual(Object.keys(nextPage.features[0]!.properties), ['datetime'])
})

test('an invalid request returns 400 on STAC routes and 422 on operation routes', async () => {
  const bodies = [
    { limit: -1 },
    { bbox: [0, 0, 1, 1, 1] },
    { bbox: [100, 1, 105, 0] },
    { bbox: '0,0,1,1' },
    { fields: 7 },
    { datetime: '2024-01-01' },
    { datetime: '2024-01-01T00:00:00' },
    {
      intersects: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    },
    { query: { platform: { like: 'x' } } },
    { surprise: true },
  ]
  for (const body of bodies) {
    const [route, operation] = await Promise.all([
      send('POST', `${catalog}/search`, body),
      send('POST', '/v1/op/stac.items.search', body),
    ])
    assert.deepEqual([route.status, operation.status], [400, 422], JSON.stringify(body))
    const { type, detail, errors } = (await route.json()) as { type: string; detail: string; errors: unknown[] }
    assert.match(type, /invalid-parameter$/)
    assert.ok(typeof detail === 'string' && errors.length > 0)
  }
  assert.equal((await send('GET', `${catalog}/search?bbox=[0,0,1,1]`)).status, 400)
  assert.equal((await send('POST', '/v1/op/stac.search', { bbox: [0, 0, 0, 1, 1, 1] })).status, 422)
})

async function getItem(id: string): Promise<{ item: StacItem; etag: string }> {
  const response = await send('GET', `${items}/${id}`)
  assert.equal(response.status, 200)
  return { item: (await response.json()) as StacItem, etag: response.headers.get('etag')!.replace('W/', '') }
}

test('an item can be created, replaced, updated and deleted by transactions', async () => {
  const created = await send('POST', items, createFeature('a b', 1))
  assert.equal(created.status, 201)
  assert.equal(created.headers.get('location'), `${app.url}${items}/a%20b`)
  const first = await getItem('a%20b')
  assert.deepEqual(await created.json(), first.item)
  assert.equal(
    first.item.properties['datetime'],
    '2024-01-01T00:00:00.123456Z',
    'with the fractional digits of the input',
  )
  assert.equal(first.item.links.find(({ rel }) => rel === 'self')?.href, `${app.url}${items}/a%20b`)
  assert.equal((await send('POST', items, createFeature('a b', 1))).status, 409)

  const next = createFeature('a b', '3.14')
  const putResponse = await send('PUT', `${items}/a%20b`, {
    ...next,
    properties: { datetime: '2025-01-01T00:00:00Z', 'eo:cloud_cover': '3.14', foo: 'bar' },
    assets: { other: { href: 'https://files.example/b.tif' } },
  })
  assert.deepEqual(
    [putResponse.status, putResponse.headers.get('content-type'), await putResponse.text()],
    [204, null, ''],
  )
  const second = await getItem('a%20b')
  const { properties } = second.item
  assert.equal(putResponse.headers.get('etag'), second.etag)
  assert.notEqual(first.etag, second.etag)
  assert.deepEqual(
    [properties['datetime'], properties['eo:cloud_cover'], properties['foo'], properties['platform']],
    ['2025-01-01T00:00:00.000Z', '3.14', 'bar', undefined],
  )
  assert.deepEqual(Object.keys(second.item.assets), ['other'])
  assert.deepEqual(second.item.stac_extensions, [], 'no extension that a string instead of a number would violate')
  assert.deepEqual(await validateStacItem(second.item as never), [])

  const patch = { properties: { foo: null, 'eo:cloud_cover': 12, start: 'now' } }
  const patchResponse = await send('PATCH', `${items}/a%20b`, patch)
  assert.equal(patchResponse.status, 200)
  const { item: third, etag: thirdTag } = await getItem('a%20b')
  assert.deepEqual(
    [await patchResponse.json(), patchResponse.headers.get('etag')!.replace('W/', '')],
    [third, thirdTag],
  )
  assert.deepEqual([third.properties['foo'], third.properties['eo:cloud_cover']], [undefined, 12])
  assert.deepEqual([third.links, third.assets], [second.item.links, second.item.assets], 'nothing else has changed')
  assert.equal(await countMatches({ ids: ['a b'], query: { 'eo:cloud_cover': { eq: 12 } } }), 1)

  assert.equal((await send('DELETE', `${items}/a%20b`)).status, 204)
  for (const method of ['GET', 'DELETE']) assert.equal((await send(method, `${items}/a%20b`)).status, 404)
})

test('If-Match with an outdated ETag returns 412', async () => {
  await send('POST', items, {
    type: 'FeatureCollection',
    features: [createFeature('guarded', 1), createFeature('beside', 1)],
  })
  const { etag, item } = await getItem('guarded')
  const itemPath = `${items}/guarded`
  assert.equal((await send('PATCH', itemPath, { properties: { n: 1 } }, { 'if-match': etag })).status, 200)
  for (const [method, body] of [
    ['PATCH', { properties: { n: 2 } }],
    ['PUT', item],
    ['DELETE', undefined],
  ] as const) {
    const staleResponse = await send(method, itemPath, body, { 'if-match': etag })
    assert.equal(staleResponse.status, 412, method)
    assert.match(((await staleResponse.json()) as { type: string }).type, /precondition-failed$/)
  }
  const current = await getItem('guarded')
  assert.equal(current.item.properties['n'], 1)
  assert.equal((await send('PUT', itemPath, current.item, { 'if-match': `"x", ${current.etag}` })).status, 204)
  assert.equal((await send('DELETE', itemPath, undefined, { 'if-match': '*' })).status, 204)
})

test("transactions return 404 for another organization's items and 400 for invalid items", async () => {
  const itemPath = `${items}/scene-0`
  const { item } = await getItem('scene-0')
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const body = method === 'DELETE' ? {} : { body: JSON.stringify(item) }
    assert.equal((await otherClient.fetch(itemPath, { method, ...body })).status, 404, method)
  }
  assert.equal((await otherClient.fetch(items, { method: 'POST', body: JSON.stringify(item) })).status, 404)
  for (const body of [{ ...item, id: 'other' }, { ...item, collection: 'other' }, { type: 'Feature' }, [], null]) {
    assert.equal((await send('PUT', itemPath, body)).status, 400, JSON.stringify(body).slice(0, 40))
  }
  const features = [
    createFeature('whole', 1),
    { ...createFeature('half', 1), geometry: { type: 'Point', coordinates: [999] } },
  ]
  assert.equal((await send('POST', items, { type: 'FeatureCollection', features })).status, 400)
  assert.equal(await countMatches({ ids: ['whole'] }), 0, 'all or none')
  assert.deepEqual((await getItem('scene-0')).item, item)
})

test('no transaction and no import stores an asset of an internal host, and links to one are dropped', async () => {
  const internal = ['http://localhost/a.tif', 'https://10.0.0.1/a.tif', 'http://[::1]/a.tif', 'https://0x7f.1/a.tif']
  const itemPath = `${items}/scene-1`
  const { item } = await getItem('scene-1')
  const itemWithAsset = (id: string, href: string) => ({ ...createFeature(id, 1), assets: { data: { href } } })
  for (const href of internal) {
    const asset = { assets: { data: { href } } }
    assert.equal((await send('POST', items, itemWithAsset('internal', href))).status, 400, href)
    assert.equal((await send('PUT', itemPath, itemWithAsset('scene-1', href))).status, 400, href)
    assert.equal((await send('PATCH', itemPath, asset)).status, 400, href)
    const batch = await client.call('items.batch_create', {
      project_id: project,
      features: [itemWithAsset('internal', href)],
    })
    assert.deepEqual([batch.created, batch.results[0]?.refusal?.problem], [0, 'validation'], href)
  }
  assert.deepEqual((await getItem('scene-1')).item, item)
  assert.equal((await send('PUT', itemPath, item)).status, 204, 'the own URL of the server may be internal')
  const links = [{ rel: 'about', href: 'http://169.254.169.254/latest' }, ...createFeature('', 1).links]
  assert.equal((await send('PATCH', itemPath, { links })).status, 200)
  assert.deepEqual(
    (await getItem('scene-1')).item.links
      .filter(({ rel }) => rel === 'about' || rel === 'license')
      .map(({ rel }) => rel),
    ['license'],
  )
})
