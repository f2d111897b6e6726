import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertBooks, unchanged } from '../books.ts'
import { capturesOf, moneyOf, waitForOrder, type Capture } from '../orders.ts'
import { makeOrganization, type Person, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
let made: TestOrganization
let owner: Person
let captures: Capture[]
let price: number
before(async () => {
  house = await bootHouse()
  made = await makeOrganization(house, 10)
  owner = made.owner
  captures = await capturesOf(owner.client, 'commercial', ['naip-va-17n'])
  price = (await owner.client.call('orders.archive.estimate', { captures })).total_credits
})
after(() => house?.close())

const place = (key?: string): Promise<Response> =>
  owner.client.fetch('/v1/op/orders.archive.place', {
    method: 'POST',
    body: JSON.stringify({ captures }),
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

const topUp = (amount_credits: number) =>
  house.admin.call('admin.orgs.credit_adjust', { organization_id: made.organization, amount_credits, reason: 'test' })

test('an order without enough credits returns 402 with both amounts and changes nothing', async () => {
  for (const key of [undefined, 'a key']) {
    const response = await unchanged(house, () => place(key))
    assert.equal(response.status, 402)
    const document = (await response.json()) as Record<string, unknown>
    assert.equal(document['type'], `${house.url}/problems/insufficient-credits`)
    assert.equal(document['required_credits'], price)
    assert.equal(document['available_credits'], 10)
  }
})

test('one credit less than the price returns 402; the exact price is enough, also with the same key', async () => {
  await topUp(price - 11)
  assert.equal((await unchanged(house, () => place('a key'))).status, 402)
  await topUp(1)
  const response = await place('a key')
  assert.equal(response.status, 202)
  assert.equal(response.headers.get('idempotency-replayed'), null)
  const { id } = (await response.json()) as { id: string }
  await waitForOrder(owner.client, id, 'FULFILLED')
  assert.deepEqual(await moneyOf(owner.client), { available: 0, held: 0 })
  await assertBooks(house)
})

test('of concurrent orders only as many are placed as the wallet covers', async () => {
  await topUp(price * 3 + 1)
  const responses = await Promise.all(Array.from({ length: 8 }, () => place()))
  const statuses = responses.map((response) => response.status).sort()
  assert.deepEqual(statuses, [202, 202, 202, 402, 402, 402, 402, 402])
  for (const response of responses.filter(({ status }) => status === 202)) {
    await waitForOrder(owner.client, ((await response.json()) as { id: string }).id, 'FULFILLED')
  }
  assert.deepEqual(await moneyOf(owner.client), { available: 1, held: 0 })
  await assertBooks(house)
})

test('an adjustment below zero returns 402, and only an administrator may adjust', async () => {
  await unchanged(house, async () => {
    await assert.rejects(topUp(-2), { status: 402, problem: 'insufficient-credits' })
    const input = { organization_id: made.organization, amount_credits: 1_000_000, reason: 'mine' }
    await assert.rejects(owner.client.call('admin.orgs.credit_adjust', input), { status: 403 })
  })
  assert.equal((await topUp(-1)).available_credits, 0)
  await assertBooks(house)
})
