import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { createContractFixtures, type ContractFixtures } from '../contract/fixtures.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
})
after(() => app?.close())

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

const post = (path: string, input: unknown): Promise<Response> =>
  fixtures.client.fetch(path, { method: 'POST', body: JSON.stringify(input) })

test('null in an optional member equals an absent member, on canonical routes', async () => {
  const rows: readonly [operation: string, input: object, status: number][] = [
    ['catalog.search', { host_name: 'open', limit: 2, query: null }, 200],
    ['items.search', { project_id: fixtures.project, sortby: null, limit: null }, 200],
    ['items.search_org', { sortby: null, offset: null }, 200],
    ['stac.search', { sortby: null, limit: null }, 200],
    ['orders.estimate', { ...fixtures.productOrder, tags: null, displayName: null }, 200],
    ['orders.estimate', { ...fixtures.productOrder, featureCollection: {} }, 422],
    ['orders.estimate', { ...fixtures.productOrder, featureCollection: null }, 422],
    ['alerts.update_rule', { rule_id: id, band_mapping: null }, 404],
    ['event_subscriptions.update', { subscription_id: id, headers: null }, 404],
    ['orders.tasking.feasibility_check', { dataProduct: 'example', featureCollection: {} }, 404],
  ]
  for (const [operation, input, status] of rows) {
    const response = await post(`/v1/op/${operation}`, input)
    assert.equal(response.status, status, `${operation}: ${await response.clone().text()}`)
    if (status !== 200) continue
    const nonNullInput = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    const responseWithoutNulls = await post(`/v1/op/${operation}`, nonNullInput)
    assert.deepEqual(await response.json(), await responseWithoutNulls.json(), operation)
  }
})

test('null in an optional member equals an absent member on the other routes', async () => {
  const rows: readonly [path: string, input: object][] = [
    ['/assets/stac/aggregate', { query: null, aggregations: null }],
    ['/assets/stac/search', { sortby: null, limit: null }],
    ['/v1/items/search_org', { sortby: null }],
  ]
  for (const [path, input] of rows) {
    const response = await post(path, input)
    assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`)
  }
})

test('null for fields returns 400 on the STAC search route, as stac-api-validator requires', async () => {
  assert.equal((await post('/assets/stac/search', { fields: null })).status, 400)
})

test('a body of null is no object', async () => {
  for (const [path, status] of [
    ['/v1/op/projects.list', 422],
    ['/v1/billing/plans/list', 422],
    ['/assets/stac/search', 400],
  ] as const)
    assert.deepEqual([(await post(path, null)).status, (await post(path, {})).status], [status, 200], path)
  const { id: stac_id } = await fixtures.client.call<{ id: string }>('items.get_stac', { item_id: fixtures.item })
  const path = `/assets/stac/collections/${fixtures.collection}/items/${encodeURIComponent(stac_id)}`
  const response = await fixtures.client.fetch(path, { method: 'PATCH', body: 'null' })
  assert.equal(response.status, 400, await response.clone().text())
})

test('null in a required member returns 422', async () => {
  for (const [operation, input] of [
    ['items.get', { item_id: null }],
    ['catalog.search', { host_name: null }],
  ] as const) {
    assert.equal((await post(`/v1/op/${operation}`, input)).status, 422, operation)
  }
})

test('areas accept a MultiPolygon', async () => {
  const [capture] = fixtures.captures as { id: string; geometry: { coordinates: unknown } }[]
  const area = { type: 'MultiPolygon', coordinates: [capture!.geometry.coordinates] }
  const rows: readonly [operation: string, input: object, status: number][] = [
    ['orders.archive.estimate', { captures: [{ ...capture, geometry: area }] }, 200],
    ['catalog.search', { host_name: 'open', intersects: area }, 200],
    [
      'cog.statistics',
      { url: `${app.url}/api/v1/items/${fixtures.item}/assets/${fixtures.asset}`, geometry: area, bands: '1' },
      200,
    ],
    ['clip.create_from_item', { source_item_id: fixtures.item, aoi_geometry: area }, 200],
    ['orders.tasking.estimate', { groups: [{ geometry: area }] }, 200],
    ['catalog.granule_points', { collection: 'a', href: 'b', bbox: [0, 0, 1, 1], clip_polygon: area }, 404],
  ]
  for (const [operation, input, status] of rows) {
    const response = await post(`/v1/op/${operation}`, input)
    assert.equal(response.status, status, `${operation}: ${await response.clone().text()}`)
    if (operation === 'orders.archive.estimate') {
      const { errors } = (await response.json()) as { errors: unknown[] }
      assert.deepEqual(errors, [])
    }
  }
})

test('a preflight request is allowed the headers that it requests', async () => {
  const requestedHeaders = 'authorization,content-type,traceparent,x-stainless-lang'
  const sendPreflight = async (headers: Record<string, string>, path = '/v1/op/items.get'): Promise<string | null> => {
    const response = await fetch(`${app.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST', ...headers },
    })
    assert.equal(response.status, 204)
    assert.match(response.headers.get('vary') ?? '', /access-control-request-headers/i)
    return response.headers.get('access-control-allow-headers')
  }
  for (const path of ['/v1/op/items.get', '/assets/stac/search', '/realms/public/protocol/openid-connect/token']) {
    assert.equal(await sendPreflight({ 'access-control-request-headers': requestedHeaders }, path), requestedHeaders)
  }
  assert.match((await sendPreflight({})) ?? '', /authorization/)
  assert.match((await sendPreflight({ 'access-control-request-headers': '<no header>' })) ?? '', /^authorization/)
})
