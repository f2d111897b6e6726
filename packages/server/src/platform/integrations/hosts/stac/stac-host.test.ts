import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import {
  collectionList,
  landingPage,
  stacItem,
  startTestServer,
  type PlannedResponse,
  type RecordedRequest,
  type Responder,
  type TestServer,
} from '../../../../../test/hosts/stac-server.ts'
import { withHostTimeout } from '../../host-with-timeout.ts'
import { HostRefusal, type HostSearch, type ImageryHost } from '../../imagery-host.ts'
import { createSafeFetch } from '../../safe-fetch.ts'
import { knownStacHosts } from '../known-hosts.ts'
import { createStacHost, type StacHostLimits, type StacHostDefinition } from './stac-host.ts'

const clock = { now: () => new Date('2026-01-01T00:00:00Z') }
const fastLimits: Partial<StacHostLimits> = { backoff_ms: 1, request_timeout_ms: 2000, failure_ms: 0 }

function openHost(
  url: string,
  row: Partial<StacHostDefinition> = {},
  limits: Partial<StacHostLimits> = {},
): ImageryHost {
  return createStacHost(
    { ...knownStacHosts['earth-search'], collections: null, url, name: 'test', allow_private: true, ...row },
    {
      clock,
      token: 'secret-token',
      limits: { ...fastLimits, ...limits },
      createFetch: (outside_allow) =>
        createSafeFetch({ config: { outside_allow, outside_timeout_ms: 2000, outside_limit_bytes: 1024 * 1024 } }),
    },
  )
}

/** A server with a landing page and collections; `search` responds to the rest. */
async function startApi(
  t: TestContext,
  search: Responder,
  landing: Parameters<typeof landingPage>[1] = {},
): Promise<TestServer> {
  const server = await startTestServer((request, url) => {
    if (request.path === '/') return { body: landingPage(url, landing) }
    if (request.path === '/collections') return { body: collectionList }
    return search(request, url)
  })
  t.after(() => server.close())
  return server
}

const featurePage = (features: readonly unknown[], rest: Readonly<Record<string, unknown>> = {}): PlannedResponse => ({
  body: { type: 'FeatureCollection', features, ...rest },
})

const minute = (index: number): string => new Date(Date.UTC(2025, 5, 1, 0, 100 - index)).toISOString()
/** Newest first; three share each time, so that pages end between scenes of one time. */
const catalogue = Array.from({ length: 25 }, (_, index) =>
  stacItem(`scene-${String(index).padStart(2, '0')}`, minute(Math.floor(index / 3))),
)

const parameter = (request: RecordedRequest, name: string): string | null => {
  const value = request.body ? request.body[name] : request.query.get(name)
  return value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)
}

/** The scenes of the catalogue that a request asks for, and where its page begins. */
function selectPage(request: RecordedRequest, begin: number, size: number) {
  const [from = '..', to = '..'] = (parameter(request, 'datetime') ?? '../..').split('/')
  const matching = catalogue.filter(
    ({ properties: { datetime } }) => (from === '..' || datetime >= from) && (to === '..' || datetime <= to),
  )
  const page = matching.slice(begin, begin + size)
  return { page, end: begin + size < matching.length ? begin + size : null }
}

/** Every way of paging: how the next page is announced, and how its begin is read back. */
const pagingStyles: Readonly<
  Record<string, { readonly begin: (request: RecordedRequest) => number; readonly next: NextPage; readonly get?: true }>
> = {
  'a GET link': {
    get: true,
    begin: ({ query }) => Number(query.get('token') ?? 0),
    next: (end, request, url) => ({
      links: [{ rel: 'next', href: `${url}/search?${withToken(request, 'token', end)}` }],
    }),
  },
  'a relative GET link': {
    get: true,
    begin: ({ query }) => Number(query.get('page') ?? 0),
    next: (end, request) => ({ links: [{ rel: 'next', href: `search?${withToken(request, 'page', end)}` }] }),
  },
  'a POST link with the whole body': {
    begin: ({ body }) => Number(body?.['token'] ?? 0),
    next: (end, request, url) => ({
      links: [{ rel: 'next', method: 'POST', href: `${url}/search`, body: { ...request.body, token: end } }],
    }),
  },
  'a POST link to be merged': {
    begin: ({ body }) => Number(body?.['next'] ?? 0),
    next: (end, _request, url) => ({
      links: [{ rel: 'next', method: 'POST', href: `${url}/search`, merge: true, body: { next: end } }],
    }),
  },
  'a POST link with headers and no body': {
    begin: ({ headers }) => Number(headers['x-cursor'] ?? 0),
    next: (end, _request, url) => ({
      links: [{ rel: 'next', method: 'POST', href: `${url}/search`, headers: { 'X-Cursor': String(end) } }],
    }),
  },
  'a token in the context': {
    begin: ({ body }) => Number(body?.['next'] ?? 0),
    next: (end) => ({ context: { next: String(end) } }),
  },
  'a cursor beside the features': {
    begin: ({ body }) => Number(body?.['cursor'] ?? 0),
    next: (end) => ({ cursor: String(end) }),
  },
  'page numbers': {
    begin: ({ body }) => (Number(body?.['page'] ?? 1) - 1) * 4,
    next: (end) => ({ meta: { page: (end ?? 0) / 4, limit: 4, found: 1000 } }),
  },
  offsets: {
    begin: ({ body }) => Number(body?.['offset'] ?? 0),
    next: (end) => ({ context: { offset: (end ?? 0) - 4, limit: 4, matched: 1000 } }),
  },
}

