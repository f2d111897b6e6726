import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { problems } from '@swath/contract/problems.ts'
import { findOperation, registry } from '@swath/contract/registry.ts'
import type { StacCatalog } from '@swath/contract/shapes/stac.ts'
import { routes, type Route } from '@swath/contract/routes.ts'
import { contractVersion } from '@swath/contract/version.ts'
import { reads } from '../contract/examples/reads.ts'
import { writes } from '../contract/examples/writes.ts'
import { makeWorld, type World } from '../contract/world.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
let world: World
before(async () => {
  house = await bootHouse()
  world = await makeWorld(house)
})
after(() => house?.close())

/** Tested by `stac-api.test.ts`. */
const changing = /^stac\.items\.(create|replace|update|delete)$/
const answered = routes.filter(({ operation }) => findOperation(operation)?.answered && !changing.test(operation))

/** The example input of the operation, and the path and query of the route with the same meaning. */
function addressOf(route: Route): { path: string; input: Record<string, unknown> } {
  const input: Record<string, unknown> = { ...(reads[route.operation] ?? writes[route.operation]!)(world) }
  const used = new Set<string>()
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const field = route.rename?.[name] ?? name
    used.add(field)
    return encodeURIComponent(String(input[field]))
  })
  const rest = Object.entries(input).filter(([name]) => !used.has(name))
  const textOf = (value: unknown): string =>
    typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value)
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, textOf(value)]))
  return { path: query.size > 0 ? `${path}?${query}` : path, input }
}

const postOf = (input: object): RequestInit => ({ method: 'POST', body: JSON.stringify(input) })

const canonical = (route: Route, input: object): Promise<Response> =>
  world.client.fetch(`/v1/op/${route.operation}`, postOf(input))

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())

test('every route of the contract returns the response of its operation', async () => {
  assert.ok(answered.length > 15)
  for (const route of answered) {
    const { path, input } = addressOf(route)
    // Defaults of the route that differ from those of the operation.
    const usual = Object.entries(route.query ?? {}).map(([name, range]) => [name, range.default] as const)
    const fixed = Object.entries(route.fixed ?? {}).map(
      ([name, value]) => [name, typeof value === 'string' ? value.replace('{base}', house.url) : value] as const,
    )
    const meant = { ...Object.fromEntries(usual), ...input, ...Object.fromEntries(fixed) }
    const asked = route.method === 'GET' ? { redirect: 'manual' as const } : postOf(input)
    const at = route.method === 'GET' ? path : route.path
    const [there, here] = [await world.client.fetch(at, asked), await canonical(route, meant)]
    for (const name of ['deprecation', 'sunset', 'link'])
      assert.equal(there.headers.has(name), route.successor !== undefined, `${route.path} ${name}`)
    if (route.shape === 'redirect') {
      assert.equal(there.status, 302, route.path)
      assert.equal(there.headers.get('cache-control'), 'no-store')
      const { size_bytes } = (await here.json()) as { size_bytes: number }
      assert.equal((await bytesOf(await fetch(there.headers.get('location')!))).length, size_bytes)
      continue
    }
    const [left, right] = [await bytesOf(there), await bytesOf(here)]
    assert.equal(there.status, 200, `${path}: ${left.toString().slice(0, 300)}`)
    const settled = (text: Buffer): string => text.toString('latin1').replaceAll(/"url":"[^"]*"/g, '')
    assert.equal(settled(left), settled(right), route.path)
    const type = there.headers.get('content-type') ?? ''
    if (route.shape === 'geojson') assert.match(type, /^application\/geo\+json/)
    else assert.equal(type, here.headers.get('content-type'), route.path)
  }
})

test('routes of operations that are not implemented return 501 or 422', async () => {
  const others = routes.filter((route) => !answered.includes(route) && route.method === 'GET')
  for (const route of others) {
    const path = route.path.replaceAll(/\{\w+\}/g, world.item)
    const response = await world.client.fetch(path)
    assert.ok([501, 422].includes(response.status), `${path}: ${response.status}`)
    assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  }
})

