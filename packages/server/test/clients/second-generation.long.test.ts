import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { waitForOrder } from '../orders.ts'
import { waitForJob } from '../processing/jobs.ts'
import { immediateRetries, startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'

// The routes of clients of the second generation: `npm run prove -- clients` plays these clients themselves.

let app: TestApp
let org: TestOrganization
let client: Client
let order: string
let item: Feature
before(async () => {
  app = await startTestApp({ background: immediateRetries })
  org = await createTestOrganization(app, 1_000_000)
  client = org.owner.client
  const { features } = await client.call('catalog.search', { host_name: 'open', limit: 1 })
  const [scene] = features
  const capture = { id: scene!.id, host: 'open', geometry: scene!.geometry }
  order = (await client.call('orders.archive.place', { captures: [capture] as never })).id
  await waitForOrder(client, order, 'FULFILLED')
  const { collectionId } = await client.call('orders.get', { order_id: order })
  const found = await request<{ features: Feature[] }>('GET', `/v2/assets/stac/collections/${collectionId}/items`)
  item = found.body.features[0]!
})
after(() => app?.close())

interface Feature {
  readonly id: string
  readonly collection: string
  readonly properties: Record<string, unknown>
  readonly assets: Record<string, { readonly href: string; readonly roles: string[] }>
  readonly links: readonly { readonly rel: string; readonly href: string }[]
}

async function request<T>(method: string, path: string, body?: object, by: Client = client) {
  const response = await by.fetch(path, {
    method,
    // Clients name a JSON body also where they send none.
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as T }
}

/** A value that a JSON Schema of parameters accepts, for each property whose values have no meaning of their own. */
function sampleOf(schema: Record<string, unknown>, scene: string | null): Record<string, unknown> {
  const properties = schema['properties'] as Record<string, Record<string, unknown>>
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
  const times: Record<string, string> = { acquisitionStart: day(0), acquisitionEnd: day(6) }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { type, enum: values, minimum, maximum }]) => {
      if (name === 'id') return [[name, scene]]
      if (name === 'opportunityId') return []
      if (times[name]) return [[name, times[name]]]
      if (Array.isArray(values)) return [[name, values.at(-1)]]
      if (type === 'number') return [[name, name === 'minSunElevation' ? minimum : maximum]]
      return [[name, type === 'boolean' ? true : 'A sample']]
    }),
  )
}

test('every data product is estimated with a sample of its own schema, and an acquisition is ordered with it', async () => {
  const { content } = await client.call('glossary.data_products.list', { size: 100 })
  assert.ok(content.length > 5)
  const area = { type: 'Polygon', coordinates: [[[11.3, 46.4], [11.45, 46.4], [11.45, 46.52], [11.3, 46.52], [11.3, 46.4]]] } // prettier-ignore
  const counts = { estimated: 0, ordered: 0 }
  for (const { id, name, host_name, collection } of content) {
    const { schema } = await client.call('orders.get_schema', { data_product_id: id })
    const isTasking = 'acquisitionStart' in (schema['properties'] as object)
    const scenes = isTasking
      ? []
      : (await client.call('catalog.search', { host_name, collections: [collection], limit: 1 })).features
    if (!isTasking && scenes.length === 0) continue
    const geometry = isTasking ? area : scenes[0]!.geometry
    const featureCollection = { type: 'FeatureCollection', features: [{ type: 'Feature', geometry }] }
    const params = sampleOf(schema, scenes[0]?.id ?? null)
    const input = { dataProduct: id, displayName: name, params, featureCollection }
    const { results, errors } = await client.call('orders.estimate', input as never)
    assert.deepEqual([results.length, errors], [1, []], name)
    counts.estimated++
    if (!isTasking) continue
    const routed = await request<{ results: { id: string }[]; errors: object[] }>(
      'POST',
      `/v2/orders?workspaceId=${org.owner.user}`,
      input,
    )
    assert.deepEqual([routed.status, routed.body.errors], [200, []], name)
    const placed = await client.call('orders.get', { order_id: routed.body.results[0]!.id })
    assert.deepEqual([placed.orderType, placed.dataProductId], ['tasking', id])
    const more = { ...input, params: { ...params, unknown: 1 } }
    await assert.rejects(client.call('orders.estimate', more as never), { problem: 'validation' }, name)
    const partly = { ...input, workspaceId: org.project }
    const two = {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry },
        { type: 'Feature', geometry: null },
      ],
    }
    const refused = client.call('orders.place', { ...partly, featureCollection: two } as never)
    await assert.rejects(refused, { problem: 'validation' }, name)
    counts.ordered++
  }
  assert.ok(counts.ordered > 0 && counts.estimated > counts.ordered, JSON.stringify(counts))
})

