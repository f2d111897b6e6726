import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { stacItem, type PlannedResponse } from '../../../../../test/hosts/stac-server.ts'
import {
  landing,
  opportunity,
  orderOf,
  product,
  startProvider,
  type ProviderPlan,
} from '../../../../../test/hosts/stapi-server.ts'
import { withHostTimeout } from '../../host-with-timeout.ts'
import { HostRefusal, type ImageryHost } from '../../imagery-host.ts'
import { createSafeFetch } from '../../safe-fetch.ts'
import type { HostWorld, TaskingRequest } from '../../tasking-host.ts'
import { createStapiHost } from './stapi-host.ts'
import type { StapiHostLimits, StapiHostRow, StapiProductRow } from './stapi-row.ts'

const now = new Date('2026-03-01T00:00:00Z')
const live: HostWorld = { id: 'live', now, seed: 'live' }
const square = (west: number, south: number, size = 1) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ] as const,
  ],
})
const request: TaskingRequest = {
  product: 'optical',
  geometry: square(10, 50),
  from: new Date('2026-03-02T00:00:00Z'),
  to: new Date('2026-03-09T00:00:00Z'),
}
const task = (id: string, changes: Partial<TaskingRequest> = {}, chosen: string | null = null) => ({
  id,
  request: { ...request, ...changes },
  opportunity: chosen,
  replan: false,
})

const productRow: StapiProductRow = {
  id: 'optical',
  title: null,
  description: null,
  sensors: ['pan'],
  workflow: 'direct',
  price: { product: 'Optical tasking', rate_credits: 700, minimum_km2: 25, licences: ['standard'] },
  cancel_policy: { hours_before_acquisition: 24, fee_pct: 0 },
  min_area_km2: 0,
  max_area_km2: 20_000,
  max_window_days: 60,
  eula: null,
  queryables: {},
  order_parameters: { delivery: 'cloud' },
  reference_parameter: null,
}

interface OpenOptions {
  readonly row?: Partial<StapiHostRow>
  readonly product?: Partial<StapiProductRow>
  readonly limits?: Partial<StapiHostLimits>
}

async function openHost(t: TestContext, plan: ProviderPlan = {}, options: OpenOptions = {}) {
  const server = await startProvider(plan)
  t.after(() => server.close())
  const host = createStapiHost(
    {
      ...{ name: 'sky', title: 'Sky', description: 'Sky', access_model: 'commercial', scope: 'global', countries: [] },
      ...{ attribution: 'Sky', license: 'proprietary', license_url: 'https://example.com', providers: [] },
      url: server.url,
      signing: 'bearer',
      token_origins: [],
      allow_private: true,
      private_origins: [],
      asset_keys: null,
      poll_s: 60,
      delivery_grace_h: 24,
      sensors: [
        {
          ...{ id: 'pan', title: 'Pan', provider: 'Sky', satellites: ['sky-1'] },
          ...{ gsd_m: 0.5, swath_km: 12, max_off_nadir_deg: 30, bands: [] },
        },
      ],
      products: [{ ...productRow, ...options.product }],
      ...options.row,
    },
    {
      clock: { now: () => now },
      token: 'secret-token',
      limits: { backoff_ms: 1, poll_ms: 1, failure_ms: 0, request_timeout_ms: 1000, ...options.limits },
      createFetch: (outside_allow) =>
        createSafeFetch({ config: { outside_allow, outside_timeout_ms: 2000, outside_limit_bytes: 1024 * 1024 } }),
    },
  )
  return { server, host, tasking: host.tasking! }
}

const createdBodies = (requests: readonly { method: string; path: string; body: unknown }[]) =>
  requests
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/orders'))
    .map(({ body }) => body as Record<string, unknown>)

test('products have the words of the provider and the price of the operator; unknown ones are not offered', async (t) => {
  const { host, tasking } = await openHost(
    t,
    {},
    {
      row: { products: [productRow, { ...productRow, id: 'gone', title: 'Gone' }] },
    },
  )
  assert.deepEqual(
    tasking.products.map(({ title }) => title),
    ['optical', 'Gone'],
  )
  await host.check!()
  const [first, ...rest] = tasking.products
  assert.equal(rest.length, 0)
  assert.deepEqual(
    { ...first },
    {
      ...{ id: 'optical', title: 'Optical', description: 'Images on order.', sensors: ['pan'], workflow: 'direct' },
      ...{ price: productRow.price, cancel_policy: productRow.cancel_policy, min_area_km2: 0, max_area_km2: 20_000 },
      ...{ max_window_days: 60, eula: null },
    },
  )
  await assert.rejects(tasking.opportunities(live, { ...request, product: 'gone' }), HostRefusal)
  await assert.rejects(host.place({ id: 'a', scenes: ['x'] }), HostRefusal)
  assert.deepEqual(await host.search({ limit: 10 }), [])
})

