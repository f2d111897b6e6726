import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createManualClock } from '../../src/platform/clock.ts'
import { smallScenes } from '../hosts/faulty-host.ts'
import { createTaskingHost } from '../hosts/tasking-host.ts'
import { advanceOrders, findCaptures, getWalletBalance, waitForOrder, waitForOrderTasks } from '../orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'

// The Sensor Tasking API as a client walks it. That its documents are those of the public models is proved in CI.

interface Link {
  readonly rel: string
  readonly href: string
  readonly method?: string
  readonly body?: Record<string, unknown>
}
interface Document {
  readonly links: readonly Link[]
}

const start = new Date('2030-03-01T01:00:00Z')
const clock = createManualClock(new Date())
let app: TestApp
let org: TestOrganization
let area: Record<string, unknown>
before(async () => {
  app = await startTestApp({ hosts: [await createTaskingHost('sky')], clock, background: immediateRetries })
  org = await createTestOrganization(app, 1_000_000)
  clock.advance(start.getTime() - clock.now().getTime(), org.organization)
  const [capture] = await findCaptures(org.owner.client, 'sky', [smallScenes[0]])
  area = capture!.geometry
})
after(() => app?.close())

const window = '2030-03-01T02:00:00Z/2030-03-05T00:00:00Z'
const searchBody = (more: Record<string, unknown> = {}) => ({ datetime: window, geometry: area, ...more })

const send = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  org.owner.client.fetch(path, body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) })

async function read<T = Document>(path: string, body?: unknown, status = 200): Promise<T> {
  const response = await send(path, body)
  assert.equal(response.status, status, `${path}: ${await response.clone().text()}`)
  return (await response.json()) as T
}

const follow = ({ links }: { readonly links: readonly Link[] }, rel: string): Link => {
  const link = links.find((each) => each.rel === rel)
  assert.ok(link, `no link ${rel}`)
  return { ...link, href: link.href.slice(app.url.length) }
}

interface Product extends Document {
  readonly id: string
  readonly title: string
}

async function findProduct(title: RegExp): Promise<Product> {
  const { products } = await read<{ products: readonly Product[] }>('/stapi/products')
  return products.find((product) => title.test(product.title))!
}

interface Feature {
  readonly id: string
  readonly geometry: unknown
  readonly properties: {
    readonly product_id: string
    readonly datetime: string
    readonly status: {
      readonly status_code: string
      readonly links: readonly Link[]
      readonly reason_code: string | null
    }
    readonly search_parameters: Record<string, unknown>
    readonly 'service:price': { readonly credits: number }
  }
  readonly links: readonly Link[]
}
interface Collection {
  readonly features: readonly Feature[]
  readonly numberMatched?: number
  readonly links: readonly Link[]
}

test('the landing page leads to everything, and needs no token', async () => {
  const response = await fetch(`${app.url}/stapi`)
  assert.equal(response.status, 200)
  const landing = (await response.json()) as Document
  for (const rel of ['self', 'conformance', 'products', 'orders', 'service-desc', 'service-doc']) {
    const { href } = follow(landing, rel)
    assert.equal((await send(href)).status, 200, href)
  }
  assert.equal((await fetch(`${app.url}/stapi/conformance`)).status, 200)
  for (const path of ['/products', '/orders', '/products/x/queryables'])
    assert.equal((await fetch(`${app.url}/stapi${path}`)).status, 401, path)
})