type NextPage = (end: number, request: RecordedRequest, url: string) => Record<string, unknown>

function withToken(request: RecordedRequest, name: string, end: number): URLSearchParams {
  const query = new URLSearchParams(request.query)
  query.set(name, String(end))
  return query
}

async function readAll(host: ImageryHost, limit: number, search: Partial<HostSearch> = {}): Promise<string[]> {
  const ids: string[] = []
  for (let after: HostSearch['after']; ;) {
    const page = await host.search({ ...search, limit, ...(after ? { after } : {}) })
    ids.push(...page.map(({ id }) => id))
    const last = page.at(-1)
    if (page.length < limit || !last) return ids
    after = { datetime: last.datetime, id: last.id }
  }
}

const allIds = catalogue.map(({ id }) => id)

for (const [name, style] of Object.entries(pagingStyles)) {
  test(`all scenes are read once and in order from an API that pages by ${name}`, async (t) => {
    const server = await startApi(
      t,
      (request, url) => {
        const { page, end } = selectPage(request, style.begin(request), 4)
        return featurePage(page, end === null ? {} : style.next(end, request, url))
      },
      style.get ? { methods: ['GET'] } : {},
    )
    const host = openHost(server.url)
    assert.deepEqual(await readAll(host, 7), allIds)
    assert.deepEqual(await readAll(host, 100), allIds)
  })
}

test('an API that does not sort is read in time windows, without loss or repetition', async (t) => {
  const shuffled = catalogue.toSorted((left, right) =>
    left.id.split('').toReversed() < right.id.split('').toReversed() ? -1 : 1,
  )
  const server = await startApi(
    t,
    (request, url) => {
      const [from = '..', to = '..'] = (parameter(request, 'datetime') ?? '../..').split('/')
      const matching = shuffled.filter(
        ({ properties: { datetime } }) => (from === '..' || datetime >= from) && (to === '..' || datetime <= to),
      )
      const begin = Number(request.body?.['token'] ?? 0)
      const links =
        begin + 5 < matching.length
          ? [{ rel: 'next', method: 'POST', href: `${url}/search`, merge: true, body: { token: begin + 5 } }]
          : []
      return featurePage(matching.slice(begin, begin + 5), { links })
    },
    { conformsTo: [] },
  )
  assert.deepEqual(await readAll(openHost(server.url), 4), allIds)
})

test('an API that announces POST and sorting but refuses them is searched by GET without sorting', async (t) => {
  const server = await startApi(t, (request) => {
    if (request.method === 'POST') return { status: 405, body: {} }
    return request.query.has('sortby') ? { status: 400, body: {} } : featurePage(selectPage(request, 0, 100).page)
  })
  assert.deepEqual(await readAll(openHost(server.url), 100), allIds)
})

test('a next link that leads back to a page that was read ends the search', async (t) => {
  const server = await startApi(t, (request, url) =>
    featurePage(selectPage(request, 0, 4).page, { links: [{ rel: 'next', href: `${url}/search?again=1` }] }),
  )
  assert.equal((await openHost(server.url).search({ limit: 100 })).length, 4)
  assert.ok(server.requests.length < 8)
})

