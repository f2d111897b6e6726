import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertBooks } from '../books.ts'
import { faultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { capturesOf, eventsOf, moneyOf, waitForOrder, type Capture } from '../orders.ts'
import { makeOrganization, type Person } from '../people.ts'
import { bootHouse, hurried, type TestHouse } from '../setup.ts'

const [first, second] = smallScenes
let house: TestHouse
let owner: Person
before(async () => {
  house = await bootHouse({
    background: hurried,
    hosts: [
      await faultyHost('good'),
      await faultyHost('forgets-one', { files: { [second]: ['missing'] } }),
      await faultyHost('breaks-one', { files: { [first]: ['truncated'] } }),
      await faultyHost('withdraws', { deliveries: ['refuse'] }),
      await faultyHost('forgets-all', { files: { [first]: ['missing'], [second]: ['missing'] } }),
    ],
  })
  ;({ owner } = await makeOrganization(house, 1_000_000))
})
after(() => house?.close())

async function priceOf(capture: Capture): Promise<number> {
  return (await owner.client.call('orders.archive.estimate', { captures: [capture] })).total_credits
}

/** Orders two scenes of which one is delivered: its price is captured, the rest of the hold is released. */
async function buyHalf(captures: readonly Capture[], arrives: Capture): Promise<string> {
  const { client } = owner
  const before = await moneyOf(client)
  const price = await priceOf(arrives)
  const placed = await client.call('orders.archive.place', { captures: [...captures] })
  const order = await waitForOrder(client, placed.id, 'FULFILLED')
  assert.equal(order.fulfillment, 'partial')
  assert.equal(order.itemCount, 1)
  assert.equal(order.creditsCaptured, price)
  assert.equal(order.creditsRefunded, placed.totalCredits - price)
  assert.deepEqual(await moneyOf(client), { available: before.available - price, held: 0 })
  const { transactions } = await client.call('billing.credits.transactions', { limit: 3 })
  assert.deepEqual(
    transactions.map(({ reason, amount_credits }) => [reason, amount_credits]),
    [
      ['capture', -price],
      ['release', placed.totalCredits - price],
      ['hold', -placed.totalCredits],
    ],
  )
  const last = (await eventsOf(client, placed.id)).at(-1)
  assert.equal(last?.event_type, 'order.fulfilled')
  assert.equal(last.data['creditsCaptured'], price)
  assert.equal(last.data['creditsRefunded'], placed.totalCredits - price)
  assert.equal(last.data['failureReason'], order.failureReason?.text)
  await assertBooks(house)
  return order.failureReason?.code ?? ''
}

test('a scene missing from the delivery is not charged', async () => {
  const captures = await capturesOf(owner.client, 'forgets-one', smallScenes)
  assert.equal(await buyHalf(captures, captures[0]!), 'host-refused')
})

test('a scene whose file stays invalid is not charged and does not block the others', async () => {
  const captures = await capturesOf(owner.client, 'breaks-one', smallScenes)
  assert.equal(await buyHalf(captures, captures[1]!), 'delivery-failed')
})

test('a host that withdraws does not block the delivery of another host', async () => {
  const captures = [
    ...(await capturesOf(owner.client, 'good', [first])),
    ...(await capturesOf(owner.client, 'withdraws', [second])),
  ]
  assert.equal(await buyHalf(captures, captures[0]!), 'host-refused')
})

test('an order whose delivery has none of the scenes fails', async () => {
  const before = await moneyOf(owner.client)
  const captures = await capturesOf(owner.client, 'forgets-all', smallScenes)
  const { id } = await owner.client.call('orders.archive.place', { captures })
  const order = await waitForOrder(owner.client, id, 'FAILED_PERMANENTLY')
  assert.equal(order.failureReason?.code, 'host-refused')
  assert.deepEqual(await moneyOf(owner.client), before)
  await assertBooks(house)
})
