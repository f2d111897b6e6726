import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlannedResponse } from '../../../../../test/hosts/stac-server.ts'
import {
  now,
  live,
  square,
  request,
  task,
  productRow,
  openHost,
  createdBodies,
} from '../../../../../test/hosts/stapi-host.ts'
import { opportunity, product } from '../../../../../test/hosts/stapi-server.ts'
import { withHostTimeout } from '../../host-with-timeout.ts'
import { HostRefusal } from '../../imagery-host.ts'
import type { TaskingRequest } from '../../tasking-host.ts'

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
      id: 'optical',
      title: 'Optical',
      description: 'Images on order.',
      sensors: ['pan'],
      workflow: 'direct',
      price: productRow.price,
      cancel_policy: productRow.cancel_policy,
      min_area_km2: 0,
      max_area_km2: 20_000,
      max_window_days: 60,
      eula: null,
    },
  )
  await assert.rejects(tasking.opportunities(live, { ...request, product: 'gone' }), HostRefusal)
  await assert.rejects(host.place({ id: 'a', scenes: ['x'] }), HostRefusal)
  assert.deepEqual(await host.search({ limit: 10 }), [])
})

test("opportunities of all pages are read, soonest first, with only the provider's predictions", async (t) => {
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

test('an order that cannot be distinguished from another one is refused instead of placed twice', async (t) => {
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