test('a bad feature is left out and the rest of the page is returned', async (t) => {
  const good = stacItem('a/b c', '2025-06-01T00:00:00.123456Z', { bbox: [10, 50, 0, 11, 51, 900] })
  const point = { type: 'Point', coordinates: [10, 50] }
  const rubbish = [
    null,
    42,
    'text',
    [],
    {},
    stacItem('', minute(1)),
    stacItem('no-geometry', minute(1), { geometry: null }),
    stacItem('point', minute(1), { geometry: point }),
    stacItem('crossing', minute(1), {
      geometry: {
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
      },
    }),
    stacItem('no-time', minute(1), { properties: { datetime: null } }),
    stacItem('wrong-time', minute(1), { properties: { datetime: 'yesterday' } }),
    stacItem('no-properties', minute(1), { properties: 'none' }),
    { ...stacItem('number', minute(1)), id: 17 },
  ]
  const interval = stacItem('interval', minute(1), {
    properties: {
      datetime: null,
      start_datetime: '2024-01-01T00:00:00Z',
      end_datetime: '2024-12-31T00:00:00Z',
      gsd: 'ten',
    },
    bbox: ['west', 1],
    assets: 'none',
  })
  const server = await startApi(t, () => featurePage([...rubbish, interval, good]))
  const scenes = await openHost(server.url).search({ limit: 100 })
  assert.deepEqual(
    scenes.map(({ id, bbox, datetime, properties }) => [id, bbox, datetime, properties['gsd']]),
    [
      ['a/b c', [10, 50, 11, 51], '2025-06-01T00:00:00.123Z', 10],
      ['interval', [10, 50, 11, 51], '2024-01-01T00:00:00.000Z', undefined],
    ],
  )
})

const rubbishResponses: Readonly<Record<string, PlannedResponse>> = {
  'is not JSON': { body: '<html>Sign in</html>' },
  'is not an object': { body: [1, 2] },
  'has no features': { body: { type: 'FeatureCollection' } },
  'has an error status': { status: 403, body: { message: 'no' } },
  'is too large': { body: { features: [], padding: 'x'.repeat(40_000) } },
}

for (const [name, response] of Object.entries(rubbishResponses)) {
  test(`a search fails if the answer ${name}`, async (t) => {
    const server = await startApi(t, () => response)
    await assert.rejects(openHost(server.url, {}, { max_response_bytes: 20_000 }).search({ limit: 5 }))
    assert.equal(server.requests.filter(({ path }) => path === '/search').length, 1)
  })
}

test('busy answers are retried with the requested pause, at most twice', async (t) => {
  let failures = 2
  const server = await startApi(t, () => {
    failures -= 1
    return failures >= 0 ? { status: failures ? 503 : 429, headers: { 'retry-after': '0' }, body: {} } : featurePage([])
  })
  const host = openHost(server.url)
  assert.deepEqual(await host.search({ limit: 5 }), [])
  failures = 10
  await assert.rejects(host.search({ limit: 5 }), /status 503/)
  assert.equal(failures, 7)
  // A pause that is longer than a caller would wait is a failure.
  const slow = await startApi(t, () => ({ status: 429, headers: { 'retry-after': '3600' }, body: {} }))
  await assert.rejects(openHost(slow.url).search({ limit: 5 }), /status 429/)
  assert.equal(slow.requests.filter(({ path }) => path === '/search').length, 1)
})

test('a host that hangs is unavailable after the time limit, and is not queried again at once', async (t) => {
  const server = await startTestServer(() => 'hang')
  t.after(() => server.close())
  const host = withHostTimeout(openHost(server.url, {}, { request_timeout_ms: 50, failure_ms: 60_000 }), 400)
  await assert.rejects(host.search({ limit: 5 }))
  const asked = server.requests.length
  await assert.rejects(host.check!())
  assert.equal(server.requests.length, asked)
  assert.deepEqual(host.collections, [])
})

test("collections are read once, with the operator's metadata where the API has none", async (t) => {
  const server = await startApi(t, () => featurePage([]))
  const host = withHostTimeout(openHost(server.url, { license_url: 'https://example.com/licence' }), 5000)
  await Promise.all([host.search({ limit: 1 }), host.check!(), host.search({ limit: 1 })])
  assert.deepEqual(
    host.collections.map(({ id, title, data_type, gsd, license, license_url, price }) => [
      id,
      title,
      data_type,
      gsd,
      license,
      license_url,
      price,
    ]),
    [
      ['scenes', 'Scenes', 'optical', 10, 'CC-BY-4.0', 'https://example.com/licence', null],
      ['radar', 'radar', 'sar', null, 'proprietary', 'https://example.com/licence', null],
    ],
  )
  assert.equal(server.requests.filter(({ path }) => path === '/collections').length, 1)
})

test('bounds of properties are sent in the form that the API supports, and compared here too', async (t) => {
  const features = [
    stacItem('clear', minute(1)),
    stacItem('cloudy', minute(2), { properties: { datetime: minute(2), 'eo:cloud_cover': 90 } }),
  ]
  const query = { 'eo:cloud_cover': { LTE: 20 } }
  const sent: Record<string, unknown>[] = []
  const search = async (conformsTo: string[]): Promise<string[]> => {
    const server = await startApi(t, ({ body }) => (sent.push(body ?? {}), featurePage(features)), { conformsTo })
    return (await openHost(server.url).search({ limit: 10, query })).map(({ id }) => id)
  }
  assert.deepEqual(await search(['https://api.stacspec.org/v1.0.0/item-search#query']), ['clear'])
  assert.deepEqual(sent[0]?.['query'], { 'eo:cloud_cover': { lte: 20 } })
  assert.deepEqual(
    await search([
      'https://api.stacspec.org/v1.0.0/item-search#filter',
      'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
    ]),
    ['clear'],
  )
  assert.deepEqual(sent.at(-1)?.['filter'], { op: '<=', args: [{ property: 'eo:cloud_cover' }, 20] })
})

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])