test('a file of an item has a URL at `download-url` by POST, which needs no token', async () => {
  const file = Object.values(item.assets).find(({ roles }) => roles.includes('data'))!
  const path = new URL(file.href).pathname
  const { status, body } = await request<{ url: string }>('POST', `${path}/download-url`)
  assert.equal(status, 200)
  assert.equal((await fetch(body.url)).status, 200)
  const stranger = await createTestOrganization(app, 0)
  assert.equal((await request('POST', `${path}/download-url`, undefined, stranger.owner.client)).status, 404)
})

test('an item is an asset with a title, tags and a ZIP of its files, which others do not see', async () => {
  const id = item.properties['up42-system:asset_id'] as string
  const { body: page } = await request<{ content: { id: string; source: string }[]; totalPages: number }>(
    'GET',
    `/v2/assets?search=${order}&sources=ARCHIVE&sources=TASKING&sort=size,desc`,
  )
  assert.deepEqual([page.content.map((one) => one.id), page.content[0]?.source], [[id], 'ARCHIVE'])
  const changed = await request<{ title: string; tags: string[] }>('POST', `/v2/assets/${id}/metadata`, {
    title: 'Harbour',
    tags: ['blue'],
  })
  assert.deepEqual([changed.body.title, changed.body.tags], ['Harbour', ['blue']])
  const read = await request<object>('GET', `/v2/assets/${id}`)
  assert.deepEqual(read.body, changed.body)
  assert.deepEqual((await request('GET', `/v2/assets/${id}/metadata`)).body, changed.body)
  const found = await request<{ content: { id: string }[] }>('GET', '/v2/assets?tags=blue&tags=red')
  assert.deepEqual(
    found.body.content.map((one) => one.id),
    [id],
  )
  const { body } = await request<{ url: string }>('POST', `/v2/assets/${id}/download-url`)
  const archive = Buffer.from(await (await fetch(body.url)).arrayBuffer())
  assert.equal(archive.subarray(0, 2).toString(), 'PK')
  const stranger = (await createTestOrganization(app, 0)).owner.client
  for (const path of [`/v2/assets/${id}`, `/v2/assets/${id}/metadata`, '/v2/assets/none'])
    assert.equal((await request('GET', path, undefined, stranger)).status, 404, path)
  assert.equal((await request('POST', `/v2/assets/${id}/metadata`, { title: 'x' }, stranger)).status, 404)
})

test('a PATCH of an item returns the whole item, and titles and tags land in its properties', async () => {
  const path = `/v2/assets/stac/collections/${item.collection}/items/${item.id}`
  const patch = { 'up42-user:title': 'Quay', 'up42-user:tags': ['a', 'b'] }
  const { status, headers, body } = await request<Feature>('PATCH', path, patch)
  assert.deepEqual(
    [status, body.id, new Set(Object.keys(body.assets))],
    [200, item.id, new Set(Object.keys(item.assets))],
  )
  assert.ok(headers.get('etag'))
  const { body: read } = await request<Feature>('GET', path)
  assert.deepEqual([read.properties['up42-user:title'], read.properties['up42-user:tags']], ['Quay', ['a', 'b']])
  const { properties } = (await request<Feature>('PATCH', path, { 'up42-user:title': null })).body
  assert.equal('up42-user:title' in properties, false)
  assert.deepEqual(properties['up42-user:tags'], ['a', 'b'])
})

