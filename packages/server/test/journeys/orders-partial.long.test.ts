import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { findCaptures, getEntityEvents, getWalletBalance, waitForOrder, type CaptureInput } from '../orders.ts'
import { createTestOrganization, type TestUser } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'

const [first, second] = smallScenes
let app: TestApp
let owner: TestUser
before(async () => {
  app = await startTestApp({
    background: immediateRetries,
    hosts: [
      await createFaultyHost('good'),
      await createFaultyHost('forgets-one', { files: { [second]: ['missing'] } }),
      await createFaultyHost('breaks-one', { files: { [first]: ['truncated'] } }),
      await createFaultyHost('withdraws', { deliveries: ['refuse'] }),
      await createFaultyHost('forgets-all', { files: { [first]: ['missing'], [second]: ['missing'] } }),
    ],
  })
  ;({ owner } = await createTestOrganization(app, 1_000_000))
})
after(() => app?.close())

async function estimatePrice(capture: CaptureInput): Promise<number> {
  return (await owner.client.call('orders.archive.estimate', { captures: [capture] })).total_credits
}

/** Orders two scenes of which one is delivered: its price is captured, the rest of the hold is released. */
async function placePartialOrder(captures: readonly CaptureInput[], deliveredCapture: CaptureInput): Promise<string> {
  const { client } = owner
  const before = await getWalletBalance(client)
  const price = await estimatePrice(deliveredCapture)
  const orderResponse = await client.call('orders.archive.place', { captures: [...captures] })
  const order = await waitForOrder(client, orderResponse.id, 'FULFILLED')
  assert.equal(order.fulfillment, 'partial')
  assert.equal(order.itemCount, 1)
  assert.equal(order.creditsCaptured, price)
  assert.equal(order.creditsRefunded, orderResponse.totalCredits - price)
  assert.deepEqual(await getWalletBalance(client), { available: before.available - price, held: 0 })
  const { transactions } = await client.call('billing.credits.transactions', { limit: 3 })
  assert.deepEqual(
    transactions.map(({ reason, amount_credits }) => [reason, amount_credits]),
    [
      ['capture', -price],
      ['release', orderResponse.totalCredits - price],
      ['hold', -orderResponse.totalCredits],
    ],
  )
  const lastEvent = (await getEntityEvents(client, orderResponse.id)).at(-1)
  assert.equal(lastEvent?.event_type, 'order.fulfilled')
  assert.equal(lastEvent.data['creditsCaptured'], price)
  assert.equal(lastEvent.data['creditsRefunded'], orderResponse.totalCredits - price)
  assert.equal(lastEvent.data['failureReason'], order.failureReason?.text)
  await assertLedgerConsistent(app)
  return order.failureReason?.code ?? ''
}

test('a scene missing from the delivery is not charged', async () => {
  const captures = await findCaptures(owner.client, 'forgets-one', smallScenes)
  assert.equal(await placePartialOrder(captures, captures[0]!), 'host-refused')
})

test('a scene whose file stays invalid is not charged and does not block the others', async () => {
  const captures = await findCaptures(owner.client, 'breaks-one', smallScenes)
  assert.equal(await placePartialOrder(captures, captures[1]!), 'delivery-failed')
})

test('a host that withdraws does not block the delivery of another host', async () => {
  const captures = [
    ...(await findCaptures(owner.client, 'good', [first])),
    ...(await findCaptures(owner.client, 'withdraws', [second])),
  ]
  assert.equal(await placePartialOrder(captures, captures[0]!), 'host-refused')
})

test('an order whose delivery has none of the scenes fails', async () => {
  const before = await getWalletBalance(owner.client)
  const captures = await findCaptures(owner.client, 'forgets-all', smallScenes)
  const { id } = await owner.client.call('orders.archive.place', { captures })
  const order = await waitForOrder(owner.client, id, 'FAILED_PERMANENTLY')
  assert.equal(order.failureReason?.code, 'host-refused')
  assert.deepEqual(await getWalletBalance(owner.client), before)
  await assertLedgerConsistent(app)
})

test('a partly delivered order states the delivered scenes and area, and the remainder', async () => {
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
