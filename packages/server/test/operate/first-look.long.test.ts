import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findCaptures, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 0)
})
after(() => app?.close())

const series = ['pucallpa-1985', 'pucallpa-1995', 'pucallpa-2010', 'pucallpa-2020']

test('an organization without credits gets a series of a place that changes, and the order is called after the place', async () => {
  const { client } = org.owner
  const captures = await findCaptures(client, 'open', series)
  const { id } = await client.call('orders.archive.place', { captures, max_credits: 0 })
  await waitForOrder(client, id, 'FULFILLED')
  const order = await client.call('orders.get', { order_id: id })
  const [first] = order.captures
  assert.equal(order.displayName, `Pucallpa, Peru, ${first!.datetime!.slice(0, 10)} and 3 more`)
  const { features } = await client.call('orders.list_assets', { order_id: id })
  assert.deepEqual(features.map(({ properties }) => String(properties.datetime).slice(0, 4)).toSorted(), [
    '1985',
    '1995',
    '2010',
    '2020',
  ])
})

test('the terms of each source are named', async () => {
  const { sources } = await org.owner.client.call('catalog.sources.list', {})
  assert.ok(sources.length > 0 && sources.every(({ license_url }) => /^https?:/.test(license_url)))
})