test('items and collections have what clients read of their order, and searches find them by it', async () => {
  const { projectId, organizationId, dataProductId } = await client.call('orders.get', { order_id: order })
  const { properties } = item
  assert.deepEqual(
    ['order:id', 'system:source', 'system:workspace_id', 'system:account_id', 'product:product_id'].map(
      (name) => properties[`up42-${name}`],
    ),
    [order, 'ARCHIVE', projectId, organizationId, dataProductId],
  )
  const { body } = await request<Record<string, unknown>>('GET', `/v2/assets/stac/collections/${item.collection}`)
  assert.deepEqual([body['up42-order:id'], body['up42-user:title']], [order, body['title']])
  for (const [property, value] of [
    ['up42-order:id', order],
    ['asset_id', properties['up42-system:asset_id']],
  ] as const) {
    const filter = { op: '=', args: [{ property }, value] }
    // Clients of the second generation put their filter into another object.
    for (const sent of [filter, { max_items: 50, limit: 50, filter }]) {
      const found = await request<{ features: Feature[] }>('POST', '/v2/assets/stac/search', { filter: sent })
      assert.deepEqual(
        found.body.features.map(({ id }) => id),
        [item.id],
        property,
      )
    }
  }
  const forged = await request<Feature>('PATCH', `/assets/stac/collections/${item.collection}/items/${item.id}`, {
    properties: { 'up42-order:id': 'forged' },
  })
  assert.equal(forged.body.properties['up42-order:id'], order)
})

test('a job of the route has a collection of its results, and lists find it by duration and `successful`', async () => {
  const described = await request<{ additionalParameters: { parameters: { name: string; value: string[] }[] } }>(
    'GET',
    '/v2/processing/processes/format-conversion',
  )
  const eula = described.body.additionalParameters.parameters.find(({ name }) => name === 'eula-id')!.value[0]!
  assert.equal((await request<{ isAccepted: boolean }>('GET', `/v2/eulas/${eula}`)).body.isAccepted, true)
  const self = item.links.find(({ rel }) => rel === 'self')!.href
  const inputs = { title: 'Converted', item: self }
  const execution = `/v2/processing/processes/format-conversion/execution?workspaceId=${org.owner.user}`
  const { body: started } = await request<{ jobID: string }>('POST', execution, { inputs })
  await waitForJob(client, started.jobID, 'completed')
  const job = await readJob(started.jobID)
  assert.equal(job.status, 'captured')
  const collection = await request<Record<string, unknown>>('GET', new URL(job.results.collection).pathname)
  assert.deepEqual([collection.body['title'], collection.body['up42-system:job_id']], ['Converted', started.jobID])
  const listed = async (query: string): Promise<boolean> => {
    const { body } = await request<{ jobs: { jobID: string }[] }>('GET', `/v2/processing/jobs?${query}`)
    return body.jobs.some(({ jobID }) => jobID === started.jobID)
  }
  for (const query of ['status=successful', 'status=captured,released', 'maxDuration=1000', 'sort=processID,asc'])
    assert.equal(await listed(query), true, query)
  for (const query of ['status=rejected', 'status=valid', 'minDuration=1000'])
    assert.equal(await listed(query), false, query)
  assert.equal((await request('GET', '/v2/processing/jobs?minDuration=soon')).status, 422)
})

const readJob = async (id: string) =>
  (await request<{ status: string; results: { collection: string } }>('GET', `/v2/processing/jobs/${id}`)).body

test('`pansharpening` is a second name of the process, and weights by band exclude a list of weights', async () => {
  const { process } = await client.call('processing.catalog.get', { process_id: 'pansharpening' })
  assert.equal(process.id, 'pan-sharpen')
  const validate = (inputs: object) =>
    client.call('processing.catalog.validate', {
      process_id: 'pansharpening',
      inputs: { item: item.id, ...inputs } as never,
    })
  const greyWeights = [{ band: 'red', weight: 0.5 }]
  for (const [inputs, path] of [
    [{ greyWeights, weights: [1] }, 'greyWeights'],
    [{ greyWeights: [...greyWeights, ...greyWeights] }, 'greyWeights'],
    [{ greyWeights: [] }, 'greyWeights'],
    // A weight of a band that the result does not have would be dropped.
    [{ bands: ['red'], greyWeights: [...greyWeights, { band: 'blue', weight: 1 }] }, 'greyWeights.1.band'],
  ] as const) {
    const { valid, errors } = await validate({ ...inputs, item: item.properties['service:item_id'] })
    assert.deepEqual([valid, errors[0]?.path], [false, path])
  }
})

