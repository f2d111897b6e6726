import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { putOnPlan } from '../house-money.ts'
import { makeOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

const clock = manualClock(new Date('2026-03-01T00:00:00.000Z'))
let house: TestHouse
before(async () => {
  house = await bootHouse({
    clock,
    environment: {
      RATE_LIMIT_CALLS: 'free:12,prepaid:20,enterprise:0',
      RATE_LIMIT_ORDERS: '3',
      RATE_LIMIT_SPENDING: '2',
    },
  })
})
after(() => house?.close())

const ask = (client: Client, id: string, body: object = {}): Promise<Response> =>
  client.fetch(`/v1/op/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://maps.example.org' },
    body: JSON.stringify(body),
  })

/** What calls answer until one is refused: how many were let through, and the refusal. */
async function askUntilRefused(client: Client, id: string): Promise<{ calls: number; refusal: Response }> {
  for (let calls = 0; calls < 50; calls++) {
    const response = await ask(client, id)
    if (response.status === 429) return { calls, refusal: response }
    await response.arrayBuffer()
  }
  throw new Error('nothing was refused')
}

test('an organization makes so many calls a minute, and every answer says how many are left', async () => {
  const { owner } = await makeOrganization(house, 0)
  clock.advance(64_000)
  const first = await ask(owner.client, 'projects.list')
  assert.equal(first.headers.get('ratelimit-policy'), '"default";q=12;w=60')
  assert.equal(first.headers.get('ratelimit'), '"default";r=11;t=62')
  assert.match(first.headers.get('access-control-expose-headers')!, /ratelimit, ratelimit-policy, retry-after/)
  const { calls, refusal } = await askUntilRefused(owner.client, 'projects.list')
  assert.equal(calls, 11)
  assert.equal(refusal.headers.get('ratelimit'), '"default";r=0;t=62')
  assert.equal(refusal.headers.get('retry-after'), '62')
  const problem = (await refusal.json()) as Record<string, unknown>
  assert.equal(problem['type'], `${house.url}/problems/rate-limited`)
  assert.deepEqual(problem['violated-policies'], ['default'])
  const other = await makeOrganization(house, 0)
  assert.equal((await ask(other.owner.client, 'projects.list')).status, 200)
  clock.advance(62_000)
  assert.equal((await ask(owner.client, 'projects.list')).status, 200)
})

test('orders and other spending have limits of their own, which other calls do not use up', async () => {
  const { owner } = await makeOrganization(house, 0)
  const orders = await askUntilRefused(owner.client, 'orders.archive.place')
  assert.equal(orders.calls, 3)
  assert.match(orders.refusal.headers.get('ratelimit')!, /^"default";r=\d+;t=\d+, "orders";r=0;t=\d+$/)
  const spending = await askUntilRefused(owner.client, 'billing.topup')
  assert.equal(spending.calls, 2)
  // Refused calls were counted against nothing: project, 3 orders, 2 top-ups and 6 more are the 12.
  assert.equal((await askUntilRefused(owner.client, 'projects.list')).calls, 6)
})

test('an API key has its own limit within the one of the organization, also for the tokens made with it', async () => {
  const { owner } = await makeOrganization(house, 0)
  const { key } = await owner.client.call<{ key: string }>('api_keys.create', { name: 'slow', rate_limit: 3 })
  const byKey = (): Promise<Response> =>
    fetch(`${house.url}/v1/op/projects.list`, { method: 'POST', headers: { 'x-api-key': key } })
  for (let call = 0; call < 3; call++) assert.equal((await byKey()).status, 200)
  const refused = await byKey()
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('ratelimit-policy')!, /^"default";q=12;w=60, "key";q=3;w=60$/)
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'swath', client_secret: key })
  const token = await fetch(`${house.url}/realms/public/protocol/openid-connect/token`, { method: 'POST', body: form })
  const { access_token } = (await token.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  assert.equal((await fetch(`${house.url}/v1/op/projects.list`, { method: 'POST', headers })).status, 429)
  assert.equal((await ask(owner.client, 'projects.list')).status, 200, 'its person goes on')
})

test('the plan decides; calls that lack a token or a scope are not counted', async () => {
  const { owner, organization } = await makeOrganization(house, 0)
  for (let call = 0; call < 30; call++) {
    const response = await fetch(`${house.url}/v1/op/projects.list`, { method: 'POST' })
    assert.equal(response.status, 401)
    assert.equal((await ask(owner.client, 'admin.commitments.amend')).status, 403)
  }
  await putOnPlan(house, organization, 'enterprise')
  const again = house.signedIn(owner.email, owner.password)
  for (let call = 0; call < 30; call++) {
    const response = await ask(again, 'projects.list')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('ratelimit'), null)
  }
})
