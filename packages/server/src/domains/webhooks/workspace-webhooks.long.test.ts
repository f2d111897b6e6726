import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { webhookEvents } from '@swath/contract/webhook-events.ts'
import { limits } from '@swath/contract/limits.ts'
import { createFaultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { placeSceneOrder, waitForOrder } from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization, type TestUser } from '../../../test/test-organizations.ts'
import { eventually } from '../../../test/webhooks/delivery-client.ts'
import { startWebhookReceiver, status, type WebhookReceiver } from '../../../test/webhooks/webhook-receiver.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'

let app: TestApp
let org: TestOrganization
let receiver: WebhookReceiver
before(async () => {
  receiver = await startWebhookReceiver()
  app = await startTestApp({
    hosts: [await createFaultyHost('good')],
    background: { poll_s: 0.05 },
    environment: { OUTSIDE_ALLOW: receiver.origin },
  })
  org = await createTestOrganization(app, 1_000_000)
})
after(async () => {
  await app?.close()
  await receiver?.close()
})

interface WebhookJson {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly active: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly secret?: string
}

interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly data: T; readonly error: null }
}

/** Sends a request as clients of the first generation do, with a media type even without a body. */
async function request<T>(method: string, path: string, body?: object, user: TestUser = org.owner): Promise<Answer<T>> {
  const init = { method, headers: { 'content-type': 'application/json' } }
  const response = await user.client.fetch(path, body === undefined ? init : { ...init, body: JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

const webhooksPath = (workspace: string = org.project): string => `/workspaces/${workspace}/webhooks`

const newWebhook = (path: string, more: object = {}) => ({
  name: 'Orders',
  url: `${receiver.origin}${path}`,
  events: ['order.status'],
  active: true,
  secret: null,
  ...more,
})

async function createWebhook(path: string, more: object = {}): Promise<WebhookJson> {
  const { status: code, body } = await request<WebhookJson>('POST', webhooksPath(), newWebhook(path, more))
  assert.equal(code, 200, JSON.stringify(body))
  return body.data
}

const members = ['active', 'createdAt', 'events', 'id', 'name', 'updatedAt', 'url']

const read = async (id: string): Promise<WebhookJson> =>
  (await request<WebhookJson>('GET', `${webhooksPath()}/${id}`)).body.data

interface SubscriptionJson {
  readonly id: string
  readonly event_type: string
  readonly endpoint_url: string
  readonly active: boolean
  readonly webhook_id: string | null
}

const subscriptionsOf = async (id: string): Promise<SubscriptionJson[]> => {
  const { subscriptions } = await org.owner.client.call('event_subscriptions.list', {})
  return subscriptions.filter(({ webhook_id }) => webhook_id === id)
}

const typesOf = (rows: readonly SubscriptionJson[]): string[] => rows.map(({ event_type }) => event_type).toSorted()

test('a webhook is created, read, listed, replaced and deleted in the envelope and with the members of its clients', async () => {
  const created = await createWebhook('/life')
  assert.deepEqual(Object.keys(created).toSorted(), [...members, 'secret'].toSorted())
  assert.match(created.secret!, /^whsec_/)
  const { secret: _secret, ...shown } = created
  assert.deepEqual(await read(created.id), shown)
  const list = await request<WebhookJson[]>('GET', webhooksPath())
  assert.deepEqual(list.body, { data: [shown], error: null })
  assert.deepEqual(
    typesOf(await subscriptionsOf(created.id)),
    [...webhookEvents['order.status'].event_types].toSorted(),
  )

  const path = `${webhooksPath()}/${created.id}`
  const body = newWebhook('/moved', { name: 'Jobs', events: ['job.status'], active: false })
  const replaced = (await request<WebhookJson>('PUT', path, body)).body.data
  const { secret: _null, ...changed } = body
  assert.deepEqual({ ...replaced, updatedAt: '' }, { ...shown, ...changed, updatedAt: '' })
  const subscriptions = await subscriptionsOf(created.id)
  assert.deepEqual(typesOf(subscriptions), [...webhookEvents['job.status'].event_types].toSorted())
  assert.ok(subscriptions.every(({ active, endpoint_url }) => !active && endpoint_url === replaced.url))

  assert.equal((await request('DELETE', path)).status, 204)
  assert.deepEqual((await request('GET', webhooksPath())).body, { data: [], error: null })
  assert.deepEqual(await subscriptionsOf(created.id), [])
})

test('the events that a webhook may name need no token, and the aliases under /v2 are deprecated', async () => {
  const root = await fetch(`${app.url}/webhooks/events`)
  const alias = await fetch(`${app.url}/v2/webhooks/events`)
  const body = (await root.json()) as { data: Record<string, string>[]; error: null }
  assert.deepEqual(await alias.json(), body)
  assert.equal(body.error, null)
  assert.deepEqual(
    body.data.map(({ name }) => name),
    ['order.status', 'job.status'],
  )
  for (const event of body.data)
    assert.deepEqual(Object.keys(event), ['name', 'title', 'category', 'description', 'documentation'])
  assert.equal(root.headers.get('deprecation'), null)
  assert.ok(alias.headers.get('deprecation') && !alias.headers.has('sunset'))
  const list = await request('GET', `/v2${webhooksPath()}`)
  assert.ok(list.headers.get('deprecation') && !list.headers.has('sunset'))
  assert.match(list.headers.get('link') ?? '', new RegExp(`${webhooksPath()}>; rel="successor-version"`))
})

test('a webhook gets the events of orders of its workspace, signed with the secret that the client chose', async () => {
  const secret = 'a secret of my own'
  const { id: other } = await org.owner.client.call<{ id: string }>('projects.create', { name: 'Other' })
  const mine = await createWebhook('/mine', { secret })
  assert.equal(mine.secret, secret)
  const elsewhere = await request<WebhookJson>('POST', webhooksPath(other), newWebhook('/elsewhere'))
  // Clients send the id of their user where they know no project.
  const ofUser = await request<WebhookJson[]>('GET', webhooksPath(org.owner.user))
  assert.deepEqual(
    ofUser.body.data.map(({ id }) => id),
    [mine.id],
  )
  const order = await placeSceneOrder(org.owner.client, 'good', [smallScenes[0]])
  await waitForOrder(org.owner.client, order, 'FULFILLED')
  const received = await eventually(async () => {
    const kinds = receiver.to('/mine').map(({ headers }) => headers['x-service-event'])
    return kinds.includes('order.fulfilled') && kinds.includes('order.created') ? receiver.to('/mine') : undefined
  }, 'the events of the order')
  assert.deepEqual(receiver.to('/elsewhere'), [])
  for (const { body, headers } of received) {
    const event = JSON.parse(body)
    assert.equal(event.entity_id, order)
    assert.equal(await verify(secret, body, String(headers['x-service-signature'])), true)
    new StandardWebhook(secret, { format: 'raw' }).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    })
  }
  await request('DELETE', `${webhooksPath()}/${mine.id}`)
  await request('DELETE', `${webhooksPath(other)}/${elsewhere.body.data.id}`)
})

test('a test sends one signed event for each event of the webhook, also while it is paused, and counts the successes', async () => {
  receiver.respond('/tested', (response, request, count) => status(count === 1 ? 200 : 500)(response, request, count))
  const { id } = await createWebhook('/tested', { events: ['order.status', 'job.status'], active: false })
  const { body } = await request<Record<string, unknown>>('POST', `${webhooksPath()}/${id}/tests`)
  assert.deepEqual({ ...body.data, startedAt: '' }, { startedAt: '', testsRun: 2, testsSucceeded: 1 })
  assert.ok(Number.isFinite(Date.parse(String(body.data['startedAt']))))
  const kinds = receiver.to('/tested').map(({ headers }) => String(headers['x-service-event']))
  assert.deepEqual(kinds.toSorted(), ['job.completed', 'order.fulfilled'])
  await request('DELETE', `${webhooksPath()}/${id}`)
})

test('a subscription of a webhook is changed by the webhook alone, and read and redelivered like any other', async () => {
  const { id } = await createWebhook('/parts')
  const [{ id: subscription_id }] = (await subscriptionsOf(id)) as [SubscriptionJson]
  const { client } = org.owner
  for (const [operation, more] of [
    ['event_subscriptions.update', { active: false }],
    ['event_subscriptions.delete', {}],
    ['event_subscriptions.rotate_secret', {}],
  ] as const)
    await assert.rejects(client.call(operation, { subscription_id, ...more }), { problem: 'invalid-state' })
  assert.equal((await client.call('event_subscriptions.get', { subscription_id })).subscription.webhook_id, id)
  assert.deepEqual((await client.call('event_subscriptions.deliveries.list', { subscription_id })).deliveries, [])
  await request('DELETE', `${webhooksPath()}/${id}`)
})

test('a private URL, unknown events and members, and more subscriptions than allowed are refused with `error.message`', async () => {
  const refuse = async (body: object, code: number): Promise<string> => {
    const answer = await request<never>('POST', webhooksPath(), body)
    assert.equal(answer.status, code)
    return (answer.body as unknown as { error: { message: string } }).error.message
  }
  assert.ok(await refuse(newWebhook('', { url: 'https://127.0.0.1/hook' }), 422))
  assert.ok(await refuse(newWebhook('/x', { events: ['asset.status'] }), 422))
  assert.ok(await refuse(newWebhook('/x', { events: [] }), 422))
  assert.ok(await refuse(newWebhook('/x', { filter: {} }), 422))
  for (let count = 0; count < limits.max_event_subscriptions - 5; count += 1)
    await app.database.unscoped.query(sql`
      insert into event_subscriptions
        (organization_id, id, event_type, endpoint_url, filter_config, active, created_at, updated_at)
      values (${org.organization}, ${newId()}, 'project.created', 'https://example.org', '{}', false, now(), now())`)
  assert.match(await refuse(newWebhook('/x'), 429), /event subscriptions/)
  assert.deepEqual((await request('GET', webhooksPath())).body, { data: [], error: null })
  await app.database.unscoped.query(sql`
    delete from event_subscriptions where organization_id = ${org.organization} and webhook_id is null`)
})

test('members manage their own webhooks in projects that they may read, admins all of them', async () => {
  const [member, admin] = [await org.addMember('member'), await org.addMember('admin')]
  const { id } = await createWebhook('/roles')
  assert.equal((await request('GET', webhooksPath(), undefined, member)).status, 403)
  await org.owner.client.call('projects.add_member', { project_id: org.project, user_id: member.user, role: 'viewer' })
  assert.deepEqual((await request('GET', webhooksPath(), undefined, member)).body.data, [])
  assert.equal((await request('GET', `${webhooksPath()}/${id}`, undefined, member)).status, 404)
  assert.equal((await request('GET', `${webhooksPath()}/${id}`, undefined, admin)).status, 200)
  const own = await request<WebhookJson>('POST', webhooksPath(), newWebhook('/own'), member)
  assert.equal(own.status, 200)
  assert.equal((await request('DELETE', `${webhooksPath()}/${own.body.data.id}`, undefined, member)).status, 204)
})