test('opportunities of all pages are read, soonest first, with what the provider predicts and nothing else', async (t) => {
  const pages: PlannedResponse[] = []
  const { tasking, server } = await openHost(t, {
    opportunities: ({ body }, url) => {
      const second = body?.['next'] === 'b'
      const features = second
        ? [
            opportunity('2026-03-03T10:00:00Z/2026-03-03T10:01:00Z', {
              'view:off_nadir': 12,
              'eo:cloud_cover': [10, 30],
            }),
          ]
        : [
            opportunity('2026-03-04T10:00:00Z/2026-03-04T10:01:00Z', {
              off_nadir: { minimum: 4, maximum: 8 },
              probability: 0.4,
            }),
            opportunity('2026-05-04T10:00:00Z/2026-05-04T10:01:00Z'),
            opportunity('yesterday'),
            { ...opportunity('2026-03-04T11:00:00Z/2026-03-04T11:01:00Z'), geometry: square(40, 0) },
            null,
          ]
      const links = second
        ? []
        : [{ rel: 'next', method: 'POST', href: `${url}/products/optical/opportunities`, body: { ...body, next: 'b' } }]
      pages.push({ body: features })
      return { body: { type: 'FeatureCollection', features, links } }
    },
  })
  const found = await tasking.opportunities(live, { ...request, max_cloud_pct: 20, max_off_nadir_deg: 25 })
  assert.deepEqual(
    found.map((pass) => [
      pass.from.toISOString(),
      pass.off_nadir_deg,
      pass.cloud_pct,
      pass.probability,
      pass.satellite,
    ]),
    [
      ['2026-03-03T10:00:00.000Z', 12, 20, null, 'sky-1'],
      ['2026-03-04T10:00:00.000Z', 6, null, 0.4, 'sky-1'],
    ],
  )
  assert.equal(found[0]!.coverage, 1)
  assert.equal(new Set(found.map(({ id }) => id)).size, 2)
  assert.equal(pages.length, 2)
  const search = server.requests.find(({ method }) => method === 'POST')!
  assert.equal(search.headers['prefer'], 'wait')
  assert.equal(search.headers['authorization'], 'Bearer secret-token')
  assert.deepEqual(search.body?.['filter'], {
    op: 'and',
    args: [
      { op: '<=', args: [{ property: 'eo:cloud_cover' }, 20] },
      { op: '<=', args: [{ property: 'view:off_nadir' }, 25] },
    ],
  })
  assert.equal(search.body?.['datetime'], '2026-03-02T00:00:00.000Z/2026-03-09T00:00:00.000Z')
  await assert.rejects(tasking.opportunities(live, { ...request, min_sun_elevation_deg: 30 }), /min_sun_elevation_deg/)
})

test('an asynchronous search is followed until it is completed', async (t) => {
  let asked = 0
  const record = (url: string, code: string) => ({
    id: 's1',
    status: { timestamp: now.toISOString(), status_code: code },
    links: code === 'completed' ? [{ rel: 'opportunities', href: `${url}/found` }] : [],
  })
  const features = [opportunity('2026-03-03T10:00:00Z/2026-03-03T10:01:00Z')]
  const { tasking, server } = await openHost(t, {
    conformance: ['https://stapi.example.com/v0.1.0/opportunities-async'],
    opportunities: (_request, url) => ({
      status: 201,
      headers: { location: '/searches/opportunities/s1' },
      body: record(url, 'received'),
    }),
    other: ({ path }, url) => {
      if (path === '/found') return { body: { type: 'FeatureCollection', features } }
      asked += 1
      return { body: record(url, asked < 3 ? 'in_progress' : 'completed') }
    },
  })
  assert.equal((await tasking.opportunities(live, request)).length, 1)
  assert.equal(asked, 3)
  assert.equal(server.requests.find(({ method }) => method === 'POST')?.headers['prefer'], 'respond-async')
})