test('products are listed in pages, and each describes its filters and parameters', async () => {
  const first = await read<{ products: readonly Product[]; links: readonly Link[] }>('/stapi/products?limit=2')
  const second = await read<typeof first>(follow(first, 'next').href)
  const whole = await read<typeof first>('/stapi/products?limit=100')
  assert.deepEqual([...first.products, ...second.products], whole.products.slice(0, 4))
  const titles = whole.products.map(({ title }) => title)
  for (const title of ['Tasking, direct', 'Tasking, study', 'Tasking, quotation'])
    assert.equal(titles.filter((each) => each === title).length, 1, title)
  assert.ok(whole.links.every(({ rel }) => rel !== 'next'))
  const listed = whole.products.find(({ title }) => title === 'Tasking, direct')!
  const product = await read<Product>(follow(listed, 'self').href)
  assert.deepEqual(product, listed)
  type Schema = { readonly properties: Record<string, { readonly enum?: unknown }> }
  const queryables = await read<Schema>(follow(product, 'queryables').href)
  assert.deepEqual(Object.keys(queryables.properties), [
    'eo:cloud_cover',
    'view:off_nadir',
    'view:sun_elevation',
    'sensor',
  ])
  assert.deepEqual(queryables.properties['sensor']?.enum, ['msi'])
  assert.ok('opportunityId' in (await read<Schema>(follow(product, 'order-parameters').href)).properties)
  assert.equal((await send('/stapi/products/sky:direct')).status, 200)
  assert.equal((await send('/stapi/products/unknown')).status, 404)
})

test('an opportunity is bought with its own link, followed and delivered', async () => {
  const { client } = org.owner
  const product = await findProduct(/direct/)
  const { href } = follow(product, 'opportunities')
  const first = await read<Collection>(href, searchBody({ limit: 3, filter: null }))
  const next = follow(first, 'next')
  const second = await read<Collection>(next.href, next.body)
  const ids = [...first.features, ...second.features].map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length > 3)
  const chosen = first.features[1]!
  const balance = await getWalletBalance(client)
  const link = follow(chosen, 'create-order')
  const response = await send(link.href, link.body, { 'idempotency-key': 'stapi-1' })
  assert.equal(response.status, 201)
  const order = (await response.json()) as Feature
  assert.equal(response.headers.get('location'), `${app.url}/stapi/orders/${order.id}`)
  assert.equal(order.properties.product_id, product.id)
  assert.deepEqual(order.geometry, area)
  assert.equal(order.properties['service:price'].credits, chosen.properties['service:price'].credits)
  const { available } = await getWalletBalance(client)
  assert.equal(balance.available - available, order.properties['service:price'].credits)
  const again = await send(link.href, link.body, { 'idempotency-key': 'stapi-1' })
  assert.deepEqual([again.status, ((await again.json()) as Feature).id], [201, order.id])

  await waitForOrderTasks(app)
  const state = async () => (await read<Feature>(`/stapi/orders/${order.id}`)).properties.status
  assert.equal((await state()).status_code, 'scheduled')
  for (let hours = 0; hours < 60 && (await state()).status_code !== 'completed'; hours += 4) {
    await advanceOrders(app, clock, org.organization, 4)
  }
  await waitForOrder(client, order.id, 'FULFILLED')
  const items = await read<Collection>(follow(await state(), 'items').href)
  assert.equal(items.features.length, 1)
  const { statuses } = await read<{ statuses: readonly { status_code: string; timestamp: string }[] }>(
    follow(order, 'monitor').href,
  )
  const codes = statuses.map(({ status_code }) => status_code)
  assert.deepEqual([codes[0], codes.at(-1)], ['received', 'completed'])
  for (const code of ['accepted', 'scheduled', 'tasked', 'processing']) assert.ok(codes.includes(code), code)
})

test('an order states its filter, waits for a price, and ends as the customer decides', async () => {
  const filter = {
    op: 'and',
    args: [
      { op: '<=', args: [{ property: 'eo:cloud_cover' }, 40] },
      { op: '>=', args: [{ property: 'view:sun_elevation' }, 10] },
    ],
  }
  const product = await findProduct(/quotation/)
  const body = { search_parameters: searchBody({ filter }), order_parameters: { displayName: 'Harbour', tags: ['a'] } }
  const order = await read<Feature>(follow(product, 'create-order').href, body, 201)
  assert.deepEqual(order.properties.search_parameters['filter'], filter)
  assert.equal(order.properties.status.status_code, 'received')
  await org.owner.client.call('orders.cancel', { order_id: order.id })
  assert.equal((await read<Feature>(`/stapi/orders/${order.id}`)).properties.status.status_code, 'user_cancelled')
})

