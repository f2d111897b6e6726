import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import type { HostScene, ImageryHost } from '../../src/platform/integrations/imagery-host.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { validateStacItem } from '../stac-schemas.ts'

let app: TestApp
let client: Client
const growingCatalogHost = await createGrowingHost()
/** A host that never responds and reports why the caller aborted. */
const abortReason = Promise.withResolvers<unknown>()
const unresponsiveHost: ImageryHost = {
  ...(await createFaultyHost('silent')),
  search: (_search, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        abortReason.resolve(signal.reason)
        reject(signal.reason as Error)
      })
    }),
}
before(async () => {
  app = await startTestApp({ hosts: [growingCatalogHost, unresponsiveHost] })
  client = (await createTestOrganization(app, 0)).owner.client
})
after(() => app?.close())

/** A host whose catalogue gets new scenes while a client pages through it. */
async function createGrowingHost(): Promise<ImageryHost & { readonly scenes: HostScene[] }> {
  const host = await createFaultyHost('growing')
  const [first] = await host.search({ limit: 1 })
  const day_ms = 86_400_000
  const createScene = (number: number): HostScene => ({
    ...first!,
    id: `scene ${number}`,
    // Two scenes share each time, so that the id breaks the tie.
    datetime: new Date(Date.UTC(2020, 0, 1) + Math.floor(number / 2) * day_ms).toISOString(),
  })
  const scenes = Array.from({ length: 21 }, (_, number) => createScene(number))
  const compareNewestFirst = (left: HostScene, right: HostScene): number =>
    left.datetime === right.datetime ? (left.id < right.id ? -1 : 1) : left.datetime < right.datetime ? 1 : -1
  return {
    ...host,
    scenes,
    async search({ after, limit }) {
      const remainingScenes = scenes
        .toSorted(compareNewestFirst)
        .filter((scene) => !after || compareNewestFirst(after as HostScene, scene) < 0)
      const page = remainingScenes.slice(0, limit)
      scenes.push(createScene(1000 + scenes.length))
      return page
    },
  }
}

type SearchInput = Partial<InputOf<'catalog.search'>>
const search = (input: SearchInput): Promise<OutputOf<'catalog.search'>> =>
  client.call('catalog.search', { host_name: 'open', ...input })
const searchIds = async (input: SearchInput): Promise<string[]> => (await search(input)).features.map(({ id }) => id)

test('catalog.sources.list returns the hosts and filters them', async () => {
  const { sources } = await client.call('catalog.sources.list', {})
  assert.deepEqual(sources.map(({ id }) => id).sort(), ['commercial', 'constellation', 'growing', 'open', 'silent'])
  const open = sources.find(({ id }) => id === 'open')!
  assert.ok(open.collections.every((collection) => collection.access_model === 'open'))
  assert.deepEqual(
    (await client.call('catalog.sources.list', { country: 'PE' })).sources.map(({ id }) => id),
    ['open'],
  )
  assert.deepEqual((await client.call('catalog.sources.list', { country: 'pe' })).sources.length, 1)
  assert.deepEqual((await client.call('catalog.sources.list', { data_type: 'radar' })).sources, [])
})