test('a search that never ends is ended by the time limit of the host', async (t) => {
  const { host } = await openHost(t, {
    opportunities: (_request, url) => ({
      status: 201,
      headers: { location: `${url}/searches/opportunities/s1` },
      body: { status: { status_code: 'in_progress' } },
    }),
    other: () => ({ body: { status: { status_code: 'in_progress' } } }),
  })
  const limited = withHostTimeout(host, 100)
  await assert.rejects(limited.tasking!.opportunities(live, request), /did not respond within/)
})

test('a product without a search for opportunities is ordered for its whole window', async (t) => {
  const { tasking, server } = await openHost(t, { conformance: [] })
  const [only, ...rest] = await tasking.opportunities(live, request)
  assert.equal(rest.length, 0)
  assert.deepEqual([only!.from, only!.to, only!.probability], [request.from, request.to, null])
  const placed = await tasking.placeTask(live, task('order-1', {}, only!.id))
  assert.equal(placed.reference, 'o1')
  assert.equal(createdBodies(server.requests).length, 1)
})

test('sandbox organizations neither see nor order passes of real satellites', async (t) => {
  const { tasking, server } = await openHost(t)
  const world = { ...live, id: 'b7c1' }
  assert.deepEqual(await tasking.opportunities(world, request), [])
  await assert.rejects(tasking.placeTask(world, task('order-1')), HostRefusal)
  assert.equal(server.requests.length, 0)
})

test('an order is placed for the chosen pass, with the filter that the provider proposes', async (t) => {
  const pass = {
    ...opportunity('2026-03-03T10:00:00Z/2026-03-03T10:30:00Z'),
    links: [
      { rel: 'create-order', method: 'POST', href: '/x', body: { datetime: 'x', filter: { op: '=', args: [1, 1] } } },
    ],
  }
  const { tasking, server } = await openHost(t, {
    opportunities: () => ({ body: { type: 'FeatureCollection', features: [pass] } }),
  })
  const [chosen] = await tasking.opportunities(live, request)
  assert.equal((await tasking.placeTask(live, task('order-1', {}, chosen!.id))).reference, 'o1')
  const [body] = createdBodies(server.requests)
  assert.deepEqual(body?.['filter'], { op: '=', args: [1, 1] })
  assert.deepEqual(body?.['order_parameters'], { delivery: 'cloud' })
  const [from, to] = String(body?.['datetime']).split('/').map(Date.parse)
  assert.ok(from! >= Date.parse('2026-03-03T10:00:00Z') && to! <= Date.parse('2026-03-03T10:30:00Z'))
  await assert.rejects(tasking.placeTask(live, task('order-2', {}, 'x-1-abc')), /no longer offers/)
  const missing = chosen!.id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  await assert.rejects(tasking.placeTask(live, task('order-3', {}, missing)), /no longer offers/)
})

test('an order whose response was lost is found again and never placed twice', async (t) => {
  for (const outcome of ['hang', { status: 502, body: 'bad gateway' }] as const) {
    const { tasking, server } = await openHost(
      t,
      { createdResponse: () => outcome },
      { limits: { request_timeout_ms: 300 } },
    )
    assert.equal((await tasking.placeTask(live, task('order-1'))).reference, 'o1')
    assert.equal((await tasking.placeTask(live, task('order-1'))).reference, 'o1')
    assert.equal(createdBodies(server.requests).length, 1)
    // The same area and time of another order of ours is another order.
    assert.equal((await tasking.placeTask(live, task('order-2'))).reference, 'o2')
    assert.equal(createdBodies(server.requests).length, 2)
  }
})

test('an order is recognised by the reference parameter of a product that has one', async (t) => {
  const { tasking, server } = await openHost(
    t,
    { orderParameters: ['delivery', 'client_reference'], isRounding: true },
    { product: { reference_parameter: 'client_reference' } },
  )
  for (const id of ['order-1', 'order-2', 'order-1', 'order-2'])
    assert.equal((await tasking.placeTask(live, task(id))).reference, id.replace('order-', 'o'))
  const bodies = createdBodies(server.requests)
  assert.deepEqual(
    bodies.map(({ order_parameters }) => order_parameters),
    [
      { delivery: 'cloud', client_reference: 'order-1' },
      { delivery: 'cloud', client_reference: 'order-2' },
    ],
  )
})

