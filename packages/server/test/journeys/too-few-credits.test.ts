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

test('too few credits: 402 says how many are missing, and nothing at all is written', async () => {
  for (const key of [undefined, 'a key']) {
    const response = await unchanged(house, () => place(key))
    assert.equal(response.status, 402)
    const document = (await response.json()) as Record<string, unknown>
    assert.equal(document['type'], `${house.url}/problems/insufficient-credits`)
    assert.equal(document['required_credits'], price)
    assert.equal(document['available_credits'], 10)
  }
})

test('one credit less than the price is too few, the price itself is enough, and the key is free again', async () => {
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

test('of many orders at once only as many are taken as the wallet pays for', async () => {
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

test('a correction by an administrator takes no more than there is, and only an administrator makes one', async () => {
  await unchanged(house, async () => {
    await assert.rejects(topUp(-2), { status: 402, problem: 'insufficient-credits' })
    const input = { organization_id: made.organization, amount_credits: 1_000_000, reason: 'mine' }
    await assert.rejects(owner.client.call('admin.orgs.credit_adjust', input), { status: 403 })
  })
  assert.equal((await topUp(-1)).available_credits, 0)
  await assertBooks(house)
})
