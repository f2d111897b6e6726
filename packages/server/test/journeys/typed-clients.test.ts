import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorld, type World } from '../contract/world.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
let world: World
before(async () => {
  house = await bootHouse()
  world = await makeWorld(house)
})
after(() => house?.close())

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

const post = (path: string, input: unknown): Promise<Response> =>
  world.client.fetch(path, { method: 'POST', body: JSON.stringify(input) })

test('null in an optional member equals an absent member, on canonical routes', async () => {
  const rows: readonly [operation: string, input: object, status: number][] = [
    ['catalog.search', { host_name: 'open', limit: 2, query: null }, 200],
    ['items.search', { project_id: world.project, sortby: null, limit: null }, 200],
    ['items.search_org', { sortby: null, offset: null }, 200],
    ['stac.search', { sortby: null, limit: null }, 200],
    // Declared, and not implemented yet.
    ['catalog.federated_search', { query: null }, 501],
    ['alerts.update_rule', { rule_id: id, band_mapping: null }, 501],
    ['event_subscriptions.update', { subscription_id: id, headers: null }, 501],
    ['orders.estimate', { dataProduct: 'example', featureCollection: {} }, 501],
    ['orders.estimate', { dataProduct: 'example', featureCollection: null }, 501],
    ['orders.tasking.feasibility_check', { dataProduct: 'example', featureCollection: {} }, 501],
  ]
  for (const [operation, input, status] of rows) {
    const answer = await post(`/v1/op/${operation}`, input)
    assert.equal(answer.status, status, `${operation}: ${await answer.clone().text()}`)
    if (status !== 200) continue
    const kept = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    const without = await post(`/v1/op/${operation}`, kept)
    assert.deepEqual(await answer.json(), await without.json(), operation)
  }
})

test('null in an optional member equals an absent member on the other routes', async () => {
  const rows: readonly [path: string, input: object][] = [
    ['/assets/stac/aggregate', { query: null, aggregations: null }],
    ['/assets/stac/search', { sortby: null, limit: null }],
    ['/v1/items/search_org', { sortby: null }],
  ]
  for (const [path, input] of rows) {
    const answer = await post(path, input)
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
  }
})

test('null for fields returns 400 on the STAC search route, as stac-api-validator requires', async () => {
  assert.equal((await post('/assets/stac/search', { fields: null })).status, 400)
})

test('a body of null equals an empty object', async () => {
  for (const path of ['/v1/op/projects.list', '/v1/billing/plans/list', '/assets/stac/search']) {
    const [answer, empty] = [await post(path, null), await post(path, {})]
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    assert.deepEqual(await answer.json(), await empty.json(), path)
  }
  // The path parameters remain.
  const { id: stac_id } = await world.client.call<{ id: string }>('items.get_stac', { item_id: world.item })
  const path = `/assets/stac/collections/${world.collection}/items/${encodeURIComponent(stac_id)}`
  const answer = await world.client.fetch(path, { method: 'PATCH', body: 'null' })
  assert.equal(answer.status, 204, await answer.clone().text())
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
  const [capture] = world.captures as { id: string; geometry: { coordinates: unknown } }[]
  const area = { type: 'MultiPolygon', coordinates: [capture!.geometry.coordinates] }
  const rows: readonly [operation: string, input: object, status: number][] = [
    ['orders.archive.estimate', { captures: [{ ...capture, geometry: area }] }, 200],
    ['catalog.search', { host_name: 'open', intersects: area }, 200],
    [
      'cog.statistics',
      { url: `${house.url}/api/v1/items/${world.item}/assets/${world.asset}`, geometry: area, bands: '1' },
      200,
    ],
    ['clip.create_from_item', { source_item_id: world.item, aoi_geometry: area }, 501],
    ['orders.tasking.estimate', { groups: [{ geometry: area }] }, 501],
    ['catalog.granule_points', { collection: 'a', href: 'b', bbox: [0, 0, 1, 1], clip_polygon: area }, 501],
  ]
  for (const [operation, input, status] of rows) {
    const answer = await post(`/v1/op/${operation}`, input)
    assert.equal(answer.status, status, `${operation}: ${await answer.clone().text()}`)
    if (operation === 'orders.archive.estimate') {
      const { errors } = (await answer.json()) as { errors: unknown[] }
      assert.deepEqual(errors, [])
    }
  }
})

test('a preflight request is allowed the headers that it requests', async () => {
  const asked = 'authorization,content-type,traceparent,x-stainless-lang'
  const preflight = async (headers: Record<string, string>, path = '/v1/op/items.get'): Promise<string | null> => {
    const answer = await fetch(`${house.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST', ...headers },
    })
    assert.equal(answer.status, 204)
    assert.match(answer.headers.get('vary') ?? '', /access-control-request-headers/i)
    return answer.headers.get('access-control-allow-headers')
  }
  for (const path of ['/v1/op/items.get', '/assets/stac/search', '/realms/public/protocol/openid-connect/token']) {
    assert.equal(await preflight({ 'access-control-request-headers': asked }, path), asked)
  }
  assert.match((await preflight({})) ?? '', /authorization/)
  assert.match((await preflight({ 'access-control-request-headers': '<no header>' })) ?? '', /^authorization/)
})