test('an order that cannot be told from another one is refused instead of placed a second time', async (t) => {
  const { tasking, server } = await openHost(t, { isRounding: true })
  await tasking.placeTask(live, task('order-1'))
  await assert.rejects(tasking.placeTask(live, task('order-1')), /may be this one/)
  assert.equal(createdBodies(server.requests).length, 1)
})

test('a rejected order is a refusal with the reason of the provider, an outage is an error to retry', async (t) => {
  const plans: readonly [PlannedResponse, RegExp, boolean][] = [
    [{ status: 422, body: { detail: 'cloud cover\u0007 too low' } }, /rejected the order: cloud cover too low/, true],
    [{ status: 400, body: { detail: [{ msg: 'a' }, { msg: 'b' }] } }, /: a; b$/, true],
    [{ status: 409, body: 'conflict' }, /rejected the order\.$/, true],
    [{ status: 401, body: { detail: 'no' } }, /status 401/, false],
    [{ status: 503, body: { detail: 'busy' } }, /status 503/, false],
    [{ status: 201, body: { type: 'Feature' } }, /without an id/, false],
    [{ status: 201, body: 'created' }, /something other than JSON/, false],
  ]
  for (const [response, message, isRefusal] of plans) {
    const { tasking, server } = await openHost(t, { createdResponse: () => response, keepsNothing: true })
    await assert.rejects(
      tasking.placeTask(live, task('order-1')),
      (error: Error) => message.test(error.message) && error instanceof HostRefusal === isRefusal,
    )
    assert.equal(createdBodies(server.requests).length, 1, 'an order is never sent again by itself')
  }
})

test('providers of the next version get nested search parameters, and are read with theirs', async (t) => {
  const { tasking, server } = await openHost(t, {
    products: { optical: product('optical', { stapi_version: '0.2.0' }) },
  })
  await tasking.placeTask(live, task('order-1'))
  const [body] = createdBodies(server.requests)
  assert.deepEqual(Object.keys(body ?? {}), ['search_parameters', 'order_parameters'])
  assert.equal((await tasking.placeTask(live, task('order-1'))).reference, 'o1')
  assert.equal(createdBodies(server.requests).length, 1)
})

test('an area is sent as a geometry that the product takes, or refused', async (t) => {
  const types = (names: readonly string[]) => ({
    products: {
      optical: product('optical', { conformsTo: names.map((name) => `https://geojson.org/schema/${name}.json`) }),
    },
  })
  const sent = async (names: readonly string[], geometry: TaskingRequest['geometry']) => {
    const { tasking, server } = await openHost(t, types(names))
    await tasking.placeTask(live, task('order-1', { geometry }))
    return createdBodies(server.requests)[0]?.['geometry']
  }
  const two = { type: 'MultiPolygon' as const, coordinates: [square(10, 50).coordinates, square(12, 50).coordinates] }
  assert.deepEqual(await sent(['Point'], square(10, 50)), { type: 'Point', coordinates: [10.5, 50.5] })
  assert.deepEqual(
    await sent(['Point'], { ...two, coordinates: [square(179, 0).coordinates, square(-180, 0).coordinates] }),
    {
      type: 'Point',
      coordinates: [180, 0.5],
    },
  )
  assert.equal(((await sent(['MultiPolygon'], square(10, 50))) as { type: string }).type, 'MultiPolygon')
  await assert.rejects(sent(['Polygon'], two), HostRefusal)
})

const statusCases: readonly (readonly [code: string, stage: string])[] = [
  ['received', 'accepted'],
  ['reserved', 'accepted'],
  ['something-new', 'accepted'],
  ['scheduled', 'scheduled'],
  ['tasked', 'tasked'],
  ['processing', 'processing'],
  ['rejected', 'rejected'],
  ['failed', 'failed'],
  ['expired', 'expired'],
  ['cancelled', 'cancelled'],
  ['user_cancelled', 'cancelled'],
]

