import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { createFaultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { findCaptures, toProductOrder, waitForOrder, type CaptureInput } from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

const [scene, otherScene] = smallScenes
/** Retries of a failing host come long after the test. */
const noRetries = {
  poll_s: 0.1,
  retry: <Policy extends { delay_s: number }>(declared: Policy): Policy => ({ ...declared, delay_s: 600 }),
}

let app: TestApp
let org: TestOrganization
let client: Client
let captures: readonly CaptureInput[]
before(async () => {
  const hosts = [await createFaultyHost('good'), await createFaultyHost('failing', { place: ['fail'] })]
  app = await startTestApp({ background: noRetries, hosts })
  org = await createTestOrganization(app, 1_000_000)
  client = org.owner.client
  captures = await findCaptures(client, 'good', smallScenes)
})
after(() => app?.close())

/** Clients send this media type with every request, also without a body. */
const json = { 'content-type': 'application/json' }

async function request<Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = json) {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await client.fetch(path, init)
  return { response, status: response.status, body: (await response.json()) as Body }
}

type OrderJson = Readonly<Record<string, unknown>> & {
  id: string
  tags: string[]
  orderDetails?: { aoi: object; imageId: string | null }
}

const placementOf = async (capture: CaptureInput, areas?: readonly Record<string, unknown>[]) => ({
  ...(await toProductOrder(client, capture, areas)),
  displayName: 'Fields',
  tags: ['wheat', 'north'],
})

const workspace = () => `workspaceId=${org.owner.user}`

async function placeOrder(capture: CaptureInput): Promise<string> {
  const { body } = await request<{ results: { id: string }[] }>(
    'POST',
    `/orders?${workspace()}`,
    await placementOf(capture),
  )
  return body.results[0]!.id
}

test('GET /orders/schema/{id} is the schema alone, beside the assets of an order; its alias is deprecated', async () => {
  const { dataProduct } = await placementOf(captures[0]!)
  const { schema } = await client.call('orders.get_schema', { data_product_id: dataProduct })
  const root = await request('GET', `/orders/schema/${dataProduct}`)
  const alias = await request('GET', `/v2/orders/schema/${dataProduct}`)
  assert.deepEqual([root.body, alias.body], [schema, schema])
  assert.equal(root.response.headers.get('deprecation'), null)
  assert.ok(alias.response.headers.get('deprecation') && !alias.response.headers.has('sunset'))
  const unknown = await request('GET', `/orders/schema/${org.project}`)
  assert.equal(unknown.status, 404)
  const id = await placeOrder(captures[0]!)
  assert.equal((await request<{ order_id: string }>('GET', `/orders/${id}/assets`)).body.order_id, id)
})

test('an estimate and a placement have results and errors with no other members', async () => {
  const point = { type: 'Point', coordinates: [1, 2] }
  const input = await placementOf(captures[0]!, [captures[0]!.geometry, point])
  interface Batch {
    readonly summary: object
    readonly results: readonly object[]
    readonly errors: readonly object[]
  }
  const estimate = await request<Batch>('POST', '/orders/estimate', input)
  const placed = await request<Batch>('POST', `/orders?${workspace()}`, input)
  assert.deepEqual([estimate.status, placed.status], [200, 200])
  assert.deepEqual(Object.keys(estimate.body.summary).toSorted(), ['totalCredits', 'totalSize', 'unit'])
  assert.deepEqual(Object.keys(estimate.body.results[0]!).toSorted(), ['credits', 'index', 'size', 'unit'])
  assert.deepEqual(Object.keys(placed.body.results[0]!).toSorted(), ['id', 'index'])
  for (const { body } of [estimate, placed]) {
    assert.equal(body.errors.length, 1)
    assert.deepEqual(Object.keys(body.errors[0]!).toSorted(), ['details', 'index', 'message'])
  }
})

