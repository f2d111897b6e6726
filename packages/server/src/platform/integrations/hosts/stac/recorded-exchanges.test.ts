import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { asObject, readStacItem } from '../stac-item.ts'
import { describeApi } from './describe-api.ts'
import { findNextPage } from './next-page.ts'
import { readPages } from './read-pages.ts'
import { HostApiError } from '../json-exchange.ts'
import type { StacClient, StacRequest } from './stac-client.ts'

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

/** Gives the recorded answer to the recorded request, and records what else is asked. */
function playBack({ response }: Exchange, requests: StacRequest[] = []): StacClient {
  return {
    async request(request) {
      requests.push(request)
      if (requests.length > 1) return { type: 'FeatureCollection', features: [] }
      if (response.status !== 200) throw new HostApiError(response.status, 'recorded')
      return response.body
    },
  }
}

test('landing pages of public APIs say how they are searched', async () => {
  const expected = [
    ['earth-search-v1-landing', 'https://earth-search.aws.element84.com/v1/search', true, true, 'query'],
    ['eoapi-landing', 'https://stac.eoapi.dev/search', true, true, 'query'],
    ['pc-landing', 'https://planetarycomputer.microsoft.com/api/stac/v1/search', true, true, 'query'],
    ['sage-landing', null, null, null, null],
  ] as const
  for (const [name, search_url, canPost, canSort, filter] of expected) {
    const exchange = await readExchange(name)
    const { capabilities } = await describeApi(playBack(exchange), exchange.request.uri)
    if (search_url === null) assert.ok(capabilities.search_url.endsWith('/search'), name)
    else assert.deepEqual(capabilities, { search_url, canPost, canSort, filter }, name)
  }
})

test('recorded searches give all their items, and the page after them', async () => {
  const expected = [
    ['eoapi-search', 'POST', 'https://stac.eoapi.dev/search', 'token'],
    ['earth-search-v0-search', 'POST', 'https://earth-search.aws.element84.com/v0/search', 'page'],
  ] as const
  for (const [name, method, url, parameter] of expected) {
    const exchange = await readExchange(name)
    const { uri, body } = exchange.request
    const request = { method: 'POST' as const, url: uri, body: body ?? {} }
    const document = asObject(exchange.response.body)
    const requests: StacRequest[] = []
    let count = 0
    for await (const page of readPages(playBack(exchange, requests), request, { max_pages: 5 })) count += page.length
    assert.equal(count, (document['features'] as unknown[]).length, name)
    assert.deepEqual([requests[1]?.method, requests[1]?.url], [method, url], name)
    assert.ok(requests[1]?.body?.[parameter] !== undefined, name)
    assert.deepEqual(findNextPage(request, document), requests[1])
  }
})

test('a recorded 404 is an error with its status', async () => {
  for (const name of ['pc-item-404', 'earth-search-v1-collection-404']) {
    const exchange = await readExchange(name)
    await assert.rejects(describeApi(playBack(exchange), exchange.request.uri), { status: 404 })
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