test('status codes become stages with their reasons', async (t) => {
  for (const [code, stage] of statusCases) {
    const { tasking, host } = await openHost(t, {
      orders: [orderOf('o1', { status_code: code, reason_code: 'cloud_cover', reason_text: 'Too cloudy.' })],
    })
    const status = await tasking.taskStatus(live, 'o1')
    assert.deepEqual(
      [status.stage, status.reason_code, status.reason, status.scene],
      [stage, 'cloud_cover', 'Too cloudy.', null],
    )
    const minutes = status.next_change_at ? (status.next_change_at.getTime() - now.getTime()) / 60_000 : null
    const delivery = await host.deliveries('o1')
    const isEnded = ['rejected', 'failed', 'expired', 'cancelled'].includes(stage)
    assert.equal(minutes, isEnded ? null : 1)
    assert.deepEqual(delivery, isEnded ? { state: 'refused', reason: 'Too cloudy.' } : { state: 'waiting' })
  }
  const { tasking } = await openHost(t)
  await assert.rejects(tasking.taskStatus(live, 'nothing/../x'), /status 404/)
})

const bytes = Uint8Array.from({ length: 9000 }, (_, index) => index % 251)
const deliveryPlans = (item: unknown): Readonly<Record<string, (url: string) => ProviderPlan>> => ({
  'an item linked by the status': (url) => ({
    orders: [orderOf('o1', { status_code: 'completed', links: [{ rel: 'item', href: `${url}/item.json` }] })],
    other: () => ({ body: item }),
  }),
  'a collection of items linked by the order': () => ({
    orders: [
      {
        ...orderOf('o1', { status_code: 'completed' }),
        links: [{ rel: 'results', href: 'items.json', type: 'application/geo+json' }],
      },
    ],
    other: () => ({ body: { type: 'FeatureCollection', features: [null, item] } }),
  }),
  'a link to a GeoTIFF': () => ({
    orders: [
      orderOf('o1', {
        status_code: 'completed',
        links: [
          { rel: 'log', href: 'log.json', type: 'application/json' },
          { rel: 'data', href: 'image.tif', type: 'image/tiff; application=geotiff' },
        ],
      }),
    ],
    other: () => ({ body: { lines: ['not an item'] } }),
  }),
  'assets of the order itself': () => ({
    orders: [
      {
        ...orderOf('o1', { status_code: 'completed' }),
        assets: { visual: { href: 'image.tif', type: 'image/tiff', roles: ['data'] } },
      },
    ],
  }),
  'an earlier status': () => ({
    orders: [
      { ...orderOf('o1', { status_code: 'completed' }), links: [{ rel: 'monitor', href: 'orders/o1/statuses' }] },
    ],
    other: ({ path }) =>
      path.endsWith('/statuses')
        ? { body: { statuses: [{ status_code: 'processing', links: [{ rel: 'item', href: '/item.json' }] }] } }
        : { body: item },
  }),
})

test('a completed order is delivered from wherever its provider names the files', async (t) => {
  const item = stacItem('acquired', '2026-02-20T10:00:00Z', {
    assets: { visual: { href: 'image.tif', type: 'image/tiff', roles: ['data'] } },
  })
  for (const [name, planOf] of Object.entries(deliveryPlans(item))) {
    const plan: ProviderPlan = { files: { '/image.tif': bytes, '/orders/image.tif': bytes }, planOf }
    const { tasking, host } = await openHost(t, plan, { row: { delivery_grace_h: 0 } })
    const status = await tasking.taskStatus(live, 'o1')
    assert.equal(status.stage, 'ready', name)
    assert.equal(status.scene?.collection, 'optical')
    const delivery = await host.deliveries('o1')
    assert.ok(delivery.state === 'ready', name)
    assert.deepEqual(
      delivery.files.map(({ scene }) => scene),
      [status.scene!.id],
      name,
    )
    const folder = await mkdtemp(join(tmpdir(), 'swath-stapi-'))
    t.after(() => rm(folder, { recursive: true }))
    await delivery.files[0]!.download(join(folder, 'a.tif'), AbortSignal.timeout(5000))
    assert.deepEqual(new Uint8Array(await readFile(join(folder, 'a.tif'))), bytes, name)
  }
})

test('a completed order without files waits for a while, and is then refused by name', async (t) => {
  const open = async (hours: number): Promise<ImageryHost> => {
    const timestamp = new Date(now.getTime() - hours * 3_600_000).toISOString()
    return (await openHost(t, { orders: [orderOf('o1', { status_code: 'completed', timestamp })] })).host
  }
  const early = await open(23)
  assert.equal((await early.tasking!.taskStatus(live, 'o1')).stage, 'processing')
  assert.deepEqual(await early.deliveries('o1'), { state: 'waiting' })
  const late = await open(25)
  const status = await late.tasking!.taskStatus(live, 'o1')
  assert.deepEqual([status.stage, status.reason_code], ['failed', 'no_delivery'])
  const delivery = await late.deliveries('o1')
  assert.match(delivery.state === 'refused' ? delivery.reason : '', /names no file/)
})