test('a quicklook is the thumbnail if it is an image, and null for an unknown scene', async (t) => {
  const server = await startApi(t, ({ path, body }) => {
    if (path === '/good.png') return { body: png, headers: { 'content-type': 'text/html' } }
    if (path.endsWith('.png')) return { body: '<script>' }
    const [id] = (body?.['ids'] ?? []) as string[]
    return featurePage(id === 'unknown' ? [] : [stacItem(id!, minute(1))])
  })
  const host = openHost(server.url)
  assert.deepEqual(await host.quicklook('good'), { bytes: png, media_type: 'image/png' })
  assert.equal(await host.quicklook('script'), null)
  assert.equal(await host.quicklook('unknown'), null)
})

test('an ordered scene is downloaded in parts, and a reference with slashes in its ids can be delivered', async (t) => {
  const bytes = new Uint8Array(9 * 1024 * 1024).fill(7)
  const server = await startApi(t, ({ path, body }) => {
    if (path.endsWith('.tif')) return { body: bytes, headers: { etag: '"1"' } }
    const [id] = (body?.['ids'] ?? []) as string[]
    return featurePage(id === 'gone' ? [] : [stacItem(id!, minute(1))])
  })
  const host = openHost(server.url)
  const { reference } = await host.place({ id: 'order-1', scenes: ['tile/a b'] })
  const delivery = await host.deliveries(reference)
  assert.equal(delivery.state, 'ready')
  const [file] = delivery.state === 'ready' ? delivery.files : []
  assert.deepEqual([file?.scene, file?.asset, file?.size], ['tile/a b', 'visual', null])
  const folder = await mkdtemp(join(tmpdir(), 'swath-stac-'))
  t.after(() => rm(folder, { recursive: true }))
  await file!.download(join(folder, 'file.tif'), AbortSignal.timeout(5000))
  assert.deepEqual(new Uint8Array(await readFile(join(folder, 'file.tif'))), bytes)
  const ranges = server.requests.filter(({ path }) => path.endsWith('.tif')).map(({ headers }) => headers['range'])
  assert.equal(ranges.length, 2)
  await assert.rejects(host.place({ id: 'order-2', scenes: ['gone'] }), HostRefusal)
  const small = openHost(server.url, {}, { max_file_bytes: 1000 })
  const limited = await small.deliveries(reference)
  assert.ok(limited.state === 'ready')
  await assert.rejects(limited.files[0]!.download(join(folder, 'x.tif'), AbortSignal.timeout(5000)), /larger than/)
})

test('assets on private addresses are refused, also if the API itself is allowed to be private', async (t) => {
  const hrefs = [
    'http://127.0.0.1:1/a.tif',
    'http://169.254.169.254/latest/meta-data/a.tif',
    'https://localhost/a.tif',
    'file:///etc/passwd',
  ]
  for (const href of hrefs) {
    const item = stacItem('a', minute(1), {
      assets: { visual: { href, type: 'image/tiff', roles: ['data'] }, thumbnail: { href, roles: ['thumbnail'] } },
    })
    const server = await startApi(t, () => featurePage([item]))
    const host = openHost(server.url)
    const delivery = await host.deliveries('order a')
    assert.ok(delivery.state === 'ready')
    await assert.rejects(
      delivery.files[0]!.download(join(tmpdir(), 'swath-never'), AbortSignal.timeout(5000)),
      { name: 'SafeFetchFailure' },
      href,
    )
    assert.equal(await host.quicklook('a'), null)
    await assert.rejects(openHost(server.url, { allow_private: false }).check!(), { name: 'SafeFetchFailure' })
  }
})

test('the token of a host is sent to its own origin only', async (t) => {
  const files = await startTestServer(() => ({ body: png }))
  t.after(() => files.close())
  const server = await startApi(t, () =>
    featurePage([stacItem('a', minute(1), { assets: { thumbnail: { href: `${files.url}/a.png` } } })]),
  )
  const host = openHost(server.url, { signing: 'bearer', private_origins: [files.url] })
  assert.ok(await host.quicklook('a'))
  assert.ok(server.requests.every(({ headers }) => headers['authorization'] === 'Bearer secret-token'))
  assert.ok(files.requests.length === 1 && files.requests[0]!.headers['authorization'] === undefined)
})
