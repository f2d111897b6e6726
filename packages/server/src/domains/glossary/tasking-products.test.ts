import assert from 'node:assert/strict'
import { test } from 'node:test'
import { square } from '../../../test/geometries.ts'
import { waitForOrder } from '../../../test/orders.ts'
import { createdBodies, openHost } from '../../../test/hosts/stapi-host.ts'
import { opportunity, product, type ProviderPlan } from '../../../test/hosts/stapi-server.ts'
import { createTestOrganization } from '../../../test/test-organizations.ts'
import { immediateRetries, startTestApp } from '../../../test/test-app.ts'

/** A provider with one pass in every requested window: an hour after its start. */
const provider: ProviderPlan = {
  products: { optical: product('optical', { title: 'Optical', description: 'Images on order' }) },
  opportunities: ({ body }) => {
    const [begin] = String(body?.['datetime']).split('/')
    const from = new Date(Date.parse(begin!) + 3_600_000)
    const to = new Date(from.getTime() + 600_000)
    return { body: { features: [opportunity(`${from.toISOString()}/${to.toISOString()}`)] } }
  },
}

test('the products of a STAPI provider are in the glossary, with their schemas, and can be ordered', async (t) => {
  const { host, server } = await openHost(t, provider)
  const app = await startTestApp({ hosts: [host], background: immediateRetries })
  t.after(() => app.close())
  const { owner } = await createTestOrganization(app, 1_000_000)
  const { client } = owner

  const { collection } = await client.call('glossary.collections.get', { collection_name: 'optical' })
  assert.deepEqual(
    [collection.type, collection.title, collection.metadata],
    ['TASKING', 'Optical', { productType: 'OPTICAL', resolutionClass: 'VERY_HIGH', resolutionValue: { minimum: 0.5 } }],
  )
  assert.deepEqual(
    collection.providers.map(({ name, roles }) => [name, roles]),
    [['sky', ['HOST']]],
  )
  const { data_product } = await client.call('glossary.data_products.get', { data_product_name: 'sky:optical' })
  assert.deepEqual(
    collection.dataProducts.map(({ id }) => id),
    [data_product.id],
  )
  assert.equal(data_product.description, 'Images on order. Acquired on order.')
  assert.deepEqual([data_product.price?.rate_credits, data_product.price?.minimum_km2], [700, 25])
  assert.equal((await client.call('glossary.data_products.list', { dataProductId: data_product.id })).totalElements, 1)
  const { content } = await client.call('glossary.collections.list', { type: 'TASKING' })
  assert.equal(content.filter(({ name }) => name === 'optical').length, 1)

  const { schema, cancel_policy } = await client.call('orders.get_schema', { data_product_id: data_product.id })
  const { properties } = schema as { properties: Record<string, { enum?: string[] }> }
  assert.deepEqual(properties['sensor']?.enum, ['pan'])
  assert.equal(cancel_policy.cancellable_until, 'SCHEDULED-24h')

  const { id } = await client.call('orders.tasking.place', {
    dataProduct: data_product.id,
    groups: [{ geometry: square(10, 50, 0.1) }],
  } as never)
  await waitForOrder(client, id, 'PLACED')
  assert.equal((await client.call('orders.get', { order_id: id })).dataProductId, data_product.id)
  assert.equal(createdBodies(server.requests).length, 1)
})
