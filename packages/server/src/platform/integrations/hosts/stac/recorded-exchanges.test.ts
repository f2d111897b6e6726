import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test, type TestContext } from 'node:test'
import { startTestServer, type TestServer } from '../../../../../test/hosts/stac-server.ts'
import type { ImageryHost } from '../../imagery-host.ts'
import { createSafeFetch } from '../../safe-fetch.ts'
import { knownStacHosts } from '../known-hosts.ts'
import { asArray, asObject, readStacItem } from '../stac-item.ts'
import { describeStacApi } from './describe-api.ts'
import { createStacClient, type StacClient } from './stac-client.ts'
import { createStacHost } from './stac-host.ts'

interface Exchange {
  readonly request: {
    readonly method: 'GET' | 'POST'
    readonly uri: string
    readonly body: Record<string, unknown> | null
  }
  readonly response: { readonly status: number; readonly body: unknown }
}

const folder = new URL('../../../../../../../fixtures/stac/api-exchanges/', import.meta.url)
const readExchange = async (name: string): Promise<Exchange> =>
  JSON.parse(await readFile(new URL(`${name}.json`, folder), 'utf8')) as Exchange

const emptyPage = { type: 'FeatureCollection', features: [], links: [] }

/**
 * Responds on this machine as the recorded servers did, with links to itself. A recorded search is the first page; the page
 * after it is empty, and so is the list of collections.
 */
async function serveExchanges(t: TestContext, names: readonly string[], landing: unknown = null): Promise<TestServer> {
  const waiting = new Set(await Promise.all(names.map(readExchange)))
  const server = await startTestServer(({ method, path }, url) => {
    const exchange = [...waiting].find(
      ({ request }) => request.method === method && new URL(request.uri).pathname === path,
    )
    if (!exchange)
      return {
        body: path.endsWith('/collections') ? { collections: [] } : path === '/' && landing ? landing : emptyPage,
      }
    if (method === 'POST') waiting.delete(exchange)
    const { origin } = new URL(exchange.request.uri)
    const { status, body } = exchange.response
    return { status, body: JSON.stringify(body).replaceAll(origin, url) }
  })
  t.after(() => server.close())
  return server
}

/** The URL of the recorded request on the local server. */
const localUrl = async ({ url }: TestServer, name: string): Promise<string> =>
  `${url}${new URL((await readExchange(name)).request.uri).pathname}`

const fetchOf = (outside_allow: readonly string[]) =>
  createSafeFetch({
    config: { outside_allow: [...outside_allow], outside_timeout_ms: 5000, outside_limit_bytes: 2 ** 24 },
  })

const openClient = ({ url }: TestServer): StacClient =>
  createStacClient({
    fetch: fetchOf([url]),
    sign: async (request) => request,
    max_response_bytes: 2 ** 24,
    request_timeout_ms: 5000,
    backoff_ms: 1,
  })

const openHost = (url: string): ImageryHost =>
  createStacHost(
    { ...knownStacHosts['earth-search'], collections: null, url, name: 'recorded', allow_private: true },
    { clock: { now: () => new Date('2026-01-01T00:00:00Z') }, token: null, createFetch: fetchOf },
  )

test('the search capabilities of public APIs are read from their landing pages', async (t) => {
  const expected = [
    ['earth-search-v1-landing', '/v1/search', true, true, 'query'],
    ['eoapi-landing', '/search', true, true, 'query'],
    ['pc-landing', '/api/stac/v1/search', true, true, 'query'],
    ['fedeo-landing', '/search', true, true, 'cql2'],
    ['geoserver-landing', '/geoserver/ogc/stac/v1/search?f=application%2Fgeo%2Bjson', true, true, null],
    ['sage-landing', '/search', null, null, null],
  ] as const
  for (const [name, search, canPost, canSort, filter] of expected) {
    const server = await serveExchanges(t, [name])
    const { capabilities } = await describeStacApi(openClient(server), await localUrl(server, name))
    assert.equal(capabilities.search_url, `${server.url}${search}`, name)
    if (canPost === null) continue
    assert.deepEqual(capabilities, { search_url: `${server.url}${search}`, canPost, canSort, filter }, name)
  }
})

test('a link to something other than JSON is not the search, whatever its place', async (t) => {
  const links = [
    { rel: 'search', href: 'https://example.com/opensearch', type: 'application/opensearchdescription+xml' },
    { rel: 'search', href: 'https://example.com/page', type: 'text/html' },
    { rel: 'search', href: 'https://example.com/items', type: 'application/geo+json' },
  ]
  const server = await serveExchanges(t, [], { conformsTo: [], links })
  const { capabilities } = await describeStacApi(openClient(server), `${server.url}/`)
  assert.equal(capabilities.search_url, 'https://example.com/items')
})

test('hosts with the landing pages of public APIs are searched by their capabilities', async (t) => {
  for (const name of ['earth-search-v1-landing', 'eoapi-landing', 'pc-landing']) {
    const server = await serveExchanges(t, [name])
    const query = { 'eo:cloud_cover': { LTE: 20 } }
    assert.deepEqual(await openHost(await localUrl(server, name)).search({ limit: 5, query }), [], name)
    const { method, path, body } = server.requests.at(-1)!
    assert.equal(method, 'POST', name)
    assert.match(path, /\/search$/, name)
    assert.deepEqual(body?.['query'], { 'eo:cloud_cover': { lte: 20 } }, name)
    assert.ok(Array.isArray(body?.['sortby']), name)
  }
})

test('recorded searches return all their items, newest first, and the next page is requested', async (t) => {
  const expected = [
    ['eoapi-search', 'token'],
    ['earth-search-v0-search', 'page'],
  ] as const
  for (const [name, parameter] of expected) {
    const { request, response } = await readExchange(name)
    const path = new URL(request.uri).pathname
    const landing = { conformsTo: ['item-search#sort'], links: [{ rel: 'search', href: path, method: 'POST' }] }
    const server = await serveExchanges(t, [name], landing)
    const scenes = await openHost(server.url).search({ limit: 100 })
    const features = asArray(asObject(response.body)['features']).map(asObject)
    assert.deepEqual(scenes.map(({ id }) => id).toSorted(), features.map(({ id }) => id).toSorted(), name)
    const times = scenes.map(({ datetime }) => Date.parse(datetime))
    assert.deepEqual(
      times,
      times.toSorted((left, right) => right - left),
      name,
    )
    const last = server.requests.at(-1)!
    assert.deepEqual([last.method, last.path], ['POST', path], name)
    assert.ok(last.body?.[parameter] !== undefined, name)
  }
})

test('a recorded 404 is an error with its status', async (t) => {
  for (const name of ['pc-item-404', 'earth-search-v1-collection-404']) {
    const server = await serveExchanges(t, [name])
    await assert.rejects(describeStacApi(openClient(server), await localUrl(server, name)), { status: 404 })
  }
})

test('items of public catalogues are read with their bands and files', async () => {
  const text = await readFile(new URL('../features.ndjson', folder), 'utf8')
  const features = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const items = features.map(readStacItem)
  for (const item of items) {
    if (item) assert.equal(new Date(item.scene.datetime).toISOString(), item.scene.datetime)
  }
  assert.ok(items.filter((item) => item !== null).length > features.length * 0.7)
})
