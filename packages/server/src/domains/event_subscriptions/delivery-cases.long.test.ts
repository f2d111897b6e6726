import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { eventDefinitions } from '@swath/contract/events.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'
import {
  createDeliveryClient,
  eventually,
  waitForDeliveries,
  type DeliveryClient,
  type SubscriptionJson,
} from '../../../test/webhooks/delivery-client.ts'
import { startWebhookReceiver, status, type WebhookReceiver } from '../../../test/webhooks/webhook-receiver.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { platformPrincipal } from '../../engine/task-definition.ts'
import { emitEvent } from '../events/emit.ts'

const ownHost = 'imagery.example.com'
let app: TestApp
let org: TestOrganization
let receiver: WebhookReceiver
let deliveries: DeliveryClient
before(async () => {
  receiver = await startWebhookReceiver()
  app = await startTestApp({
    background: { poll_s: 0.05 },
    environment: { OUTSIDE_ALLOW: receiver.origin, BASE_URL: `https://${ownHost}` },
  })
  org = await createTestOrganization(app)
  deliveries = createDeliveryClient(org.owner.client, org.project, receiver)
})
after(async () => {
  await app?.close()
  await receiver?.close()
})

test('a URL of the service itself is refused, whatever its path', async () => {
  for (const path of ['/v1/op/webhooks.drain', '/webhooks/payments', '/'])
    await assert.rejects(
      deliveries.call('event_subscriptions.create', {
        event_type: 'collection.created',
        endpoint_url: `https://${ownHost}${path}`,
      }),
      /must not point to this service itself/,
    )
})