test('every filter returns exactly the matching scenes', async () => {
  const table: readonly (readonly [string, SearchInput, readonly string[]])[] = [
    ['ids', { ids: ['l8-elkton', 'no such scene'] }, ['l8-elkton']],
    ['bbox', { bbox: [11.3, 46.4, 11.4, 46.5] }, ['s2-bolzano-20220612']],
    ['bbox without scenes', { bbox: [100, 0, 101, 1] }, []],
    ['collections', { collections: ['hls2-s30'] }, ['hls-exe-20210613', 'hls-exe-20210608']],
    ['an instant', { datetime: '2022-06-12T00:00:00Z' }, ['s2-bolzano-20220612']],
    ['an interval', { datetime: '2024-08-01T00:00:00Z/..' }, ['s2-exe-20240826', 's2-exe-20240801']],
    ['cloud cover', { query: { cloudCoverage: { LT: 10 } }, collections: ['hls2-s30'] }, ['hls-exe-20210613']],
    [
      'cloud cover, lower case',
      { query: { 'eo:cloud_cover': { gte: 40 } }, collections: ['hls2-s30'] },
      ['hls-exe-20210608'],
    ],
    ['a property', { query: { place: { EQ: 'nowhere' } } }, []],
    ['gsd', { query: { gsd: { GT: 60 } }, datetime: '../2000-01-01T00:00:00Z' }, ['pucallpa-1995', 'pucallpa-1985']],
    ['none of these collections', { collections: ['no such product'] }, []],
    ['no ids', { ids: [] }, []],
  ]
  for (const [name, input, ids] of table) assert.deepEqual(await searchIds(input), ids, name)
  const triangle = {
    type: 'Polygon',
    coordinates: [
      [
        [11.3, 46.48],
        [11.35, 46.48],
        [11.3, 46.5],
        [11.3, 46.48],
      ],
    ],
  } as const
  assert.deepEqual(await searchIds({ intersects: triangle as never }), ['s2-bolzano-20220612'])
})

test('invalid searches are refused and name the field', async () => {
  const polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  }
  const table: readonly (readonly [SearchInput, number, string])[] = [
    [{ bbox: [0, 0, 1, 1], intersects: polygon as never }, 400, 'conflicting-parameters'],
    [{ bbox: [0, 1, 1, 0] }, 422, 'bbox'],
    [{ bbox: [0, 0, 500, 1] }, 422, 'bbox'],
    [{ intersects: polygon as never }, 422, 'intersects'],
    [{ intersects: { type: 'Point', coordinates: [0, 0] } as never }, 422, 'intersects'],
    [{ datetime: 'yesterday' }, 422, 'datetime'],
    [{ datetime: '9999-12-31T23:59:60Z' }, 422, 'datetime'],
    [{ datetime: '../9999-12-31T23:00:00-02:00' }, 422, 'datetime'],
    [{ datetime: '2024-01-02T00:00:00Z/2024-01-01T00:00:00Z' }, 422, 'datetime'],
    [{ query: { mood: { EQ: 'good' } } }, 422, 'query.mood'],
    [{ next: 'not a token' }, 422, 'next'],
    [{ next: Buffer.from('["2024-99-99T00:00:00.000Z","x"]').toString('base64url') }, 422, 'next'],
    [{ limit: 501 }, 422, 'limit'],
    [{ host_name: 'nobody' }, 404, ''],
  ]
  for (const [input, status, pathPrefix] of table) {
    await assert.rejects(search(input), (problem: { status: number; document: Record<string, unknown> }) => {
      assert.equal(problem.status, status, JSON.stringify(input))
      const errors = problem.document['errors'] as { path: string }[] | undefined
      assert.ok(
        status !== 422 || errors?.some((error) => error.path.startsWith(pathPrefix)),
        JSON.stringify(problem.document),
      )
      return true
    })
  }
})

test('paging neither repeats nor skips a scene while new ones are added', async () => {
  const returnedIds: string[] = []
  let next: string | undefined
  do {
    const page = await client.call('catalog.search', { host_name: 'growing', limit: 4, ...(next ? { next } : {}) })
    assert.equal(page.numberReturned, page.features.length)
    returnedIds.push(...page.features.map(({ id }) => id))
    next = page.next
  } while (next)
  const initialIds = returnedIds.filter((id) => Number(id.split(' ')[1]) < 1000)
  assert.equal(initialIds.length, 21)
  assert.equal(new Set(returnedIds).size, returnedIds.length)
})

test('the stream returns every scene of the hosts, one per line, up to the limit', async () => {
  const streamIds = async (input: InputOf<'catalog.search_stream'>): Promise<string[]> => {
    const ids: string[] = []
    for await (const feature of client.lines<{ id: string }>('catalog.search_stream', input)) ids.push(feature.id)
    return ids
  }
  assert.deepEqual(await streamIds({ host_name: 'open' }), await searchIds({}))
  assert.equal((await streamIds({ source_ids: ['open', 'commercial'] })).length, 23)
  assert.equal((await streamIds({ source_ids: ['open', 'commercial'], limit: 20 })).length, 20)
  assert.deepEqual(await streamIds({ source_ids: ['open', 'commercial'], data_types: ['radar'] }), [])
  const response = await client.fetch('/v1/op/catalog.search_stream', {
    method: 'POST',
    body: '{"host_name":"open","limit":3}',
  })
  assert.match(response.headers.get('content-type') ?? '', /^application\/x-ndjson/)
  const text = await response.text()
  assert.equal(text.split('\n').length, 4)
  assert.ok(text.endsWith('\n'))
  await assert.rejects(streamIds({ host_name: 'nobody' }), { status: 404 })
})

