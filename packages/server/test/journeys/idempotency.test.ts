import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { assertBooks, unchanged } from '../books.ts'
import { capturesOf, quiet, waitForOrder, type Capture } from '../orders.ts'
import { makeOrganization, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
let made: TestOrganization
let client: Client
let captures: Capture[]
before(async () => {
  house = await bootHouse()
  made = await makeOrganization(house, 1_000_000)
  client = made.owner.client
  captures = await capturesOf(client, 'commercial', ['naip-va-17n'])
})
after(() => house?.close())

const canonical = '/v1/op/orders.archive.place'
const resource = '/v1/orders/archive/place'

const place = (key: string, body: unknown = { captures }, door = canonical, as = client): Promise<Response> =>
  as.fetch(door, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'idempotency-key': key },
  })

const orderCount = async (as = client): Promise<number> => (await as.call('orders.list', {})).totalElements

/** Places an order with a key and waits for its delivery; returns the response. */
async function placed(key: string): Promise<{ text: string; status: number; id: string }> {
  const response = await place(key)
  const text = await response.text()
  assert.equal(response.status, 202, text)
  const { id } = JSON.parse(text) as { id: string }
  await waitForOrder(client, id, 'FULFILLED')
  await quiet(house)
  return { text, status: response.status, id }
}

test('a repeated request is replayed byte for byte on every route and in every serialization, and changes nothing', async () => {
  const first = await placed('same again')
  const [capture] = captures
  const respelled = ` {"splitByDate": false, "captures": [ ${JSON.stringify({ host: capture!.host, id: capture!.id, geometry: capture!.geometry })} ] }`
  for (const [body, door] of [
    [{ captures }, canonical],
    [{ captures }, resource],
    [respelled, canonical],
  ] as const) {
    const again = await unchanged(house, () => place('same again', body, door))
    assert.equal(again.status, first.status)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(await again.text(), first.text)
  }
})

test('the same key with another body returns 409 and changes nothing', async () => {
  await placed('conflict')
  const twice = { captures: [...captures, ...(await capturesOf(client, 'commercial', ['naip-va-18n']))] }
  const response = await unchanged(house, () => place('conflict', twice))
  assert.equal(response.status, 409)
  const document = (await response.json()) as { type: string; title: string }
  assert.equal(document.type, `${house.url}/problems/idempotency-conflict`)
  assert.equal(document.title, 'Idempotency-Key conflict')
})

test('concurrent equal requests create one order and get the same response', async () => {
  const before = await orderCount()
  const requests = Array.from({ length: 12 }, (_, index) =>
    place('at once', { captures }, index % 2 ? canonical : resource),
  )
  const responses = await Promise.all(requests)
  const texts = new Set(await Promise.all(responses.map((response) => response.text())))
  assert.deepEqual([...new Set(responses.map((response) => response.status))], [202])
  assert.equal(texts.size, 1)
  assert.equal(responses.filter((response) => response.headers.get('idempotency-replayed') === null).length, 1)
  assert.equal(await orderCount(), before + 1)
  await waitForOrder(client, (JSON.parse([...texts][0]!) as { id: string }).id, 'FULFILLED')
  await assertBooks(house)
})

test('a key belongs to one organization and one operation', async () => {
  const first = await placed('mine and theirs')
  const other = await makeOrganization(house, 100_000)
  const response = await place('mine and theirs', { captures }, canonical, other.owner.client)
  assert.equal(response.status, 202)
  assert.equal(response.headers.get('idempotency-replayed'), null)
  const theirs = (await response.json()) as { id: string }
  assert.notEqual(theirs.id, first.id)
  assert.equal(await orderCount(other.owner.client), 1)
  await waitForOrder(other.owner.client, theirs.id, 'FULFILLED')
  await assert.rejects(client.call('orders.cancel', { order_id: first.id }, { idempotencyKey: 'mine and theirs' }), {
    status: 409,
    problem: 'invalid-state',
  })
})

test('a stored response is not replayed to another caller of the organization', async () => {
  await placed('whose answer')
  const outsider = await made.join('member')
  const { key: secret } = await client.call('api_keys.create', { name: 'writes', permissions: ['can_write'] })
  const bearer = { base: house.url, token: () => Promise.resolve(secret) }
  for (const another of [outsider.client, createClient(bearer)]) {
    const response = await unchanged(house, () => place('whose answer', { captures }, canonical, another))
    const text = await response.text()
    assert.equal(response.status, 409, text)
    assert.match(text, /idempotency-conflict/)
  }
})

test('a refusal before any effect leaves the key unused', async () => {
  const nowhere = { captures: [{ ...captures[0]!, id: 'no such scene' }] }
  const response = await unchanged(house, () => place('free again', nowhere))
  assert.equal(response.status, 422)
  await placed('free again')
})

test('a key of 256 characters returns 400, and equal requests without a key create separate orders', async () => {
  for (const key of ['x'.repeat(256)]) {
    assert.equal((await unchanged(house, () => place(key))).status, 400)
  }
  const before = await orderCount()
  for (let times = 0; times < 2; times++) {
    const order = await client.call('orders.archive.place', { captures })
    await waitForOrder(client, order.id, 'FULFILLED')
  }
  assert.equal(await orderCount(), before + 2)
})

test('a credit adjustment repeated with its key is applied once', async () => {
  const correct = (): Promise<Response> =>
    house.admin.fetch('/v1/op/admin.orgs.credit_adjust', {
      method: 'POST',
      body: JSON.stringify({ organization_id: made.organization, amount_credits: 7, reason: 'once' }),
      headers: { 'idempotency-key': 'correction' },
    })
  const first = await correct()
  const text = await first.text()
  assert.equal(first.status, 200, text)
  const again = await unchanged(house, correct)
  assert.equal(await again.text(), text)
})
