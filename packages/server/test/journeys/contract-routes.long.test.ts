import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { problems } from '@swath/contract/problems.ts'
import { findOperation, operationRegistry } from '@swath/contract/registry.ts'
import type { StacCatalog } from '@swath/contract/schemas/stac.ts'
import { contractRoutes, type ContractRoute } from '@swath/contract/routes.ts'
import { contractVersion } from '@swath/contract/version.ts'
import { readExamples } from '../contract/examples/reads.ts'
import { writeExamples } from '../contract/examples/writes.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { createContractFixtures, type ContractFixtures } from '../contract/fixtures.ts'
import { listTestFiles } from '../contract/test-files.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
})
after(() => app?.close())

/** Operations whose routes have a body, headers and statuses of their own, with the test file that has them. */
const omittedOperations: Readonly<Record<string, string>> = {
  // Its response does not end.
  'events.stream': 'subscriptions.long.test.ts',
  'orders.tasking.feasibility_decide': 'tasking-orders.long.test.ts',
  'orders.tasking.quotation_decide': 'tasking-orders.long.test.ts',
  'stac.collections.delete': 'second-generation.long.test.ts',
  'stac.items.create': 'stac-api.long.test.ts',
  'stac.items.replace': 'stac-api.long.test.ts',
  'stac.items.update': 'stac-api.long.test.ts',
  'stac.items.delete': 'stac-api.long.test.ts',
}
/** Operations whose routes have another response than the operation, or whose example has an effect only once. */
const reshapedOperations: Readonly<Record<string, string>> = {
  'billing.credits.balance': 'second-generation.long.test.ts',
  'catalog.image.quicklook': 'second-generation.long.test.ts',
  'catalog.search': 'order-routes.long.test.ts',
  'catalog.stac.search': 'second-generation.long.test.ts',
  'items.bundles.download': 'second-generation.long.test.ts',
  'items.bundles.update': 'second-generation.long.test.ts',
  'glossary.providers.list': 'order-routes.long.test.ts',
  'orders.cancel': 'order-routes.long.test.ts',
  'orders.get': 'order-routes.long.test.ts',
  'orders.get_schema': 'order-routes.long.test.ts',
  'orders.list': 'order-routes.long.test.ts',
  'orders.place': 'order-routes.long.test.ts',
  'orders.tasking.feasibility_studies.list': 'tasking-orders.long.test.ts',
  'orders.tasking.quotations.list': 'tasking-orders.long.test.ts',
  'orders.update': 'order-routes.long.test.ts',
  'webhooks.create': 'workspace-webhooks.long.test.ts',
  'webhooks.delete': 'workspace-webhooks.long.test.ts',
  'webhooks.events.list': 'workspace-webhooks.long.test.ts',
  'webhooks.get': 'workspace-webhooks.long.test.ts',
  'webhooks.list': 'workspace-webhooks.long.test.ts',
  'webhooks.test': 'workspace-webhooks.long.test.ts',
  'webhooks.update': 'workspace-webhooks.long.test.ts',
}
const testedRoutes = contractRoutes.filter(({ operation }) => !Object.hasOwn(omittedOperations, operation))

test('an operation whose routes are omitted here names the file that tests them', async () => {
  const testFiles = await listTestFiles()
  for (const [id, file] of Object.entries({ ...omittedOperations, ...reshapedOperations })) {
    assert.ok(
      contractRoutes.some((route) => route.operation === id),
      `${id} has no route: remove its row`,
    )
    assert.ok(testFiles.has(file), `${id}: there is no test file ${file}`)
  }
})

/** The example input of the operation, and the path and query of the route with the same meaning. */
function buildRequest(route: ContractRoute): { path: string; input: Record<string, unknown> } {
  const input: Record<string, unknown> = {
    ...(readExamples[route.operation] ?? writeExamples[route.operation]!)(fixtures),
  }
  const used = new Set<string>()
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const field = route.rename?.[name] ?? name
    used.add(field)
    // Examples leave out what an operation does not require, and the path of a collection does.
    if (field === 'collection_id') input[field] ??= fixtures.collection
    return encodeURIComponent(String(input[field]))
  })
  const rest = Object.entries(input).filter(([name]) => !used.has(name))
  const toQueryText = (value: unknown): string =>
    typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value)
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, toQueryText(value)]))
  return { path: query.size > 0 ? `${path}?${query}` : path, input }
}

const postInit = (input: object): RequestInit => ({ method: 'POST', body: JSON.stringify(input) })

const callCanonical = (route: ContractRoute, input: object): Promise<Response> =>
  fixtures.client.fetch(`/v1/op/${route.operation}`, postInit(input))

const readBytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())

