import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { findCaptures, waitForOrderTasks, waitForOrder, type CaptureInput } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
let client: Client
let captures: CaptureInput[]
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 1_000_000)
  client = org.owner.client
  captures = await findCaptures(client, 'commercial', ['naip-va-17n'])
})
after(() => app?.close())

const canonicalPath = '/v1/op/orders.archive.place'
const resourcePath = '/v1/orders/archive/place'

const placeOrder = (
  key: string,
  body: unknown = { captures },
  path = canonicalPath,
  caller = client,
): Promise<Response> =>
  caller.fetch(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'idempotency-key': key },
  })

const countOrders = async (caller = client): Promise<number> => (await caller.call('orders.list', {})).totalElements

/** Places an order with a key and waits for its delivery; returns the response. */
async function placeAndDeliver(key: string): Promise<{ text: string; status: number; id: string }> {
  const response = await placeOrder(key)
  const text = await response.text()
  assert.equal(response.status, 202, text)
  const { id } = JSON.parse(text) as { id: string }
  await waitForOrder(client, id, 'FULFILLED')
  await waitForOrderTasks(app)
  return { text, status: response.status, id }
}

test('a repeated request is replayed byte for byte on every route and in every serialization, and changes nothing', async () => {
  const first = await placeAndDeliver('same again')
  const [capture] = captures
  const reformattedBody = ` {"splitByDate": false, "captures": [ ${JSON.stringify({ host: capture!.host, id: capture!.id, geometry: capture!.geometry })} ] }`
  for (const [body, path] of [
    [{ captures }, canonicalPath],
    [{ captures }, resourcePath],
    [reformattedBody, canonicalPath],
  ] as const) {
    const replayed = await assertUnchanged(app, () => placeOrder('same again', body, path))
    assert.equal(replayed.status, first.status)
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
    assert.equal(await replayed.text(), first.text)
  }
})

test('the same key with another body returns 409 and changes nothing', async () => {
  await placeAndDeliver('conflict')
  const differentBody = { captures: [...captures, ...(await findCaptures(client, 'commercial', ['naip-va-18n']))] }
  const response = await assertUnchanged(app, () => placeOrder('conflict', differentBody))
  assert.equal(response.status, 409)
  const document = (await response.json()) as { type: string; title: string }
  assert.equal(document.type, `${app.url}/problems/idempotency-conflict`)
  assert.equal(document.title, 'Idempotency-Key conflict')
})

test('concurrent equal requests create one order and get the same response', async () => {
  const before = await countOrders()
  const requests = Array.from({ length: 12 }, (_, index) =>
    placeOrder('at once', { captures }, index % 2 ? canonicalPath : resourcePath),
  )
  const responses = await Promise.all(requests)
  const texts = new Set(await Promise.all(responses.map((response) => response.text())))
  assert.deepEqual([...new Set(responses.map((response) => response.status))], [202])
  assert.equal(texts.size, 1)
  assert.equal(responses.filter((response) => response.headers.get('idempotency-replayed') === null).length, 1)
  assert.equal(await countOrders(), before + 1)
  await waitForOrder(client, (JSON.parse([...texts][0]!) as { id: string }).id, 'FULFILLED')
  await assertLedgerConsistent(app)
})

test('a key belongs to one organization and one operation', async () => {
  const first = await placeAndDeliver('mine and theirs')
  const other = await createTestOrganization(app, 100_000)
  const response = await placeOrder('mine and theirs', { captures }, canonicalPath, other.owner.client)
  assert.equal(response.status, 202)
  assert.equal(response.headers.get('idempotency-replayed'), null)
  const otherOrder = (await response.json()) as { id: string }
  assert.notEqual(otherOrder.id, first.id)
  assert.equal(await countOrders(other.owner.client), 1)
  await waitForOrder(other.owner.client, otherOrder.id, 'FULFILLED')
  await assert.rejects(client.call('orders.cancel', { order_id: first.id }, { idempotencyKey: 'mine and theirs' }), {
    status: 409,
    problem: 'invalid-state',
  })
})

test('a stored response is not replayed to another caller of the organization', async () => {
  await placeAndDeliver('whose answer')
  const outsider = await org.addMember('member')
  const { key: apiKey } = await client.call('api_keys.create', { name: 'writes', permissions: ['can_write'] })
  const bearer = { baseUrl: app.url, token: () => Promise.resolve(apiKey) }
  for (const otherClient of [outsider.client, createClient(bearer)]) {
    const response = await assertUnchanged(app, () =>
      placeOrder('whose answer', { captures }, canonicalPath, otherClient),
    )
    const text = await response.text()
    assert.equal(response.status, 409, text)
    assert.match(text, /idempotency-conflict/)
  }
})

test('a refusal before any effect leaves the key unused', async () => {
  const unknownCapture = { captures: [{ ...captures[0]!, id: 'no such scene' }] }
  const response = await assertUnchanged(app, () => placeOrder('free again', unknownCapture))
  assert.equal(response.status, 422)
  await placeAndDeliver('free again')
})

test('a key of 256 characters returns 400, and equal requests without a key create separate orders', async () => {
  for (const key of ['x'.repeat(256)]) {
    assert.equal((await assertUnchanged(app, () => placeOrder(key))).status, 400)
  }
  const before = await countOrders()
  for (let times = 0; times < 2; times++) {
    const order = await client.call('orders.archive.place', { captures })
    await waitForOrder(client, order.id, 'FULFILLED')
  }
  assert.equal(await countOrders(), before + 2)
})

test('a credit adjustment repeated with its key is applied once', async () => {
  const adjustCredits = (): Promise<Response> =>
    app.admin.fetch('/v1/op/admin.orgs.credit_adjust', {
      method: 'POST',
      body: JSON.stringify({ organization_id: org.organization, amount_credits: 7, reason: 'once' }),
      headers: { 'idempotency-key': 'correction' },
    })
  const first = await adjustCredits()
  const text = await first.text()
  assert.equal(first.status, 200, text)
  const replayed = await assertUnchanged(app, adjustCredits)
  assert.equal(await replayed.text(), text)
})
