import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { limits } from '@swath/contract/limits.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { idOfDay } from '../../../test/events/attempt-days.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhooks/webhook-receiver.ts'
import { storedDeliveries } from '../../../test/webhooks/stored-deliveries.ts'

let app: TestApp
let org: TestOrganization
let receiver: WebhookReceiver
before(async () => {
  receiver = await startWebhookReceiver()
  app = await startTestApp({ background: { poll_s: 0.05 }, environment: { OUTSIDE_ALLOW: receiver.origin } })
  org = await createTestOrganization(app)
})
after(async () => {
  await app?.close()
  await receiver?.close()
})

const create = (more: object, client: Client = org.owner.client): Promise<{ id: string }> =>
  client.call('event_subscriptions.create', {
    event_type: 'collection.created',
    endpoint_url: `${receiver.origin}/hook`,
    ...more,
  })

const refusesUrl = (endpoint_url: string): Promise<void> =>
  assert.rejects(create({ endpoint_url }), /endpoint_url: is not allowed/, `${endpoint_url} should be refused`)

test('several event types are subscribed at once with one secret, or none of them', async () => {
  const own = await createTestOrganization(app)
  const { client } = own.owner
  const endpoint_url = `${receiver.origin}/many`
  const many = (event_types: string[]) => client.call('event_subscriptions.create_many', { event_types, endpoint_url })
  const { secret, subscriptions } = await many(['collection.created', 'collection.updated'])
  assert.deepEqual(
    subscriptions.map(({ event_type, secret: shown }) => [event_type, shown]),
    [
      ['collection.created', '[redacted]'],
      ['collection.updated', '[redacted]'],
    ],
  )
  assert.match(secret, /^whsec_/)
  await assert.rejects(many(['collection.created', 'no.such.type']), { problem: 'validation' })
  await assert.rejects(many(['collection.created', 'collection.created']), { problem: 'validation' })
  const { subscriptions: stored } = await client.call('event_subscriptions.list', {})
  assert.equal(stored.length, 2)
  await client.call('collections.create', { project_id: own.project, name: 'Signed' })
  for (let polls = 0; receiver.to('/many').length === 0 && polls < 200; polls++) await pause(50)
  const [delivered] = receiver.to('/many')
  const signature = `sha256=${createHmac('sha256', secret).update(delivered!.body).digest('hex')}`
  assert.equal(delivered!.headers['x-service-signature'], signature, 'signed with the common secret')
})

test('a URL that is not https to a public host is refused when the subscription is created or changed', async () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
    '169.254.169.254',
    'metadata.google.internal',
    '[fd00::1]',
    '[fe80::1]',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'localhost.',
    'ⓛocalhost',
    'ok@127.0.0.1',
    'example.com:22',
    'example.com:25',
    'example.com:6379',
  ]
  for (const host of hosts) await refusesUrl(`https://${host}/hook`)
  for (const url of ['http://example.com/', 'HTTP://EXAMPLE.COM/', 'file:///etc/passwd', 'gopher://example.com/'])
    await refusesUrl(url)
  const { id } = await create({})
  await assert.rejects(
    org.owner.client.call('event_subscriptions.update', { subscription_id: id, endpoint_url: 'https://10.0.0.1/' }),
    /endpoint_url: is not allowed/,
  )
})

test('headers that belong to the connection or the platform are refused, and line breaks', async () => {
  for (const name of ['Host', 'X-Service-Signature', 'Transfer-Encoding', 'Connection', 'Content-Length', 'webhook-id'])
    await assert.rejects(create({ headers: { [name]: 'x' } }), /is a header that the platform sets/, name)
  await assert.rejects(create({ headers: { 'X-A': 'a\r\nHost: b' } }), /without line breaks/)
  await assert.rejects(create({ headers: { 'X A': 'a' } }), /not a header name/)
  await assert.rejects(create({ headers: { 'X-A': 'a', 'x-a': 'b' } }), /names a header twice/)
})

test('a filter must name members that the data of the event type has', async () => {
  for (const filter_config of [
    { nmae: 'x' },
    { __proto__x: 1 },
    { 'constructor.name': 'x' },
    { '*': 'x' },
    { 'name.first': 'x' },
    { name: { a: 1 } },
    { name: [] },
  ])
    await assert.rejects(create({ filter_config }), /filter_config/, JSON.stringify(filter_config))
  await assert.rejects(create({ event_type: 'collection.imagined' }), /is not an event type/)
})

/** The deliveries that an event causes, by the description of the subscription. */
async function matches(
  subscriptions: Readonly<Record<string, object>>,
  cause: () => Promise<unknown>,
): Promise<string[]> {
  const ids = new Map<string, string>()
  for (const [name, more] of Object.entries(subscriptions)) ids.set((await create(more)).id, name)
  await cause()
  const rows = await app.database.unscoped.query<{ subscription_id: string }>(sql`
    select subscription_id from ${storedDeliveries} d where subscription_id = any(${[...ids.keys()]}::uuid[])`)
  for (const subscription_id of ids.keys())
    await org.owner.client.call('event_subscriptions.delete', { subscription_id })
  return rows.map((row) => ids.get(row.subscription_id)!).toSorted()
}

test('a filter narrows deliveries by entity type and by values at dotted paths', async () => {
  const name = newId()
  const matched = await matches(
    {
      all: {},
      entity: { filter_config: { entity_type: 'collection' } },
      otherEntity: { filter_config: { entity_type: 'order' } },
      value: { filter_config: { name } },
      prefixed: { filter_config: { 'data.name': name } },
      oneOf: { filter_config: { name: ['other', name] } },
      both: { filter_config: { name, project_id: org.project } },
      otherValue: { filter_config: { name: 'other' } },
      otherType: { filter_config: { name: 1 } },
      missing: { filter_config: { order_id: newId() } },
      onlyOne: { filter_config: { name, project_id: newId() } },
    },
    () => org.owner.client.call('collections.create', { project_id: org.project, name }),
  )
  assert.deepEqual(matched, ['all', 'both', 'entity', 'oneOf', 'prefixed', 'value'])
})