test('every route of the contract returns the response of its operation', async () => {
  assert.ok(testedRoutes.length > 15)
  for (const route of testedRoutes.filter(({ operation }) => !Object.hasOwn(reshapedOperations, operation))) {
    const { path, input } = buildRequest(route)
    // Defaults of the route that differ from those of the operation.
    const queryDefaults = Object.entries(route.query ?? {}).map(([name, range]) => [name, range.default] as const)
    const fixed = Object.entries(route.fixed ?? {}).map(
      ([name, value]) => [name, typeof value === 'string' ? value.replace('{base}', app.url) : value] as const,
    )
    const canonicalInput = { ...Object.fromEntries(queryDefaults), ...input, ...Object.fromEntries(fixed) }
    const requestInit = route.method === 'GET' ? { redirect: 'manual' as const } : postInit(input)
    const at = route.method === 'GET' ? path : route.path
    const [facadeResponse, canonicalResponse] = [
      await fixtures.client.fetch(at, requestInit),
      await callCanonical(route, canonicalInput),
    ]
    for (const name of ['deprecation', 'link'])
      assert.equal(facadeResponse.headers.has(name), route.successor !== undefined, `${route.path} ${name}`)
    if (route.representation === 'redirect') {
      assert.equal(facadeResponse.status, 302, route.path)
      assert.equal(facadeResponse.headers.get('cache-control'), 'no-store')
      const { size_bytes } = (await canonicalResponse.json()) as { size_bytes: number }
      assert.equal((await readBytes(await fetch(facadeResponse.headers.get('location')!))).length, size_bytes)
      continue
    }
    const [left, right] = [await readBytes(facadeResponse), await readBytes(canonicalResponse)]
    assert.equal(facadeResponse.status, 200, `${path}: ${left.toString().slice(0, 300)}`)
    const stripUrls = (text: Buffer): string => text.toString('latin1').replaceAll(/"url":"[^"]*"/g, '')
    assert.equal(stripUrls(left), stripUrls(right), route.path)
    const type = facadeResponse.headers.get('content-type') ?? ''
    if (route.representation === 'geojson') assert.match(type, /^application\/geo\+json/)
    else assert.equal(type, canonicalResponse.headers.get('content-type'), route.path)
  }
})

test('every route returns 401 without a token, and 403 with the required scope of its operation', async () => {
  const { key } = await fixtures.client.call('api_keys.create', { name: 'x', permissions: ['eulas:write'] })
  for (const route of testedRoutes.filter(({ operation }) => !findOperation(operation)!.public)) {
    const { path } = buildRequest(route)
    const { method } = route
    assert.equal((await fetch(`${app.url}${path}`, { method, redirect: 'manual' })).status, 401, path)
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      redirect: 'manual',
    })
    assert.equal(response.status, 403, path)
    const { scope } = findOperation(route.operation)!
    // The same for routes whose errors are XML.
    assert.ok(response.headers.get('www-authenticate')?.includes(`scope="${scope}"`), path)
    const text = await response.text()
    if (route.dialect === 'wmts') assert.match(text, /<ExceptionReport/)
    else assert.equal((JSON.parse(text) as Record<string, unknown>)['required_scope'], scope)
  }
})

test('an API key is accepted in the x-api-key header', async () => {
  const { key } = await fixtures.client.call('api_keys.create', { name: 'x', permissions: ['can_read'] })
  const response = await fetch(`${app.url}/api/v1/items/${fixtures.item}`, { headers: { 'x-api-key': key } })
  assert.equal(response.status, 200)
})

test('routes have their own page size defaults and limits', async () => {
  const readLimit = async (path: string): Promise<number> => {
    const response = await fixtures.client.fetch(path)
    assert.equal(response.status, 200, path)
    return ((await response.json()) as { limit: number }).limit
  }
  assert.equal(await readLimit('/api/v1/projects'), 50)
  assert.equal(await readLimit('/api/v1/projects?limit=200'), 200)
  assert.equal(await readLimit(`/api/v1/projects/${fixtures.project}/items`), 100)
  for (const path of [
    '/api/v1/projects?limit=201',
    '/api/v1/projects?limit=0',
    '/api/v1/projects?limit=many',
    `/api/v1/projects/${fixtures.project}/items?limit=1001`,
    '/api/v1/projects?surprise=1',
  ]) {
    const response = await fixtures.client.fetch(path)
    assert.equal(response.status, 422, path)
    const { errors, detail } = (await response.json()) as { errors: unknown[]; detail: { loc: string[] }[] }
    assert.ok(errors.length > 0 && detail.every(({ loc }) => loc[0] === 'query'), path)
  }
})

test('an invalid query parameter returns 422', async () => {
  for (const path of [
    '/v1/items/search?project_id=x',
    `/v1/items/search?project_id=${fixtures.project}&bbox=1,2,3`,
    `/v1/items/search?project_id=${fixtures.project}&query={"a":`,
    `/v1/items/search?project_id=${fixtures.project}&limit=`,
    '/v1/catalog/search?host_name=open&full_catalog=perhaps',
    '/v1/catalog/search?host_name=a%00b',
  ]) {
    const response = await fixtures.client.fetch(path)
    assert.equal(response.status, 422, path)
  }
  const searchResponse = await fixtures.client.fetch(
    '/v1/catalog/search?host_name=open&ids=l8-elkton&ids=s2-bolzano-20220612',
  )
  assert.equal(((await searchResponse.json()) as { numberReturned: number }).numberReturned, 2)
})