test('a webhook that reaches the service under another name calls nothing, so that no event causes itself', async () => {
  const subscription = await deliveries.subscribe('/loop')
  await deliveries.createCollection()
  await deliveries.waitFor(subscription, 'succeeded')
  const [webhook] = receiver.to('/loop')
  const { key: token } = await deliveries.call<{ key: string }>('api_keys.create', {
    name: 'Loop',
    permissions: ['can_read'],
  })
  const call = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${app.url}/v1/op/users.me`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: '{}',
    })
  assert.equal((await call({})).status, 200)
  const delivery_id = String(webhook?.headers['x-service-delivery-id'])
  const refused = await call({ 'x-service-delivery-id': delivery_id })
  assert.equal(refused.status, 403)
  assert.match(await refused.text(), /must not call the platform itself/)
  await deliveries.delete(subscription)
})

test('custom headers are sent, also credentials, which are not shown again; too many and too large ones are refused', async () => {
  const headers = { Authorization: 'Bearer secret-of-the-receiver', 'X-Team': 'fields' }
  const subscription = await deliveries.subscribe('/custom', { headers })
  const read = await deliveries.call<{ subscription: { headers: Record<string, string> } }>('event_subscriptions.get', {
    subscription_id: subscription.id,
  })
  assert.deepEqual(read.subscription.headers, { Authorization: '[redacted]', 'X-Team': 'fields' })
  await deliveries.createCollection()
  await deliveries.waitFor(subscription, 'succeeded')
  const [request] = receiver.to('/custom')
  assert.deepEqual([request?.headers['authorization'], request?.headers['x-team']], [headers.Authorization, 'fields'])
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'a']))
  const large = Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`x-${index}`, 'a'.repeat(3000)]))
  await assert.rejects(deliveries.subscribe('/custom', { headers: many }), /at most 20 headers/)
  await assert.rejects(deliveries.subscribe('/custom', { headers: large }), /at most 8192 bytes/)
  await deliveries.delete(subscription)
})

test('a secret is stored encrypted and is in no response after the first, no delivery and no payload', async () => {
  const subscription = await deliveries.subscribe('/secret')
  const collection = await deliveries.createCollection()
  const delivery = await deliveries.waitFor(subscription, 'succeeded')
  const { id: subscription_id } = subscription
  const responses = await Promise.all([
    deliveries.call('event_subscriptions.get', { subscription_id }),
    deliveries.call('event_subscriptions.list', {}),
    deliveries.call('event_subscriptions.update', { subscription_id, description: 'Again' }),
    deliveries.call('event_subscriptions.deliveries.list', { subscription_id }),
    deliveries.call('event_subscriptions.deliveries.get', { delivery_id: delivery.id }),
    deliveries.call('events.list', { entity_id: collection }),
  ])
  const stored = await app.database.unscoped.query<{ row: string }>(sql`
    select row_to_json(s)::text as row from event_subscriptions s where s.id = ${subscription_id}`)
  const key = subscription.secret.slice('whsec_'.length)
  for (const text of [...responses, ...stored, ...receiver.to('/secret')].map((value) => JSON.stringify(value)))
    assert.ok(!text.includes(key), text.slice(0, 500))
  await deliveries.delete(subscription)
})

test('an event that its endpoint refuses blocks no other event of the endpoint', async () => {
  const subscription = await deliveries.subscribe('/poisoned')
  const poison = await deliveries.createCollection('poison')
  receiver.respond('/poisoned', (response, _request, count) => {
    const { entity_id } = JSON.parse(receiver.to('/poisoned')[count - 1]!.body) as { entity_id: string }
    response.writeHead(entity_id === poison ? 400 : 204).end()
  })
  const others = [await deliveries.createCollection(), await deliveries.createCollection()]
  const states = await eventually(async () => {
    const rows = await deliveries.list(subscription)
    const succeeded = rows.filter(({ state }) => state === 'succeeded').map(({ entity_id }) => entity_id)
    return others.every((id) => succeeded.includes(id)) ? rows : undefined
  }, 'delivery of the other events')
  assert.ok(states.some(({ entity_id, state }) => entity_id === poison && state !== 'dead'))
  assert.equal((await deliveries.read(subscription)).held_until, null)
  await deliveries.delete(subscription)
})

/** Emits `job.completed` with these items, as a task of the organization does. */
async function completeJob(item_ids: readonly string[]): Promise<void> {
  const db = app.database.forOrganization(org.organization)
  const actor = {
    organization: org.organization,
    principal: platformPrincipal,
    clock: app.clock.forOrganization(org.organization),
    operation: 'test',
    requestId: newId(),
    queue: app.queue,
  }
  const event = {
    kind: 'job.completed',
    entity_type: 'processing_job',
    entity_id: newId(),
    data: { item_ids },
  } as const
  await db.transaction((tx) => emitEvent(tx, actor, event))
}

test('a filter matches a list by one of its elements, and a change of it applies to later events only', async () => {
  const [wanted, other] = [newId(), newId()]
  const subscription = await deliveries.call<SubscriptionJson>('event_subscriptions.create', {
    event_type: 'job.completed',
    endpoint_url: `${receiver.origin}/listed`,
    filter_config: { item_ids: wanted },
  })
  await completeJob([other, wanted])
  await completeJob([other])
  await completeJob([])
  const received = async (count: number): Promise<string[][]> => {
    await eventually(async () => (receiver.to('/listed').length >= count ? true : undefined), `${count} deliveries`)
    return receiver
      .to('/listed')
      .map(({ body }) => (JSON.parse(body) as { data: { item_ids: string[] } }).data.item_ids)
  }
  assert.deepEqual(await received(1), [[other, wanted]])
  const { id: subscription_id } = subscription
  await deliveries.call('event_subscriptions.update', { subscription_id, filter_config: { item_ids: [other] } })
  await completeJob([other])
  assert.deepEqual(await received(2), [[other, wanted], [other]])
  await deliveries.delete(subscription)
})

test('members of the prototype are not members of the data', async () => {
  for (const filter of ['{"__proto__":"x"}', '{"toString":"x"}', '{"name.__proto__":"x"}', '{"hasOwnProperty":true}']) {
    const response = await org.owner.client.fetch('/v1/op/event_subscriptions.create', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"event_type":"collection.created","endpoint_url":"${receiver.origin}/x","filter_config":${filter}}`,
    })
    assert.ok([400, 422].includes(response.status), `${filter}: ${response.status}`)
    await response.body?.cancel()
  }
})