test('every scene of the demo hosts has a thumbnail and a price', async () => {
  for (const host_name of ['open', 'commercial']) {
    const { features } = await client.call('catalog.search', { host_name })
    for (const feature of features) {
      assert.equal(feature['service:price']!.credits > 0, host_name === 'commercial', feature.id)
      const { href, type } = feature.assets!['thumbnail']!
      const response = await client.fetch(href)
      assert.deepEqual([type, response.headers.get('content-type')], ['image/jpeg', 'image/jpeg'])
      const bytes = new Uint8Array(await response.arrayBuffer())
      assert.deepEqual([...bytes.subarray(0, 3)], [0xff, 0xd8, 0xff], feature.id)
    }
  }
  await assert.rejects(client.bytes('catalog.image.quicklook', { host_name: 'open', image_id: 'nothing' }), {
    status: 404,
  })
})

test('every feature is a valid STAC Item whose links resolve', async () => {
  for (const host_name of ['open', 'commercial']) {
    const { features } = await client.call('catalog.search', { host_name })
    for (const feature of features) {
      assert.deepEqual(await validateStacItem(feature as never), [], feature.id)
      const { datetime } = feature.properties as { datetime: string }
      assert.equal(datetime, new Date(datetime).toISOString())
      assert.ok(feature.links!.some(({ rel, href }) => rel === 'license' && href.startsWith('https://')))
    }
    const [first] = features
    const linkHref = (rel: string): string => first!.links!.find((link) => link.rel === rel)!.href
    assert.equal((await client.fetch(linkHref('collection'))).status, 200)
    const self = (await (await client.fetch(linkHref('self'))).json()) as { features: unknown[] }
    assert.deepEqual(self.features, [first])
  }
})

test('a clipped scene is charged by its area, and at least the minimum', async () => {
  const wholeScene = await search({ host_name: 'commercial', ids: ['naip-nd-20190904'] })
  const { geometry } = wholeScene.features[0]!
  const ring = (geometry as unknown as { coordinates: [number, number][][] }).coordinates[0]!
  const [west, south] = [Math.min(...ring.map(([x]) => x)), Math.min(...ring.map(([, y]) => y))]
  const cornerArea = {
    type: 'Polygon',
    coordinates: [
      [
        [west - 1, south - 1],
        [west + 0.01, south - 1],
        [west + 0.01, south + 0.01],
        [west - 1, south + 0.01],
        [west - 1, south - 1],
      ],
    ],
  }
  const clippedScene = await search({
    host_name: 'commercial',
    ids: ['naip-nd-20190904'],
    intersects: cornerArea as never,
  })
  const price = clippedScene.features[0]!['service:price']!
  assert.equal(price.charged_km2, price.minimum_km2)
  assert.equal(price.credits, price.minimum_km2! * price.rate_credits!)
  assert.ok(price.credits < wholeScene.features[0]!['service:price']!.credits)
  const captures = [{ id: 'naip-nd-20190904', geometry: cornerArea, host: 'commercial' }]
  const estimate = await client.call('orders.archive.estimate', { captures })
  assert.equal(estimate.total_credits, price.credits)
})

test('a search is aborted when the client disconnects', async () => {
  const abortController = new AbortController()
  const pendingCall = client.call('catalog.search', { host_name: 'silent' }, { signal: abortController.signal })
  setTimeout(() => abortController.abort(), 200)
  await assert.rejects(pendingCall)
  const started = performance.now()
  assert.match(String(await abortReason.promise), /client disconnected/)
  assert.ok(performance.now() - started < 2000)
})