test('a member receives events of their projects only, and nobody those of another organization', async () => {
  const member = await org.addMember('member')
  const other = await createTestOrganization(app)
  const hidden = await create({}, member.client)
  const foreign = await create({}, other.owner.client)
  const collection = (): Promise<unknown> =>
    org.owner.client.call('collections.create', { project_id: org.project, name: newId() })
  await collection()
  const count = async ({ id }: { id: string }): Promise<number> =>
    (await app.database.unscoped.query(sql`select id from ${storedDeliveries} d where subscription_id = ${id}`)).length
  assert.equal(await count(hidden), 0)
  await org.owner.client.call('projects.add_member', { project_id: org.project, user_id: member.user, role: 'viewer' })
  await collection()
  assert.equal(await count(hidden), 1)
  assert.equal(await count(foreign), 0)
  const get = (client: Client, { id }: { id: string }) =>
    client.call('event_subscriptions.get', { subscription_id: id })
  await assert.rejects(get(other.owner.client, hidden), /No event subscription/)
  await assert.rejects(get(member.client, await create({})), /No event subscription/)
  await get(org.owner.client, hidden)
})

test('a poller continues after a late commit, and a stream resumes after the last event id', async () => {
  const { client } = (await createTestOrganization(app)).owner
  interface Page {
    readonly events: readonly { readonly event_id: string; readonly event_type: string }[]
    readonly next?: string | undefined
  }
  const poll = (next?: string): Promise<Page> =>
    (client as { call<T>(id: string, input: object): Promise<T> }).call<Page>('events.list', {
      order: 'oldest',
      limit: 100,
      ...(next ? { next } : {}),
    })
  const first = await poll()
  assert.ok(first.events.length > 0)
  assert.deepEqual((await poll(first.next)).events, [])
  // An event that was made before those that were read, and is committed after they were.
  const late = idOfDay(-1)
  await app.database.unscoped.query(sql`
    insert into events (organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at)
    select organization_id, ${late}, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at
    from events where id = ${first.events[0]!.event_id}`)
  assert.deepEqual(
    (await poll(first.next)).events.map(({ event_id }) => event_id),
    [late],
  )
  const response = await client.fetch('/api/v1/events/stream', {
    headers: { 'last-event-id': first.events.at(-1)!.event_id },
  })
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  let text = ''
  while (!text.includes('data: ')) text += decoder.decode((await reader.read()).value)
  assert.match(text, new RegExp(`id: ${late}\nevent: [a-z_.]+\ndata: {`))
  await client.call('projects.create', { name: newId() })
  while (!text.includes('event: project.created')) text += decoder.decode((await reader.read()).value)
  await reader.cancel()
})

test('a stream begins with the oldest event after a deleted one, and refuses one that never existed', async () => {
  const { client } = (await createTestOrganization(app)).owner
  const resume = (last_event_id: string): Promise<Response> =>
    client.fetch('/api/v1/events/stream', { headers: { 'last-event-id': last_event_id } })
  const [oldest] = (await client.call<{ events: { event_id: string }[] }>('events.list', { order: 'oldest' })).events
  const reader = (await resume(idOfDay(-limits.event_days - 1))).body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('data: ')) text += decoder.decode((await reader.read()).value)
  await reader.cancel()
  assert.equal(/^id: (.*)$/m.exec(text)![1], oldest!.event_id)
  for (const unknown of [newId(), idOfDay(-limits.event_days + 1), 'x'])
    assert.equal((await resume(unknown)).status, 422)
})

test('an organization may have a limited number of streams open, and the end of one allows another', async () => {
  const { client } = (await createTestOrganization(app)).owner
  const openStream = (): Promise<Response> => client.fetch('/api/v1/events/stream', {})
  const streams: Response[] = []
  for (let count = 0; count < limits.max_event_streams; count += 1) streams.push(await openStream())
  const refused = await openStream()
  assert.equal(refused.status, 429)
  assert.match(((await refused.json()) as { type: string }).type, /rate-limited$/)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await org.owner.client.fetch('/api/v1/events/stream?max_seconds=1', {})).status, 200)
  await streams.pop()!.body!.cancel()
  await waitUntil(async () => {
    const response = await openStream()
    if (response.status === 200) streams.push(response)
    else await response.body!.cancel()
    return response.status === 200
  })
  for (const { body } of streams) await body!.cancel()
})

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20)
}

test('the event types are published with schema and example', async () => {
  const response = await org.owner.client.fetch('/api/v1/event-types')
  const { event_types } = (await response.json()) as { event_types: { event_type: string; data_schema: object }[] }
  const order = event_types.find(({ event_type }) => event_type === 'order.fulfilled')
  assert.ok(order)
  assert.equal((order.data_schema as { additionalProperties?: boolean }).additionalProperties, false)
})

test('subscriptions that are created at once do not pass the limit', async () => {
  const { organization, owner } = await createTestOrganization(app)
  for (let count = 0; count < limits.max_event_subscriptions - 1; count += 1)
    await app.database.unscoped.query(sql`
      insert into event_subscriptions
        (organization_id, id, event_type, endpoint_url, filter_config, active, created_at, updated_at)
      values (${organization}, ${newId()}, 'project.created', 'https://example.org', '{}', false, now(), now())`)
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => create({}, owner.client)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of refusals) assert.equal((reason as { problem: string }).problem, 'quota-exceeded')
})