test('the catalogue is a STAC API with pages by either method', async () => {
  const landing = await request<{ type: string; links: { rel: string; href: string }[] }>('GET', '/v2/catalog/')
  assert.equal(landing.body.type, 'Catalog')
  const { body } = await request<{ collections: { id: string }[] }>('GET', '/v2/catalog/collections')
  const { id } = body.collections[0]!
  assert.equal((await request<{ id: string }>('GET', `/v2/catalog/collections/${id}`)).body.id, id)
  assert.equal((await request('GET', '/v2/catalog/collections/none')).status, 404)
  interface Page {
    readonly features: readonly { readonly id: string }[]
    readonly links: readonly { readonly rel: string; readonly href: string; readonly body?: object }[]
  }
  const first = await request<Page>('POST', '/v2/catalog/search', { limit: 1 })
  const next = first.body.links.find(({ rel }) => rel === 'next')!
  const second = await request<Page>('POST', new URL(next.href).pathname, { limit: 1, ...next.body })
  const firstByGet = await request<Page>('GET', '/v2/catalog/search?limit=1')
  const nextByGet = new URL(firstByGet.body.links.find(({ rel }) => rel === 'next')!.href)
  const secondByGet = await request<Page>('GET', `${nextByGet.pathname}${nextByGet.search}`)
  const idOf = ({ body: page }: { body: Page }): string => page.features[0]!.id
  assert.deepEqual([idOf(firstByGet), idOf(secondByGet)], [idOf(first), idOf(second)])
  assert.notEqual(idOf(first), idOf(second))
})

test('balances, budgets and lists of orders have what clients read', async () => {
  const balance = await request<{ available: { amount: number }; available_credits: number }>(
    'GET',
    '/v2/payments/balances',
  )
  assert.ok(balance.body.available.amount > 0)
  assert.equal(balance.body.available.amount, balance.body.available_credits)
  const budgets = await request<{ content: { id: string; consumedCredits: number }[] }>(
    'GET',
    '/v2/budgets?includeUsage=True',
  )
  assert.deepEqual(new Set(budgets.body.content.map(({ id }) => id)), new Set([org.project, org.owner.user]))
  assert.ok(budgets.body.content.every(({ consumedCredits }) => consumedCredits >= 0))
  assert.equal(
    (await request<{ enforcementEnabled: boolean }>('GET', '/v2/budgets/settings')).body.enforcementEnabled,
    true,
  )
  const member = (await org.addMember('member')).client
  const seen = await request<{ content: { id: string }[] }>('GET', '/v2/budgets', undefined, member)
  assert.equal(seen.body.content.length, 1)
  assert.equal((await request('GET', `/v2/budgets/${org.owner.user}`, undefined, member)).status, 404)
  const listed = await request<{ content: { id: string; orderDetails?: { aoi: object }; budgetId: string }[] }>(
    'GET',
    '/v2/orders?type=ARCHIVE',
  )
  const found = listed.body.content.find(({ id }) => id === order)!
  assert.ok(found.orderDetails?.aoi)
  assert.equal(found.budgetId, org.project)
})

test('a quicklook has the format that is asked for', async () => {
  const { features } = await client.call('catalog.search', { host_name: 'open', limit: 1 })
  const path = `/catalog/open/image/${features[0]!.id}/quicklook`
  const formatOf = async (query: string, accept: string | null) => {
    const response = await client.fetch(`${path}${query}`, accept === null ? {} : { headers: { accept } })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
    assert.equal(response.headers.get('content-type'), isJpeg ? 'image/jpeg' : 'image/png')
    return isJpeg ? 'jpeg' : 'png'
  }
  assert.equal(await formatOf('', '*/*'), 'jpeg')
  assert.equal(await formatOf('', 'image/png'), 'png')
  assert.equal(await formatOf('', 'image/jpeg'), 'jpeg')
  assert.equal(await formatOf('?format=png', '*/*'), 'png')
  assert.equal((await client.fetch(`${path}?format=gif`)).status, 422)
})

test('a deleted collection leaves its items, each with an event', async () => {
  const path = `/v2/assets/stac/collections/${item.collection}`
  const stranger = (await createTestOrganization(app, 0)).owner.client
  assert.equal((await request('DELETE', path, undefined, stranger)).status, 404)
  assert.equal((await request('DELETE', path)).status, 204)
  assert.equal((await request('GET', path)).status, 404)
  const item_id = item.properties['service:item_id'] as string
  const { item: left } = await client.call('items.get', { item_id })
  assert.equal(left.collection_id, null)
  const { events } = await client.call('events.list', { entity_id: item_id } as never)
  const moved = events.find(
    ({ event_type, data }) =>
      event_type === 'item.updated' && 'changed' in data && JSON.stringify(data['changed']) === '["collection_id"]',
  )
  assert.ok(moved, JSON.stringify(events))
})