test('money and access fail a placement with a status of their own', async () => {
  const input = await placementOf(captures[0]!)
  assert.equal((await request('POST', `/orders?${workspace()}`, { ...input, max_credits: 0 })).status, 403)
  const other = await createTestOrganization(app, 0)
  assert.equal((await request('POST', `/orders?workspaceId=${other.project}`, input)).status, 404)
  const poor = await other.owner.client.fetch(`/orders?workspaceId=${other.project}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(input),
  })
  assert.equal(poor.status, 402)
  assert.equal((await request('POST', '/orders', input)).status, 422)
})

test('an order has the members of resource-style clients, with its area and scene', async () => {
  const id = await placeOrder(captures[0]!)
  await waitForOrder(client, id, 'FULFILLED')
  const { body } = await request<OrderJson>('GET', `/orders/${id}`)
  assert.deepEqual(
    [body['type'], body['status'], body['workspaceId'], body['accountId'], body['displayName'], body.tags],
    ['ARCHIVE', 'FULFILLED', org.project, org.organization, 'Fields', ['wheat', 'north']],
  )
  assert.deepEqual([body.orderDetails!.aoi, body.orderDetails!.imageId], [captures[0]!.geometry, scene])
  const coverage = await request<{ covered: object; remainder: object }>('GET', `/coverage/orders/${id}`)
  for (const part of [coverage.body.covered, coverage.body.remainder])
    assert.deepEqual(Object.keys(part).toSorted(), ['geometry', 'percentage', 'sqKmArea'])
  assert.equal((await request('GET', `/orders/${org.project}`)).status, 404)
})

test('text that is not an id names no resource, at the root and under /v2; the operation refuses it as input', async () => {
  const orders = ['/orders/not-an-id', '/orders/not-an-id/assets', '/coverage/orders/1', '/orders/schema/x']
  const others = ['/eulas/latest', `/workspaces/${org.project}/webhooks/1`, '/assets/stac/collections/x/items']
  for (const path of [...orders, ...others, ...[...orders, ...others].map((root) => `/v2${root}`)]) {
    const { status, body } = await request<{ type: string }>('GET', path)
    assert.deepEqual([status, body.type.split('/').at(-1)], [404, 'not-found'], path)
  }
  for (const [method, path] of [
    ['PATCH', '/orders/not-an-id'],
    ['POST', '/v2/orders/not-an-id/cancellation'],
    ['PATCH', '/v2/tasking/feasibility/1'],
  ] as const)
    assert.equal((await request(method, path, {})).status, 404, path)
  await assert.rejects(client.call('orders.get', { order_id: 'not-an-id' }), { problem: 'validation', status: 422 })
})

test('an order of several scenes has the areas of all of them and no image id', async () => {
  const { id } = await client.call('orders.archive.place', { captures: captures as never })
  const { orderDetails } = (await request<OrderJson>('GET', `/orders/${id}`)).body
  const coordinates = captures.map(({ geometry }) => geometry['coordinates'])
  assert.deepEqual([orderDetails!.aoi, orderDetails!.imageId], [{ type: 'MultiPolygon', coordinates }, null])
})

test('the tags of an order are changed by a merge patch; no body changes nothing', async () => {
  const id = await placeOrder(captures[1]!)
  const mergePatch = { 'content-type': 'application/merge-patch+json' }
  const changed = await request<OrderJson>('PATCH', `/orders/${id}`, { tags: ['rye'] }, mergePatch)
  assert.deepEqual([changed.status, changed.body.tags, changed.body['accountId']], [200, ['rye'], org.organization])
  const unchanged = await request<OrderJson>('PATCH', `/orders/${id}`, {}, mergePatch)
  assert.deepEqual(unchanged.body.tags, ['rye'])
  assert.equal(unchanged.body.orderDetails!.imageId, otherScene)
})

test('a list takes repeated parameters, and its orders have their areas', async () => {
  const id = await placeOrder(captures[0]!)
  await waitForOrder(client, id, 'FULFILLED')
  const query = `tags=none&tags=wheat&status=CREATED&status=FULFILLED&type=ARCHIVE&${workspace()}&sort=createdAt,desc&page=0`
  const { body } = await request<{ content: OrderJson[]; totalPages: number }>('GET', `/orders?${query}`)
  assert.ok(body.totalPages >= 1)
  const listed = body.content.find((order) => order.id === id)!
  assert.deepEqual([listed['type'], listed['accountId'], 'orderDetails' in listed], ['ARCHIVE', org.organization, true])
  const none = await request<{ content: OrderJson[]; totalPages: number }>('GET', '/orders?tags=none&tags=never')
  assert.deepEqual([none.body.content, none.body.totalPages], [[], 1])
})

test('an order is cancelled without a body, and not twice', async () => {
  const [capture] = await findCaptures(client, 'failing', [scene])
  const id = await placeOrder(capture!)
  await waitForOrder(client, id, 'PLACEMENT_FAILED')
  const canceled = await request('POST', `/orders/${id}/cancellation`)
  assert.deepEqual([canceled.status, canceled.body], [200, { orderId: id, status: 'CANCELED' }])
  assert.equal((await request('POST', `/orders/${id}/cancellation`)).status, 409)
})

test('the aliases of orders under /v2 return the same, with Deprecation and the route to use instead', async () => {
  const placed = await request<{ results: { id: string }[] }>(
    'POST',
    `/v2/orders?${workspace()}`,
    await placementOf(captures[0]!),
  )
  const id = placed.body.results[0]!.id
  await waitForOrder(client, id, 'FULFILLED')
  const estimate = await request('POST', '/v2/orders/estimate', await placementOf(captures[0]!))
  const cancelled = await request('POST', `/v2/orders/${id}/cancellation`)
  const changed = await request<OrderJson>('PATCH', `/v2/orders/${id}`, { tags: ['rye'] })
  assert.deepEqual([placed.status, estimate.status, cancelled.status, changed.body.tags], [200, 200, 409, ['rye']])
  const reads = [`/orders/${id}`, `/orders?${workspace()}`, `/coverage/orders/${id}`]
  const aliases = await Promise.all(reads.map((path) => request('GET', `/v2${path}`)))
  for (const [index, path] of reads.entries())
    assert.deepEqual(aliases[index]!.body, (await request('GET', path)).body, path)
  for (const { response } of [placed, estimate, cancelled, changed, ...aliases]) {
    const { pathname } = new URL(response.url)
    assert.ok(response.headers.get('deprecation') && !response.headers.has('sunset'), pathname)
    const successor = `<${app.url}${pathname.replace('/v2', '')}>; rel="successor-version"`
    assert.equal(response.headers.get('link'), successor)
  }
})

interface ScenePage {
  readonly features: readonly { id: string; properties: Readonly<Record<string, unknown>> }[]
  readonly links: readonly { rel: string; href: string }[]
}

test('scenes of a search have the required properties, and the next page is an absolute URL for the same body', async () => {
  const path = '/catalog/hosts/good/stac/search'
  const body = { collections: ['naip'], limit: 2, sortby: [{ field: 'properties.datetime', direction: 'asc' }] }
  const ids: string[] = []
  for (let url: string | undefined = path; url !== undefined;) {
    const page: ScenePage = (await request<ScenePage>('POST', url.replace(app.url, ''), body)).body
    for (const { id, properties } of page.features) {
      ids.push(id)
      assert.equal(properties['id'], id)
      for (const name of ['constellation', 'collection', 'producer'])
        assert.equal(typeof properties[name], 'string', name)
      assert.equal(typeof properties['providerProperties'], 'object')
    }
    url = page.links.find(({ rel }) => rel === 'next')?.href
    if (url !== undefined) assert.ok(url.startsWith(`${app.url}${path}?next=`), url)
  }
  const all = await client.call('catalog.search', { host_name: 'good', collections: ['naip'] })
  assert.ok(ids.length > 2)
  assert.deepEqual(
    ids,
    all.features.map(({ id }) => id),
  )
  const alias = await request('POST', `/v2${path}`, body)
  assert.ok(alias.response.headers.get('deprecation') && !alias.response.headers.has('sunset'))
})

test('hosts, providers and data products are listed at the root, and under /v2 as deprecated aliases', async () => {
  interface Entry {
    readonly name: string
    readonly roles?: readonly string[]
  }
  const hosts = await request<{ data: Entry[]; error: null }>('GET', '/hosts')
  assert.deepEqual([hosts.status, hosts.body.error], [200, null])
  assert.ok(hosts.body.data.some(({ name }) => name === 'good'))
  assert.ok(hosts.body.data.every(({ roles }) => roles?.includes('HOST')))
  for (const path of ['/providers?role=HOST&size=1', '/data-products?includeHidden=true&size=1']) {
    const { status, body } = await request<{ content: Entry[]; totalPages: number }>('GET', path)
    assert.deepEqual([status, body.content.length, body.totalPages > 1], [200, 1, true], path)
    const alias = await request('GET', `/v2${path}`)
    assert.deepEqual(alias.body, body)
    assert.ok(alias.response.headers.get('deprecation') && !alias.response.headers.has('sunset'))
  }
  assert.equal((await request('GET', '/data-products?hidden=true')).status, 422)
})

test('a refused search has the message as `error.message`, too', async () => {
  const path = '/catalog/hosts/good/stac/search'
  interface Refusal {
    readonly error: { readonly message: string }
    readonly detail: readonly object[]
  }
  const { status, body } = await request<Refusal>('POST', path, { bbox: [1, 2] })
  assert.equal(status, 422)
  assert.match(body.error.message, /^bbox: /)
  assert.ok(Array.isArray(body.detail))
  assert.equal((await request('POST', '/catalog/hosts/nobody/stac/search', {})).status, 404)
})