test('the bytes that are signed are those that arrive, for names of any characters', async () => {
  const subscription = await deliveries.subscribe('/bytes')
  const names = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), { numRuns: 15, seed: 21 })
  const created = new Map<string, string>()
  for (const name of [...names, '9007199254740993', '\u2028\u2029', '👩‍🚀', '"\\u0000"']) {
    const id = await deliveries.createCollection(name).catch(() => null)
    if (id !== null) created.set(id, name)
  }
  assert.ok(created.size > 10, String(created.size))
  await waitForDeliveries(app.database, org.organization)
  assert.ok(receiver.to('/bytes').length >= created.size)
  for (const { body, headers } of receiver.to('/bytes')) {
    const event = JSON.parse(body) as { entity_id: string; data: { name: string } }
    assert.equal(await verify(subscription.secret, body, String(headers['x-service-signature'])), true)
    assert.equal(event.data.name, created.get(event.entity_id))
  }
  await deliveries.delete(subscription)
})

test('no event of an organization reaches an endpoint of another one, whatever both do', async () => {
  const tenants = await Promise.all(
    ['/tenant-0', '/tenant-1', '/tenant-2'].map(async (path) => {
      const { organization, owner, project } = await createTestOrganization(app)
      const client = createDeliveryClient(owner.client, project, receiver)
      for (const event_type of ['collection.created', 'collection.updated', 'project.created'])
        await client.subscribe(path, { event_type })
      return { path, organization, project, client }
    }),
  )
  const actions = fc.sample(fc.tuple(fc.nat(2), fc.constantFrom('create', 'update', 'project')), {
    numRuns: 40,
    seed: 5,
  })
  for (const [index, action] of actions) {
    const { client, project } = tenants[index]!
    if (action === 'project') await client.call('projects.create', { name: newId() })
    const collection_id = await client.createCollection()
    if (action === 'update')
      await client.call('collections.update', { project_id: project, collection_id, name: newId() })
  }
  for (const { path, organization } of tenants) {
    const expected = await app.database.unscoped.query<{ id: string }>(sql`
      select id from events where organization_id = ${organization}
        and kind = any(${['collection.created', 'collection.updated', 'project.created']}::text[])
        and created_at >= (select min(created_at) from event_subscriptions where organization_id = ${organization})`)
    await waitForDeliveries(app.database, organization)
    // A set: an attempt without a response is made again.
    const received = new Set(
      receiver.to(path).map(({ body }) => {
        const event = JSON.parse(body) as { event_id: string; organization_id: string }
        assert.equal(event.organization_id, organization)
        return event.event_id
      }),
    )
    assert.deepEqual([...received].sort(), expected.map(({ id }) => id).sort())
  }
})

test('an example of each event type arrives as the test of a subscription, valid and marked', async () => {
  const types = ['order.fulfilled', 'job.completed', 'alert.triggered', 'invoice.issued'] as const
  for (const event_type of types) {
    const { id } = await deliveries.subscribe(`/example/${event_type}`, { event_type })
    receiver.respond(`/example/${event_type}`, status(202))
    const result = await deliveries.call<{ http_status: number }>('event_subscriptions.test', { subscription_id: id })
    assert.equal(result.http_status, 202)
    const sent = JSON.parse(receiver.to(`/example/${event_type}`)[0]!.body) as { data: object; test: boolean }
    assert.deepEqual([sent.test, sent.data], [true, eventDefinitions[event_type].example])
    await deliveries.call('event_subscriptions.delete', { subscription_id: id })
  }
})
