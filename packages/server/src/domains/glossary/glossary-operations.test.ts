import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { InputOf } from '@swath/client/operations.ts'
import { createFaultyHost } from '../../../test/hosts/faulty-host.ts'
import { findCaptures } from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization } from '../../../test/test-organizations.ts'

let app: TestApp
let client: Client
before(async () => {
  const silent = { ...(await createFaultyHost('silent', { catalog: 'fail' })), collections: [] }
  app = await startTestApp({ hosts: [silent] })
  client = (await createTestOrganization(app, 0)).owner.client
})
after(() => app?.close())

const naip = async () =>
  (await client.call('glossary.data_products.get', { data_product_name: 'commercial:naip' })).data_product

test('every collection of the sources is in the glossary with a product of each source', async () => {
  const { sources } = await client.call('catalog.sources.list', {})
  const listed = sources.flatMap(({ id, collections }) => collections.map((collection) => `${id}:${collection.id}`))
  const { content, totalElements } = await client.call('glossary.collections.list', { size: 100 })
  const named = content.flatMap(({ dataProducts }) => dataProducts.map(({ name }) => name))
  assert.deepEqual(named.toSorted(), listed.toSorted())
  assert.equal(totalElements, content.length)
  const products = await client.call('glossary.data_products.list', { size: 100 })
  assert.deepEqual(products.content.map(({ name }) => name).toSorted(), listed.toSorted())
})

test('the price and the licences of a product are those of its scenes', async () => {
  const [capture] = await findCaptures(client, 'commercial', ['naip-va-17n'])
  const { lines } = await client.call('orders.archive.estimate', { captures: [capture as never] })
  const product = await naip()
  assert.equal(lines[0]!.minimum_km2, product.price!.minimum_km2)
  assert.deepEqual(lines[0]!.licences, product.licences)
  const charged_km2 = Math.max(lines[0]!.area_km2, product.price!.minimum_km2)
  assert.equal(lines[0]!.credits, Math.ceil(charged_km2 * product.price!.rate_credits))
})

test('collections are filtered by type and by every named integration', async () => {
  const count = async (filter: Partial<InputOf<'glossary.collections.list'>>) =>
    (await client.call('glossary.collections.list', filter)).totalElements
  const all = await count({})
  assert.ok(all >= 6)
  const archive = await count({ type: 'archive' })
  assert.equal(await count({ type: 'TASKING' }), 4)
  assert.equal(archive, all - 4)
  assert.equal(await count({ integrations: 'SEARCH_AVAILABLE, QUICKLOOK_AVAILABLE' }), archive)
  assert.equal(await count({ integrations: 'SEARCH_AVAILABLE,QUOTATION_REQUIRED' }), 0)
})

test('pages of collections have each collection once, in the requested order', async () => {
  const names: string[] = []
  for (let page = 0; ; page++) {
    const { content, last, totalPages } = await client.call('glossary.collections.list', {
      sort: 'name,desc',
      size: 4,
      page,
    })
    names.push(...content.map(({ name }) => name))
    if (!last) continue
    assert.equal(page, totalPages - 1)
    break
  }
  assert.deepEqual(names, [...new Set(names)].toSorted().toReversed())
})

test('products are found by id, in any case of its letters', async () => {
  const { id } = await naip()
  const { content } = await client.call('glossary.data_products.list', { dataProductId: id.toUpperCase() })
  assert.deepEqual(
    content.map(({ name }) => name),
    ['commercial:naip'],
  )
})

test('providers are filtered by role, and hosts that do not respond are among them', async () => {
  const namesOf = async (role: string) =>
    (await client.call('glossary.providers.list', { role, sort: 'name,asc' })).content.map(({ name }) => name)
  assert.deepEqual(await namesOf('host'), ['commercial', 'constellation', 'open', 'silent'])
  assert.deepEqual(
    (await namesOf('PRODUCER')).filter((name) => /Copernicus|USDA|USGS/.test(name)),
    ['ESA / Copernicus', 'USDA Farm Service Agency', 'USGS'],
  )
  const { provider } = await client.call('glossary.providers.get', { provider_name: 'USGS' })
  assert.deepEqual(provider.roles, ['PRODUCER'])
})

test('vendors and providers of the catalogue are the hosts with products', async () => {
  const { vendors, total } = await client.call('catalog.vendors.list', {})
  const { providers } = await client.call('catalog.providers.list', {})
  assert.deepEqual(vendors.map(({ id }) => id).toSorted(), ['commercial', 'constellation', 'open'])
  assert.equal(total, 3)
  assert.deepEqual(providers, vendors)
  assert.deepEqual(vendors.find(({ id }) => id === 'commercial')!.products, [(await naip()).id])
})

test('unknown names are not found', async () => {
  const isNotFound = { problem: 'not-found' }
  await assert.rejects(client.call('glossary.collections.get', { collection_name: 'naip2' }), isNotFound)
  await assert.rejects(client.call('glossary.data_products.get', { data_product_name: 'naip' }), isNotFound)
  await assert.rejects(client.call('glossary.providers.get', { provider_name: 'usgs' }), isNotFound)
})

interface CollectionsPage {
  readonly totalPages: number
  readonly content: readonly { name: string; providers: readonly object[]; metadata: { resolutionValue?: object } }[]
}

test('GET /collections and its deprecated alias under /v2 have only the members that strict clients accept', async () => {
  const response = await client.fetch('/collections?sort=name,asc&page=0')
  const alias = await client.fetch('/v2/collections?sort=name,asc&page=0')
  assert.equal(response.headers.get('deprecation'), null)
  assert.ok(alias.headers.get('deprecation') && !alias.headers.has('sunset'))
  const page = (await alias.json()) as CollectionsPage
  assert.deepEqual(page, await response.json())
  assert.ok(page.totalPages >= 1)
  for (const { providers, metadata } of page.content) {
    assert.ok(providers.length > 0)
    for (const provider of providers)
      assert.deepEqual(Object.keys(provider).toSorted(), ['description', 'name', 'roles', 'title'])
    assert.deepEqual(Object.keys(metadata.resolutionValue ?? { minimum: 1 }), ['minimum'])
  }
  const beyond = (await (await client.fetch('/v2/collections?page=99')).json()) as CollectionsPage
  assert.deepEqual([beyond.content, beyond.totalPages >= 1], [[], true])
})
