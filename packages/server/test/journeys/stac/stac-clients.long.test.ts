import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { StacCatalog, StacSearchResult } from '@swath/contract/schemas/stac.ts'
import { createTestOrganization } from '../../test-organizations.ts'
import { startTestApp, type TestApp } from '../../test-app.ts'
import { validateStacItem } from '../../stac-schemas.ts'

// What unmodified clients of the STAC API send and expect (pystac-client, eodag, QGIS).

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

test('the pages that say what the API is need no token and have no data of a tenant', async () => {
  const anonymous = (path: string) => fetch(`${app.url}${catalog}${path}`)
  for (const path of ['', '/', '/conformance', '/queryables']) {
    const text = JSON.stringify(await readJson(anonymous(path)))
    assert.ok(!text.includes(collection) && !text.includes('Harbour'), path)
  }
  assert.equal((await fetch(`${app.url}/openapi.json`)).status, 200)
  const { links } = await readJson<StacCatalog>(get(''))
  assert.ok(links.some(({ rel, href }) => rel === 'child' && href.endsWith(collection)))
  const closed = ['/collections', '/search', '/aggregate', `/collections/${collection}/queryables`]
  for (const path of closed) {
    const refused = await anonymous(path)
    assert.equal(refused.status, 401, path)
    assert.match(refused.headers.get('www-authenticate') ?? '', /Bearer/)
  }
})

test('an unknown query parameter is 400, and what clients add has no effect', async () => {
  const items = `/collections/${collection}/items`
  for (const path of [
    '',
    '/conformance',
    '/collections',
    `/collections/${collection}`,
    items,
    `${items}/scene-0`,
    '/search',
  ]) {
    const { detail } = await readJson<{ detail: string }>(get(`${path}?surprise=1`), 400)
    assert.match(detail, /surprise/, path)
  }
  for (const path of [
    `${items}?collections=${collection}`,
    '/collections?bbox=20,20,21,21',
    `${items}?bbox-crs=http://www.opengis.net/def/crs/OGC/1.3/CRS84`,
  ])
    assert.equal((await get(path)).status, 200, path)
})

test('fields returns valid items, whatever they include or exclude', async () => {
  for (const query of [
    'fields=id',
    'fields=properties.eo:cloud_cover',
    'fields=-geometry,-properties,-links',
    'fields=%2Bassets,-bbox',
  ]) {
    const { features } = await readJson<StacSearchResult>(get(`/search?limit=1&${query}`))
    assert.deepEqual(await validateStacItem({ ...features[0]!, stac_extensions: [] } as never), [], query)
  }
})

test('the token of a page is enough for the rest of its search, with GET and POST', async () => {
  const conditions = {
    limit: 2,
    ids: ['scene-0', 'scene-1', 'scene-2', 'scene-3'],
    sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' }],
    query: { 'eo:cloud_cover': { gt: 5 } },
    fields: { include: ['properties.platform'] },
  }
  const first = await readJson<StacSearchResult>(post('/search', conditions))
  const { body, merge } = first.links.find(({ rel }) => rel === 'next')!
  assert.equal(merge, true)
  const { token } = body as { token: string }
  const alone = await readJson<StacSearchResult>(post('/search', { token }))
  assert.deepEqual([idsOf(first), idsOf(alone)], [['scene-3', 'scene-2'], ['scene-1']])
  assert.deepEqual(alone.context, { returned: 1, matched: 3, page: 1, pages: 2 })
  assert.deepEqual(Object.keys(alone.features[0]!.properties).toSorted(), ['datetime', 'platform'])
  assert.deepEqual(
    await readJson(post('/search', { ...conditions, token })),
    alone,
    'without the page, as eodag sends it',
  )
  assert.deepEqual(await readJson(post('/search', { ...conditions, ...body })), alone, 'merged')
  assert.deepEqual(idsOf(await readJson(get(`/search?token=${token}`))), ['scene-1'])
  for (const other of [{ query: { 'eo:cloud_cover': { gt: 6 } } }, { bbox: [0, 0, 1, 1] }, { page: 2 }, { limit: 1 }])
    assert.equal((await post('/search', { ...conditions, token, ...other })).status, 400, JSON.stringify(other))
})

test('a search too long for its token is continued with its parameters', async () => {
  const ids = Array.from({ length: 2000 }, (_, index) => `scene-${index}`)
  const first = await readJson<StacSearchResult>(post('/search', { ids, limit: 4 }))
  const { body } = first.links.find(({ rel }) => rel === 'next')!
  assert.equal(idsOf(await readJson(post('/search', { ids, limit: 4, ...body }))).length, 1)
  assert.equal((await post('/search', { ...body })).status, 400)
})

