import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { findCaptures, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestUser } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'

let app: TestApp
let owner: TestUser
before(async () => {
  app = await startTestApp({
    background: immediateRetries,
    hosts: [await createFaultyHost('forgets-one', { files: { [smallScenes[1]]: ['missing'] } })],
  })
  ;({ owner } = await createTestOrganization(app, 1_000_000))
})
after(() => app?.close())

test('a partly delivered order says which scenes and which area were delivered and what remains', async () => {
  const { client } = owner
  const captures = await findCaptures(client, 'forgets-one', smallScenes)
  const { lines, total_credits } = await client.call('orders.archive.estimate', { captures })
  assert.deepEqual(
    lines.map(({ id, host }) => [id, host]),
    captures.map(({ id, host }) => [id, host]),
  )
  assert.equal(
    lines.reduce((sum, { credits }) => sum + credits, 0),
    total_credits,
  )
  const placed = await client.call('orders.archive.place', { captures })
  await waitForOrder(client, placed.id, 'FULFILLED')

  const { covered, remainder } = await client.call('orders.coverage.get', { order_id: placed.id })
  assert.ok(Math.abs(covered.percentage + remainder.percentage - 100) < 1e-6)
  assert.ok(Math.abs(covered.sqKmArea - lines[0]!.area_km2) < 0.01 * covered.sqKmArea, `${covered.sqKmArea}`)
  assert.ok(covered.geometry)

  const order = await client.call('orders.get', { order_id: placed.id })
  assert.deepEqual(
    order.captures.map(({ id, host, credits, deliveredAt }) => [id, host, credits, deliveredAt !== null]),
    captures.map(({ id, host }, at) => [id, host, lines[at]!.credits, at === 0]),
  )
  assert.deepEqual(order.captures[0]!.geometry, captures[0]!.geometry)
  const { content } = await client.call('orders.list', {})
  assert.equal(content[0]!.captureCount, 2)
  assert.equal(content[0]!.captures[0]!.geometry, undefined)

  const renamed = await client.call('orders.update', { order_id: placed.id, displayName: 'Harvest', tags: ['a', 'a'] })
  assert.deepEqual([renamed.displayName, renamed.tags], ['Harvest', ['a']])
  const cleared = await client.call('orders.update', { order_id: placed.id, displayName: null, tags: null })
  assert.deepEqual([cleared.displayName, cleared.tags], ['Harvest', []])
})