test('orders are listed oldest first, in pages, without those of the archive or of others', async () => {
  const collected: string[] = []
  let page = await read<Collection>('/stapi/orders?limit=1')
  assert.equal(page.numberMatched, 2)
  for (;;) {
    collected.push(...page.features.map(({ id }) => id))
    if (!page.links.some(({ rel }) => rel === 'next')) break
    page = await read<Collection>(follow(page, 'next').href)
  }
  const whole = await read<Collection>('/stapi/orders')
  assert.deepEqual(
    whole.features.map(({ id }) => id),
    collected,
  )
  const [capture] = await findCaptures(org.owner.client, 'sky', [smallScenes[0]])
  const archive = await org.owner.client.call<{ id: string }>('orders.archive.place', { captures: [capture!] } as never)
  for (const path of [`/${archive.id}`, `/${archive.id}/statuses`, '/none', '/none/statuses'])
    assert.equal((await send(`/stapi/orders${path}`)).status, 404, path)
  assert.equal((await read<Collection>('/stapi/orders')).numberMatched, 2)
  const other = await createTestOrganization(app, 0)
  const foreign = await other.owner.client.fetch(`/stapi/orders/${collected[0]}`)
  assert.equal(foreign.status, 404)
})

const comparison = (property: unknown, op: string, value: unknown) => ({ op, args: [{ property }, value] })

test('a request that cannot be met is a problem with the place of the error', async () => {
  const product = await findProduct(/direct/)
  const cases: readonly (readonly [changes: Record<string, unknown>, field: RegExp])[] = [
    [{ datetime: '2030-03-01T02:00:00Z' }, /^datetime/],
    [{ datetime: '2030-03-05T00:00:00Z/2030-03-01T02:00:00Z' }, /^datetime/],
    [{ datetime: '2030-03-01T02:00:00/..' }, /^datetime/],
    [{ geometry: null }, /^geometry/],
    [{ geometry: { type: 'Point', coordinates: [1, 2] } }, /features\.0/],
    [{ filter: comparison('eo:cloud_cover', '>', 10) }, /^filter/],
    [{ filter: comparison('constructor', '<=', 10) }, /^filter/],
    [{ filter: comparison('eo:cloud_cover', '<=', '10') }, /^filter/],
    [{ filter: { op: 'or', args: [] } }, /^filter/],
    [
      { filter: { op: 'and', args: [comparison('view:off_nadir', '<=', 1), comparison('view:off_nadir', '<=', 2)] } },
      /^filter/,
    ],
    [{ filter: 'text' }, /^filter/],
    [{ filter: comparison('sensor', '=', 'none') }, /features\.0/],
    [{ limit: 0 }, /^limit/],
    [{ next: 'x' }, /^next/],
    [{ surprise: 1 }, /^surprise/],
    [{ search_parameters: {}, datetime: undefined }, /^search_parameters\.datetime/],
  ]
  const path = follow(product, 'opportunities').href
  for (const [changes, field] of cases) {
    const response = await send(path, searchBody(changes))
    const problem = (await response.json()) as { readonly errors: readonly { readonly path: string }[] }
    assert.equal(response.status, 422, JSON.stringify(changes))
    assert.match(String(response.headers.get('content-type')), /application\/problem\+json/)
    assert.match(problem.errors[0]!.path, field)
  }
  const malformed = await org.owner.client.fetch(path, { method: 'POST', body: '{' })
  assert.equal(malformed.status, 400)
  assert.equal((await send('/stapi/products/none/opportunities', searchBody())).status, 404)
  const orders = follow(product, 'create-order').href
  assert.equal((await send(orders, searchBody({ order_parameters: { surprise: 1 } }))).status, 422)
  assert.equal((await send(orders, searchBody({ order_parameters: { max_credits: 1 } }))).status, 403)
  assert.equal((await send(orders, searchBody({ order_parameters: { opportunityId: 'gone' } }))).status, 422)
  assert.equal((await read<Collection>('/stapi/orders')).numberMatched, 2, 'nothing was ordered')
})