test('filters are CQL2 text with GET, and JSON with POST and in the operation', async () => {
  const count = async (filter: string, language?: string): Promise<number> => {
    const parameters = new URLSearchParams({ filter, ...(language ? { 'filter-lang': language } : {}) })
    return (await readJson<StacSearchResult>(get(`/search?${parameters}`))).numberMatched
  }
  for (const language of ['cql2-text', undefined]) {
    assert.equal(await count("eo:cloud_cover <= 20 AND platform LIKE 'sentinel%'", language), 2)
    assert.equal(
      await count('s_intersects(geometry, BBOX(20,20,21,21)) and not "eo:cloud_cover" in (5, 20)', language),
      3,
    )
  }
  const json = { op: '<', args: [{ property: 'eo:cloud_cover' }, 30] }
  for (const language of ['cql2-json', undefined]) assert.equal(await count(JSON.stringify(json), language), 2)
  for (const filter of [
    'eo:cloud_cover <',
    '(a = 1',
    'a = 1 b',
    "a = 'x",
    'a ? 1',
    `${'('.repeat(2000)}a`,
    'avg(a) = 1',
  ]) {
    const path = `/search?${new URLSearchParams({ filter, 'filter-lang': 'cql2-text' })}`
    const { detail } = await readJson<{ detail: string }>(get(path), 400)
    assert.ok(detail.length > 10, filter)
  }
  const text = { filter: 'eo:cloud_cover < 30', 'filter-lang': 'cql2-text' }
  assert.equal((await post('/search', text)).status, 400)
  assert.equal((await post('/search', { filter: json, 'filter-lang': 'cql2-text' })).status, 400)
  const operation = { method: 'POST', body: JSON.stringify({ filter: json, 'filter-lang': 'cql2-text' }) }
  assert.equal((await client.fetch('/v1/op/stac.search', operation)).status, 400)
  const paged = await readJson<StacSearchResult>(get(`/search?limit=1&${new URLSearchParams(text)}`))
  const next = paged.links.find(({ rel }) => rel === 'next')!
  assert.equal(idsOf(await readJson(get(next.href))).length, 1)
})

test('free text is found in titles, descriptions and keywords', async () => {
  const properties = { datetime: '2024-01-02T00:00:00Z', title: 'Port of 100% Oslo', keywords: ['ships'] }
  await client.call('items.batch_create', {
    project_id: project,
    collection_id: collection,
    features: [{ ...createFeature('oslo', 90), properties }],
  })
  for (const q of ['OSLO', '100%25', 'nothing,oslo', 'ships', 'port of'])
    assert.deepEqual(idsOf(await readJson(get(`/search?q=${q}`))), ['oslo'], q)
  assert.deepEqual(idsOf(await readJson(post('/search', { q: ['oslo', 'ships'] }))), ['oslo'])
  assert.deepEqual(idsOf(await readJson(post('/search', { q: ['oslo'], bbox: [0, 0, 1, 1] }))), [])
  assert.deepEqual(idsOf(await readJson(get(`/collections/${collection}/items?q=100_`))), [], 'no wildcards')
})

test('collections are searched by box, time and text, and paged', async () => {
  const empty = await client.call<{ id: string }>('collections.create', { project_id: project, name: 'Glaciers' })
  type Collections = {
    collections: { id: string; itemType: string }[]
    numberMatched: number
    links: StacCatalog['links']
  }
  const search = (query: string) => readJson<Collections>(get(`/collections${query}`))
  const found = async (query: string) => (await search(query)).collections.map(({ id }) => id)
  assert.deepEqual(await found(''), [empty.id, collection])
  // OWSLib lists only collections that say so.
  assert.ok((await search('')).collections.every(({ itemType }) => itemType === 'feature'))
  assert.deepEqual(await found('?bbox=20,20,21,21&datetime=2024-01-01T00:00:00Z/..'), [empty.id, collection])
  assert.deepEqual(await found('?bbox=-20,-20,-10,-10'), [empty.id], 'without items the extent is the world')
  assert.deepEqual(await found('?datetime=../2023-01-01T00:00:00Z'), [empty.id])
  assert.deepEqual(await found('?q=harbour,nothing'), [collection])
  const page = await search('?limit=1')
  assert.deepEqual([page.collections[0]!.id, page.numberMatched], [empty.id, 2])
  const next = page.links.find(({ rel }) => rel === 'next')!
  const last = await readJson<Collections>(get(next.href))
  assert.deepEqual(
    last.collections.map(({ id }) => id),
    [collection],
  )
  assert.ok(!last.links.some(({ rel }) => rel === 'next'))
  assert.equal((await get('/collections?datetime=yesterday')).status, 400)
})