test('an order is cancelled by its link, once, and refused without one', async (t) => {
  const withLink = (method: string | undefined) => ({
    ...orderOf('o1', { status_code: 'accepted' }),
    links: [{ rel: 'cancel', href: 'orders/o1/cancel', ...(method ? { method } : {}) }],
  })
  for (const method of [undefined, 'POST', 'DELETE']) {
    const { tasking, server } = await openHost(t, {
      orders: [withLink(method)],
      other: () => ({ status: 204, body: '' }),
    })
    await tasking.cancelTask(live, 'o1')
    assert.equal(server.requests.at(-1)?.method, method ?? 'POST')
  }
  const refusing = await openHost(t, {
    orders: [withLink('POST')],
    other: () => ({ status: 409, body: { detail: 'Too late.' } }),
  })
  await assert.rejects(refusing.tasking.cancelTask(live, 'o1'), /does not cancel the order: Too late\./)
  const cancelled = await openHost(t, { orders: [orderOf('o1', { status_code: 'user_cancelled' })] })
  await cancelled.tasking.cancelTask(live, 'o1')
  const linkless = await openHost(t, { orders: [orderOf('o1', { status_code: 'accepted' })] })
  await assert.rejects(linkless.tasking.cancelTask(live, 'o1'), HostRefusal)
})

test('whatever a provider replies, a call ends with a result or an error within its limits', async (t) => {
  const hostile: readonly unknown[] = [
    [], 'text', 7, null, { links: 'x' }, { links: [{ rel: 'next', href: 'self' }] },
    { features: [{ properties: { datetime: '/' }, geometry: { type: 'Polygon', coordinates: [[[1e308, 0]]] } }] },
    { features: Array.from({ length: 3000 }, () => ({ id: 'o', properties: { product_id: 'optical', search_parameters: 4 } })) },
    { id: { a: 1 }, properties: { status: { status_code: '__proto__' } }, links: [{ rel: 'item', href: 'http://[' }] },
    { 'id': 'x'.repeat(100_000), 'links': [{ rel: 'monitor', href: 'file:///etc/passwd' }] },
  ] // prettier-ignore
  for (const body of hostile) {
    const { host, tasking } = await openHost(t, { everything: () => ({ body }) }, { limits: { max_pages: 3 } })
    const calls = [
      host.check!(),
      tasking.opportunities(live, request),
      tasking.placeTask(live, task('order-1')),
      tasking.taskStatus(live, 'o1'),
      host.deliveries('o1'),
      tasking.cancelTask(live, 'o1'),
    ]
    for (const outcome of await Promise.allSettled(calls))
      if (outcome.status === 'rejected')
        assert.ok(outcome.reason instanceof Error && !(outcome.reason instanceof TypeError), String(outcome.reason))
  }
})

test('orders of endless pages are an error, not an endless search', async (t) => {
  const { tasking, server } = await openHost(
    t,
    {
      orderList: ({ query }, url) => ({
        body: {
          features: [],
          links: [{ rel: 'next', href: `${url}/orders?next=${Number(query.get('next') ?? 0) + 1}` }],
        },
      }),
    },
    { limits: { max_pages: 5 } },
  )
  await assert.rejects(tasking.placeTask(live, task('order-1')), /more than 5 pages/)
  assert.equal(createdBodies(server.requests).length, 0)
})

test('the token is sent to the origin of the provider only, and files on private addresses are refused', async (t) => {
  const { host } = await openHost(t, {
    orders: [
      orderOf('o1', { status_code: 'completed', links: [{ rel: 'item', href: 'http://169.254.169.254/item' }] }),
    ],
  })
  await assert.rejects(host.deliveries('o1'), { name: 'SafeFetchFailure' })
  const foreign = await openHost(
    t,
    { landing: () => ({ body: landing('https://elsewhere.example') }) },
    { limits: { request_timeout_ms: 300 } },
  )
  await assert.rejects(foreign.host.check!())
  assert.ok(foreign.server.requests.every(({ path }) => path === '/'))
})