test('every route returns 401 without a token, and 403 with the required scope of its operation', async () => {
  const { key } = await world.client.call('api_keys.create', { name: 'x', permissions: ['eulas:write'] })
  for (const route of answered.filter(({ operation }) => !findOperation(operation)!.public)) {
    const { path } = addressOf(route)
    assert.equal((await fetch(`${house.url}${path}`, { redirect: 'manual' })).status, 401, path)
    const response = await fetch(`${house.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'manual',
    })
    assert.equal(response.status, 403, path)
    assert.equal(
      ((await response.json()) as Record<string, unknown>)['required_scope'],
      findOperation(route.operation)!.scope,
    )
  }
})

test('an API key is accepted in the x-api-key header', async () => {
  const { key } = await world.client.call('api_keys.create', { name: 'x', permissions: ['can_read'] })
  const response = await fetch(`${house.url}/api/v1/items/${world.item}`, { headers: { 'x-api-key': key } })
  assert.equal(response.status, 200)
})

test('routes have their own page size defaults and limits', async () => {
  const limitOf = async (path: string): Promise<number> => {
    const response = await world.client.fetch(path)
    assert.equal(response.status, 200, path)
    return ((await response.json()) as { limit: number }).limit
  }
  assert.equal(await limitOf('/api/v1/projects'), 50)
  assert.equal(await limitOf('/api/v1/projects?limit=200'), 200)
  assert.equal(await limitOf(`/api/v1/projects/${world.project}/items`), 100)
  for (const path of [
    '/api/v1/projects?limit=201',
    '/api/v1/projects?limit=0',
    '/api/v1/projects?limit=many',
    `/api/v1/projects/${world.project}/items?limit=1001`,
    '/api/v1/projects?surprise=1',
  ]) {
    const response = await world.client.fetch(path)
    assert.equal(response.status, 422, path)
    const { errors, detail } = (await response.json()) as { errors: unknown[]; detail: { loc: string[] }[] }
    assert.ok(errors.length > 0 && detail.every(({ loc }) => loc[0] === 'query'), path)
  }
})

test('an invalid query parameter returns 422', async () => {
  for (const path of [
    '/v1/items/search?project_id=x',
    `/v1/items/search?project_id=${world.project}&bbox=1,2,3`,
    `/v1/items/search?project_id=${world.project}&query={"a":`,
    `/v1/items/search?project_id=${world.project}&limit=`,
    '/v1/catalog/search?host_name=open&full_catalog=perhaps',
    '/v1/catalog/search?host_name=a%00b',
  ]) {
    const response = await world.client.fetch(path)
    assert.equal(response.status, 422, path)
  }
  const found = await world.client.fetch('/v1/catalog/search?host_name=open&ids=l8-elkton&ids=s2-bolzano-20220612')
  assert.equal(((await found.json()) as { numberReturned: number }).numberReturned, 2)
})

test('an invalid id returns 404 where a standard requires it, after authentication', async () => {
  const stac = '/assets/stac/collections/none'
  const beside = `/api/v1/items/${world.item}/assets/${world.item}.aux.xml`
  for (const path of [stac, `${stac}/items`, `${stac}/queryables`, `${stac}/items/x`, `/v2${stac}`, beside]) {
    const response = await world.client.fetch(path)
    assert.equal(response.status, 404, path)
    assert.match(((await response.json()) as { type: string }).type, /not-found$/)
    assert.equal((await fetch(`${house.url}${path}`)).status, 401, path)
  }
  assert.equal((await world.client.fetch('/api/v1/items/none')).status, 422)
})

test('every route to an asset returns the bytes of its checksum', async () => {
  const { assets } = await world.client.call('items.list_assets', { item_id: world.item })
  for (const asset of assets) {
    for (const way of ['', '/download']) {
      const response = await world.client.fetch(`/api/v1/items/${world.item}/assets/${asset.id}${way}`)
      const hash = createHash('sha256')
        .update(await bytesOf(response))
        .digest('hex')
      assert.equal(`1220${hash}`, asset.checksum, `${asset.key}${way}`)
    }
    assert.equal(asset.href, `${house.url}/api/v1/items/${world.item}/assets/${asset.id}`)
  }
})

test('the documentation needs no token and loads nothing from other hosts', async () => {
  const at = (path: string): Promise<Response> => fetch(`${house.url}${path}`, { redirect: 'manual' })
  const root = await at('/')
  assert.equal(root.status, 302)
  assert.equal(root.headers.get('location'), '/docs')
  const docs = await (await at('/docs')).text()
  for (const { id } of registry) assert.ok(docs.includes(`id="${id}"`), id)
  assert.doesNotMatch(docs, /<script|https?:\/\/(?!127\.0\.0\.1)|@import|url\(/)

  const openapi = (await (await at('/openapi.json')).json()) as {
    openapi: string
    info: { version: string }
    paths: object
    servers: { url: string }[]
  }
  assert.match(openapi.openapi, /^3\.1/)
  assert.equal(openapi.info.version, contractVersion)
  assert.equal(Object.keys(openapi.paths).length, registry.length)
  assert.deepEqual(openapi.servers, [{ url: house.url }])

  // A STAC client requests it with the media type of its link.
  const { links } = await world.client.call<StacCatalog>('stac.landing')
  const { href, type = '' } = links.find(({ rel }) => rel === 'service-desc')!
  const described = await fetch(href, { headers: { accept: type } })
  assert.equal(described.headers.get('content-type')?.split(';')[0], type.split(';')[0])
  assert.match((await at('/openapi.json')).headers.get('content-type') ?? '', /^application\/json/)

  for (const [name, row] of Object.entries(problems)) {
    const response = await at(`/problems/${name}`)
    assert.equal(response.status, 200, name)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.ok((await response.text()).includes(String(row.status)), name)
  }
  assert.equal((await at('/problems/toString')).status, 404)
})

test('health checks return ok and metrics are in the Prometheus format', async () => {
  assert.deepEqual(await (await fetch(`${house.url}/healthz`)).json(), { status: 'ok' })
  assert.deepEqual(await (await fetch(`${house.url}/readyz`)).json(), { status: 'ready' })
  const metrics = await fetch(`${house.url}/metrics`)
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = await metrics.text()
  assert.match(text, /items\.get/)
  assert.ok(
    text
      .split('\n')
      .every((line) => line === '' || /^(# (HELP|TYPE) |[a-z_]+(\{[^}]*\})? [-+0-9.eInfNa]+$)/.test(line)),
  )
})

test('CORS allows every origin, and every response has its own request id', async () => {
  const preflight = await fetch(`${house.url}/v1/op/items.get`, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.org' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
  const page = await fetch(`${house.url}/healthz`, { headers: { origin: 'https://example.org' } })
  assert.match(page.headers.get('access-control-expose-headers') ?? '', /idempotency-replayed/)
  const ids = new Set<string | null>()
  for (let times = 0; times < 3; times++) ids.add((await fetch(`${house.url}/healthz`)).headers.get('x-request-id'))
  assert.ok(ids.size === 3 && !ids.has(null))
})
