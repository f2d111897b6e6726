import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { createManualClock } from '../../src/platform/clock.ts'
import { updateBillingPlan } from '../billing-helpers.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const clock = createManualClock(new Date('2026-03-01T00:00:00.000Z'))
let app: TestApp
before(async () => {
  app = await startTestApp({
    clock,
    environment: {
      RATE_LIMIT_CALLS: 'free:12,prepaid:20,enterprise:0',
      RATE_LIMIT_ORDERS: '3',
      RATE_LIMIT_SPENDING: '2',
      RATE_LIMIT_SIGN_INS: '5',
      RATE_LIMIT_SHARE_VISITS: '3',
      RATE_LIMIT_SHARE_TILES: '2',
    },
  })
})
after(() => app?.close())

const sendCall = (client: Client, id: string, body: object = {}): Promise<Response> =>
  client.fetch(`/v1/op/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://maps.example.org' },
    body: JSON.stringify(body),
  })

/** Calls until a call is rate limited; returns the number of allowed calls and the refusal. */
async function callUntilLimited(client: Client, id: string): Promise<{ calls: number; refusal: Response }> {
  for (let calls = 0; calls < 50; calls++) {
    const response = await sendCall(client, id)
    if (response.status === 429) return { calls, refusal: response }
    await response.arrayBuffer()
  }
  throw new Error('no call was refused')
}

test('calls of an organization are limited per minute, and every response has the RateLimit headers', async () => {
  const { owner } = await createTestOrganization(app, 0)
  clock.advance(64_000)
  const first = await sendCall(owner.client, 'projects.list')
  assert.equal(first.headers.get('ratelimit-policy'), '"default";q=12;w=60')
  assert.equal(first.headers.get('ratelimit'), '"default";r=11;t=62')
  assert.match(first.headers.get('access-control-expose-headers')!, /ratelimit, ratelimit-policy, retry-after/)
  const { calls, refusal } = await callUntilLimited(owner.client, 'projects.list')
  assert.equal(calls, 11)
  assert.equal(refusal.headers.get('ratelimit'), '"default";r=0;t=62')
  assert.equal(refusal.headers.get('retry-after'), '62')
  const problem = (await refusal.json()) as Record<string, unknown>
  assert.equal(problem['type'], `${app.url}/problems/rate-limited`)
  assert.deepEqual(problem['violated-policies'], ['default'])
  const other = await createTestOrganization(app, 0)
  assert.equal((await sendCall(other.owner.client, 'projects.list')).status, 200)
  clock.advance(62_000)
  assert.equal((await sendCall(owner.client, 'projects.list')).status, 200)
})

test('orders and spending have separate limits', async () => {
  const { owner } = await createTestOrganization(app, 0)
  const orders = await callUntilLimited(owner.client, 'orders.archive.place')
  assert.equal(orders.calls, 3)
  assert.match(orders.refusal.headers.get('ratelimit')!, /^"default";r=\d+;t=\d+, "orders";r=0;t=\d+$/)
  const spending = await callUntilLimited(owner.client, 'billing.topup')
  assert.equal(spending.calls, 2)
  // Refused calls do not count: the project, 3 orders, 2 top-ups and 6 more calls make 12.
  assert.equal((await callUntilLimited(owner.client, 'projects.list')).calls, 6)
})

test('an API key has its own limit within that of the organization, shared by its access tokens', async () => {
  const { owner } = await createTestOrganization(app, 0)
  const { key } = await owner.client.call<{ key: string }>('api_keys.create', { name: 'slow', rate_limit: 3 })
  const callWithKey = (): Promise<Response> =>
    fetch(`${app.url}/v1/op/projects.list`, { method: 'POST', headers: { 'x-api-key': key } })
  for (let call = 0; call < 3; call++) assert.equal((await callWithKey()).status, 200)
  const limited = await callWithKey()
  assert.equal(limited.status, 429)
  assert.match(limited.headers.get('ratelimit-policy')!, /^"default";q=12;w=60, "key";q=3;w=60$/)
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'swath', client_secret: key })
  const token = await fetch(`${app.url}/realms/public/protocol/openid-connect/token`, { method: 'POST', body: form })
  const { access_token } = (await token.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  assert.equal((await fetch(`${app.url}/v1/op/projects.list`, { method: 'POST', headers })).status, 429)
  assert.equal((await sendCall(owner.client, 'projects.list')).status, 200, 'its user is not limited')
})

test('the limit depends on the plan; unauthenticated and unauthorized calls do not count', async () => {
  const { owner, organization } = await createTestOrganization(app, 0)
  for (let call = 0; call < 30; call++) {
    const response = await fetch(`${app.url}/v1/op/projects.list`, { method: 'POST' })
    assert.equal(response.status, 401)
    assert.equal((await sendCall(owner.client, 'admin.commitments.amend')).status, 403)
  }
  await updateBillingPlan(app, organization, 'enterprise')
  const newClient = app.createClientFor(owner.email, owner.password)
  for (let call = 0; call < 30; call++) {
    const response = await sendCall(newClient, 'projects.list')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('ratelimit'), null)
  }
})

const callAsVisitor = (id: string, input: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.url}/v1/op/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  })

test('responses for share links have the RateLimit headers of visits and tiles, also when refused', async () => {
  const { owner, project } = await createTestOrganization(app, 0)
  const { id: target_id } = await owner.client.call<{ id: string }>('collections.create', {
    project_id: project,
    name: 'shown',
  })
  const password = 'let me see it'
  const link = { target_type: 'collection', target_id, password, expires_at: '2026-03-05T00:00:00Z' }
  const { token } = await owner.client.call<{ token: string }>('share.link.create', link)
  clock.advance(120_000)
  const validated = await callAsVisitor('share.link.validate', { token, password })
  assert.equal(validated.status, 200)
  assert.equal(validated.headers.get('ratelimit-policy'), '"share-visits";q=3;w=60')
  assert.match(validated.headers.get('ratelimit')!, /^"share-visits";r=2;t=\d+$/)
  const wrong = await callAsVisitor('share.link.validate', { token, password: 'wrong' })
  assert.equal(wrong.status, 403)
  assert.match(wrong.headers.get('ratelimit')!, /^"share-visits";r=1;t=\d+$/)
  const key = (await owner.client.call<{ key: string }>('api_keys.create', { name: 'visitor' })).key
  const member = await callAsVisitor('share.link.validate', { token, password }, { 'x-api-key': key })
  assert.match(member.headers.get('ratelimit')!, /^"default";r=\d+;t=\d+, "share-visits";r=0;t=\d+$/)
  const limited = await callAsVisitor('share.link.validate', { token, password })
  assert.equal(limited.status, 429)
  assert.match(limited.headers.get('ratelimit')!, /^"share-visits";r=0;t=\d+$/)
  assert.ok(Number(limited.headers.get('retry-after')) > 0)
  const problem = (await limited.json()) as Record<string, unknown>
  assert.deepEqual(problem['violated-policies'], ['share-visits'])
  const tile = (): Promise<Response> =>
    callAsVisitor('share.tile.render', { token, password, z: 0, x: 0, y: 0, profile: 'rgb' })
  const [first, second, third] = [await tile(), await tile(), await tile()]
  assert.match(first.headers.get('ratelimit')!, /^"share-tiles";r=1;t=\d+$/)
  assert.match(second.headers.get('ratelimit')!, /^"share-tiles";r=0;t=\d+$/)
  assert.equal(third.status, 429)
  assert.match(third.headers.get('ratelimit')!, /^"share-tiles";r=0;t=\d+$/)
})

test('unknown tokens and keys are limited by client address; known keys, revoked keys and sign-ins are not', async () => {
  const { owner } = await createTestOrganization(app, 0)
  const { id, key: revoked } = await owner.client.call<{ id: string; key: string }>('api_keys.create', { name: 'old' })
  await owner.client.call('api_keys.revoke', { key_id: id })
  const { key } = await owner.client.call<{ key: string }>('api_keys.create', { name: 'new' })
  const unusedKey = await owner.client.call<{ key: string }>('api_keys.create', { name: 'not seen before' })
  clock.advance(120_000)
  const listProjects = async (headers: Record<string, string>): Promise<Response> =>
    callAsVisitor('projects.list', {}, headers)
  assert.equal((await listProjects({ 'x-api-key': key })).status, 200)
  for (let call = 0; call < 8; call++) assert.equal((await listProjects({ 'x-api-key': revoked })).status, 401)
  const unknownCredentials: Record<string, string>[] = [
    { authorization: 'Bearer abc.def.ghi' },
    { 'x-api-key': 'swath_aaaaaaaaaaaa' },
    { authorization: `Bearer ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}` },
    { authorization: 'Bearer again' },
    { 'x-api-key': 'nothing' },
  ]
  const statuses = (await Promise.all(unknownCredentials.map(listProjects))).map(({ status }) => status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401])
  const limited = await listProjects({ authorization: 'Bearer abc.def.ghi' })
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers.get('retry-after')) > 0)
  const body = new URLSearchParams({ grant_type: 'password', username: owner.email, password: owner.password })
  const signIn = await fetch(`${app.url}/realms/public/protocol/openid-connect/token`, { method: 'POST', body })
  assert.equal(signIn.status, 200, 'failures of a wrong key do not block sign-in')
  const introspection = new URLSearchParams({
    client_id: 'swath',
    client_secret: 'swath_a',
    token: 'swath_aaaaaaaaaaaa',
  })
  const path = `${app.url}/realms/public/protocol/openid-connect/token/introspect`
  assert.equal((await fetch(path, { method: 'POST', body: introspection })).status, 429)
  for (const knownKey of [key, unusedKey.key]) assert.equal((await listProjects({ 'x-api-key': knownKey })).status, 200)
  clock.advance(65_000)
  assert.equal((await listProjects({ authorization: 'Bearer abc.def.ghi' })).status, 401)
})
