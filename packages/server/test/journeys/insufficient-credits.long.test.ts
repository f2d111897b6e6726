import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { findCaptures, getWalletBalance, waitForOrder, type CaptureInput } from '../orders.ts'
import { createTestOrganization, type TestUser, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
let owner: TestUser
let captures: CaptureInput[]
let price: number
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 10)
  owner = org.owner
  captures = await findCaptures(owner.client, 'commercial', ['naip-va-17n'])
  price = (await owner.client.call('orders.archive.estimate', { captures })).total_credits
})
after(() => app?.close())

const placeOrder = (key?: string): Promise<Response> =>
  owner.client.fetch('/v1/op/orders.archive.place', {
    method: 'POST',
    body: JSON.stringify({ captures }),
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

const topUp = (amount_credits: number) =>
  app.admin.call('admin.orgs.credit_adjust', { organization_id: org.organization, amount_credits, reason: 'test' })

test('an order without enough credits returns 402 with both amounts and changes nothing', async () => {
  for (const key of [undefined, 'a key']) {
    const response = await assertUnchanged(app, () => placeOrder(key))
    assert.equal(response.status, 402)
    const document = (await response.json()) as Record<string, unknown>
    assert.equal(document['type'], `${app.url}/problems/insufficient-credits`)
    assert.equal(document['required_credits'], price)
    assert.equal(document['available_credits'], 10)
  }
})

test('one credit less than the price returns 402; the exact price is enough, also with the same key', async () => {
  await topUp(price - 11)
  assert.equal((await assertUnchanged(app, () => placeOrder('a key'))).status, 402)
  await topUp(1)
  const response = await placeOrder('a key')
  assert.equal(response.status, 202)
  assert.equal(response.headers.get('idempotency-replayed'), null)
  const { id } = (await response.json()) as { id: string }
  await waitForOrder(owner.client, id, 'FULFILLED')
  assert.deepEqual(await getWalletBalance(owner.client), { available: 0, held: 0 })
  await assertLedgerConsistent(app)
})

test('of concurrent orders only as many are placed as the wallet covers', async () => {
  await topUp(price * 3 + 1)
  const responses = await Promise.all(Array.from({ length: 8 }, () => placeOrder()))
  const statuses = responses.map((response) => response.status).sort()
  assert.deepEqual(statuses, [202, 202, 202, 402, 402, 402, 402, 402])
  for (const response of responses.filter(({ status }) => status === 202)) {
    await waitForOrder(owner.client, ((await response.json()) as { id: string }).id, 'FULFILLED')
  }
  assert.deepEqual(await getWalletBalance(owner.client), { available: 1, held: 0 })
  await assertLedgerConsistent(app)
})

test('an adjustment below zero returns 402, and only an administrator may adjust', async () => {
  await assertUnchanged(app, async () => {
    await assert.rejects(topUp(-2), { status: 402, problem: 'insufficient-credits' })
    const input = { organization_id: org.organization, amount_credits: 1_000_000, reason: 'mine' }
    await assert.rejects(owner.client.call('admin.orgs.credit_adjust', input), { status: 403 })
  })
  assert.equal((await topUp(-1)).available_credits, 0)
  await assertLedgerConsistent(app)
})