test('the aggregations are listed, for all items and for a collection', async () => {
  const { links } = await readJson<StacCatalog>(get(''))
  const { href } = links.find(({ rel }) => rel === 'aggregations')!
  const listed = await readJson<{ aggregations: { name: string }[] }>(get(href))
  const names = listed.aggregations.map(({ name }) => name)
  const made = await readJson<typeof listed>(get(`/collections/${collection}/aggregate`))
  assert.deepEqual(
    made.aggregations.map(({ name }) => name),
    names,
  )
  assert.deepEqual(
    (await readJson<typeof listed>(get(`/collections/${collection}/aggregations`))).aggregations,
    listed.aggregations,
  )
  assert.equal((await get('/collections/018f0000-0000-7000-8000-000000000000/aggregations')).status, 404)
})

test('the route and the operation stac.search find the same where both are defined', async () => {
  const bodies: object[] = [
    {},
    { limit: 2, page: 1 },
    { collections: [collection], ids: ['scene-1', 'scene-4'] },
    { datetime: '2024-01-01T00:00:00Z/2024-01-01T12:00:00Z' },
    { datetime: '2024-01-01T00:00:00Z' },
    { bbox: [20, 20, 21, 21], sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }] },
    { filter: { op: '<', args: [{ property: 'eo:cloud_cover' }, 30] }, 'filter-lang': 'cql2-json' },
    {
      intersects: {
        type: 'Polygon',
        coordinates: [
          [
            [20, 20],
            [21, 20],
            [21, 21],
            [20, 20],
          ],
        ],
      },
    },
  ]
  for (const body of bodies) {
    const [route, operation] = await Promise.all([
      readJson<StacSearchResult>(post('/search', body)),
      client.call<StacSearchResult>('stac.search', body as Record<string, unknown>),
    ])
    assert.deepEqual([route.features, route.context], [operation.features, operation.context], JSON.stringify(body))
  }
  const both = {
    bbox: [0, 0, 1, 1],
    intersects: {
      type: 'Polygon',
      coordinates: [
        [
          [20, 20],
          [21, 20],
          [21, 21],
          [20, 20],
        ],
      ],
    },
  }
  for (const path of [`${catalog}/search`, '/v1/op/stac.search'])
    assert.equal((await client.fetch(path, { method: 'POST', body: JSON.stringify(both) })).status, 400, path)
})

test('the pages of the operation are its own: a day is a time there alone', async () => {
  const body = { datetime: '2024-01-01', limit: 2 }
  const { links } = await client.call<StacSearchResult>('stac.search', body)
  const next = links.find(({ rel }) => rel === 'next')!
  const page = await readJson<StacSearchResult>(
    client.fetch(next.href, { method: 'POST', body: JSON.stringify({ ...body, ...next.body }) }),
  )
  assert.equal(page.features.length, 2)
  assert.equal((await post('/search', body)).status, 400)
})

test('the code of a reference system is shown beside its number, found by both, and changed by either', async () => {
  const source = { ...createFeature('coded', 95), stac_version: '1.1.0' }
  const { 'eo:cloud_cover': _, ...properties } = { ...source.properties, 'proj:code': 'EPSG:32634' }
  const assets = { data: { ...source.assets.data, 'proj:code': 'EPSG:3857' } }
  await client.call('items.batch_create', {
    project_id: project,
    collection_id: collection,
    features: [{ ...source, properties, assets }],
  })
  const path = `/collections/${collection}/items/coded`
  type Coded = StacSearchResult['features'][number]
  const read = () => readJson<Coded>(get(path))
  const codes = ({ properties: shown }: Coded) => [shown['proj:epsg'], shown['proj:code']]
  const served = await read()
  assert.deepEqual(await validateStacItem(served), [])
  assert.deepEqual(codes(served), [32_634, 'EPSG:32634'])
  assert.deepEqual((served.assets['data'] as unknown as Record<string, unknown>)['proj:code'], 'EPSG:3857')
  for (const query of [{ 'proj:code': { eq: 'EPSG:32634' } }, { 'proj:epsg': { eq: 32_634 } }])
    assert.deepEqual(idsOf(await readJson(post('/search', { query }))), ['coded'], JSON.stringify(query))
  const change = async (body: object, method = 'PATCH'): Promise<unknown[]> => {
    const sent = await client.fetch(`${catalog}${path}`, { method, body: JSON.stringify(body) })
    assert.ok(sent.ok, await sent.text())
    return codes(await read())
  }
  assert.deepEqual(await change({ properties: { 'proj:epsg': 32_633 } }), [32_633, 'EPSG:32633'])
  assert.deepEqual(await change({ properties: { 'proj:code': 'EPSG:32632' } }), [32_632, 'EPSG:32632'])
  assert.deepEqual(await change({ properties: { 'proj:code': 'ESRI:54009', 'proj:epsg': null } }), [null, 'ESRI:54009'])
  assert.deepEqual(await change(served, 'PUT'), [32_634, 'EPSG:32634'])
})