test('an invalid id returns 404 where a standard requires it, after authentication', async () => {
  const stac = '/assets/stac/collections/none'
  const auxPath = `/api/v1/items/${fixtures.item}/assets/${fixtures.item}.aux.xml`
  for (const path of [stac, `${stac}/items`, `${stac}/queryables`, `${stac}/items/x`, `/v2${stac}`, auxPath]) {
    const response = await fixtures.client.fetch(path)
    assert.equal(response.status, 404, path)
    assert.match(((await response.json()) as { type: string }).type, /not-found$/)
    assert.equal((await fetch(`${app.url}${path}`)).status, 401, path)
  }
  assert.equal((await fixtures.client.fetch('/api/v1/items/none')).status, 422)
})

test('every route to an asset returns the bytes of its checksum', async () => {
  const { assets } = await fixtures.client.call('items.list_assets', { item_id: fixtures.item })
  for (const asset of assets) {
    for (const suffix of ['', '/download']) {
      const response = await fixtures.client.fetch(`/api/v1/items/${fixtures.item}/assets/${asset.id}${suffix}`)
      const hash = createHash('sha256')
        .update(await readBytes(response))
        .digest('hex')
      assert.equal(`1220${hash}`, asset.checksum, `${asset.key}${suffix}`)
    }
    assert.equal(asset.href, `${app.url}/api/v1/items/${fixtures.item}/assets/${asset.id}`)
  }
})

test('the documentation needs no token and loads nothing from other hosts', async () => {
  const at = (path: string): Promise<Response> => fetch(`${app.url}${path}`, { redirect: 'manual' })
  const root = await at('/')
  // The console, where it has been built.
  if (root.status === 200) assert.match(await root.text(), /<script type="module"/)
  else assert.deepEqual([root.status, root.headers.get('location')], [302, '/docs'])
  const docs = await (await at('/docs')).text()
  for (const { id } of operationRegistry) assert.ok(docs.includes(`id="${id}"`), id)
  assert.doesNotMatch(docs, /<script|https?:\/\/(?!127\.0\.0\.1)|@import|url\(/)

  const readPage = async (name: string): Promise<string> => (await at(`/docs/reference/${name}`)).text()
  const schemas = await readPage('schemas')
  const linked = new Set<string>()
  for (const [name, operations] of Map.groupBy(operationRegistry, ({ id }) => id.split('.')[0] ?? '')) {
    const page = await readPage(name)
    for (const { id } of operations) assert.ok(page.includes(`<h2 id="${id}">`), id)
    assert.doesNotMatch(page, /<script|href="(?!\/)/)
    for (const [, schema = ''] of page.matchAll(/reference\/schemas#(\w+)/g)) linked.add(schema)
  }
  assert.ok(linked.size > 100)
  for (const name of linked) assert.ok(schemas.includes(`<h2 id="${name}">`), name)

  const openapi = (await (await at('/openapi.json')).json()) as {
    openapi: string
    info: { version: string }
    paths: object
    servers: { url: string }[]
  }
  assert.match(openapi.openapi, /^3\.1/)
  assert.equal(openapi.info.version, contractVersion)
  assert.equal(Object.keys(openapi.paths).length, operationRegistry.length)
  assert.deepEqual(openapi.servers, [{ url: app.url }])

  // A STAC client requests it with the media type of its link.
  const { links } = await fixtures.client.call<StacCatalog>('stac.landing')
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
  assert.deepEqual(await (await fetch(`${app.url}/healthz`)).json(), { status: 'ok' })
  assert.deepEqual(await (await fetch(`${app.url}/readyz`)).json(), { status: 'ready' })
  const metrics = await fetch(`${app.url}/metrics`)
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = await metrics.text()
  assert.match(text, /items\.get/)
  assert.ok(
    text
      .split('\n')
      .every((line) => line === '' || /^(# (HELP|TYPE) |[a-z0-9_]+(\{[^}]*\})? [-+0-9.eInfNa]+$)/.test(line)),
  )
})

test('CORS allows every origin, and every response has its own request id', async () => {
  const preflight = await fetch(`${app.url}/v1/op/items.get`, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.org' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
  const page = await fetch(`${app.url}/healthz`, { headers: { origin: 'https://example.org' } })
  assert.match(page.headers.get('access-control-expose-headers') ?? '', /idempotency-replayed/)
  const ids = new Set<string | null>()
  for (let times = 0; times < 3; times++) ids.add((await fetch(`${app.url}/healthz`)).headers.get('x-request-id'))
  assert.ok(ids.size === 3 && !ids.has(null))
})
