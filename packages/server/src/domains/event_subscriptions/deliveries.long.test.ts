import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { hour_ms } from '@swath/geo/time-units.ts'
import { verifyWebhook } from '@swath/client/webhooks/verify-webhook.ts'
import { sql } from '../../platform/database/sql.ts'
import { createManualClock, type ManualClock } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'
import {
  createDeliveryClient,
  eventually,
  type DeliveryClient,
  type SubscriptionJson,
} from '../../../test/webhooks/delivery-client.ts'
import { startWebhookReceiver, status, type WebhookReceiver } from '../../../test/webhooks/webhook-receiver.ts'

let app: TestApp
let clock: ManualClock
let org: TestOrganization
let receiver: WebhookReceiver
let deliveries: DeliveryClient
before(async () => {
  receiver = await startWebhookReceiver()
  clock = createManualClock(new Date())
  app = await startTestApp({ clock, background: { poll_s: 0.05 }, environment: { OUTSIDE_ALLOW: receiver.origin } })
  org = await createTestOrganization(app)
  deliveries = createDeliveryClient(org.owner.client, org.project, receiver)
})
after(async () => {
  await app?.close()
  await receiver?.close()
})

test('a delivery is accepted by the public verifiers of GitHub signatures, Standard Webhooks and Svix, and by our own', async () => {
  const subscription = await deliveries.subscribe('/verified')
  const name = 'Zürich 🛰️ \u2028 "quoted"'
  const collection = await deliveries.createCollection(name)
  await deliveries.waitFor(subscription, 'succeeded')
  const [request] = receiver.to('/verified')
  assert.ok(request)
  const { headers, body } = request
  const event = JSON.parse(body)
  assert.deepEqual(
    { ...event, event_id: '', timestamp: '' },
    {
      event_id: '',
      event_type: 'collection.created',
      timestamp: '',
      organization_id: org.organization,
      entity_type: 'collection',
      entity_id: collection,
      data: { project_id: org.project, name },
      sequence: 1,
    },
  )
  assert.equal(headers['x-service-event'], 'collection.created')
  assert.equal(headers['x-service-event-id'], event.event_id)
  assert.match(String(headers['x-service-delivery-id']), /^[0-9a-f-]{36}$/)
  assert.equal(await verify(subscription.secret, body, String(headers['x-service-signature'])), true)
  assert.equal(await verify(`${subscription.secret}x`, body, String(headers['x-service-signature'])), false)
  const standardHeaders = {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  }
  assert.deepEqual(new StandardWebhook(subscription.secret).verify(body, standardHeaders), event)
  new SvixWebhook(subscription.secret).verify(body, standardHeaders)
  assert.deepEqual(await verifyWebhook(subscription.secret, request, { now_ms: clock.now().getTime() }), event)
  assert.throws(() => new SvixWebhook(subscription.secret).verify(`${body} `, standardHeaders))
  assert.throws(() => new StandardWebhook(subscription.secret).verify(`${body} `, standardHeaders))
  await deliveries.delete(subscription)
})

test('any 2xx acknowledges; redirects are not followed and other responses are failures', async () => {
  const accepted = [200, 201, 204, 206, 299]
  const refused = [300, 301, 302, 303, 307, 308, 400, 401, 404, 500, 502, 504]
  const subscriptions = new Map<number, SubscriptionJson>()
  for (const code of [...accepted, ...refused]) {
    receiver.respond(`/status/${code}`, status(code, { location: `${receiver.origin}/redirected` }))
    subscriptions.set(code, await deliveries.subscribe(`/status/${code}`))
  }
  await deliveries.createCollection()
  for (const [code, subscription] of subscriptions) {
    const isAccepted = accepted.includes(code)
    const [attempt] = await deliveries.attemptsOf(
      await deliveries.waitFor(subscription, isAccepted ? 'succeeded' : 'retrying', 1),
    )
    assert.deepEqual([attempt?.http_status, attempt?.delivered], [code, isAccepted])
    if (!isAccepted) assert.equal(attempt?.response_body, `status ${code}`)
    await deliveries.delete(subscription)
  }
  assert.equal(receiver.to('/redirected').length, 0)
})

test('a failed delivery is retried on the clock of its organization with one event id, and dead-lettered at the end', async () => {
  const subscription = await deliveries.subscribe('/always-400')
  receiver.respond('/always-400', status(400))
  await deliveries.createCollection()
  const delays_s = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [index, delay_s] of delays_s.entries()) {
    const delivery = await deliveries.waitFor(subscription, 'retrying', index + 1)
    const wait_ms = Date.parse(delivery.next_attempt_at!) - clock.forOrganization(org.organization).now().getTime()
    assert.ok(wait_ms >= delay_s * 1000 && wait_ms <= delay_s * 1200, `${wait_ms} ms for ${delay_s} s`)
    clock.advance(wait_ms, org.organization)
  }
  const delivery = await deliveries.waitFor(subscription, 'dead', 10)
  const requests = receiver.to('/always-400')
  assert.equal(requests.length, 10)
  assert.equal(new Set(requests.map(({ headers }) => headers['x-service-event-id'])).size, 1)
  assert.equal(new Set(requests.map(({ headers }) => headers['x-service-delivery-id'])).size, 10)
  assert.equal((await deliveries.attemptsOf(delivery)).length, 10)

  receiver.respond('/always-400', status(200))
  await deliveries.call('event_subscriptions.deliveries.redeliver', { delivery_id: delivery.id })
  const delivered = await deliveries.waitFor(subscription, 'succeeded', 1)
  assert.equal(delivered.event_id, delivery.event_id)
  assert.equal(receiver.to('/always-400').at(-1)?.headers['webhook-id'], delivery.event_id)
  await deliveries.delete(subscription)
})

test('410 disables the subscription and ends its deliveries', async () => {
  const subscription = await deliveries.subscribe('/gone')
  receiver.respond('/gone', status(410))
  await deliveries.createCollection()
  await deliveries.waitFor(subscription, 'dead', 1)
  const disabled = await deliveries.read(subscription)
  assert.deepEqual([disabled.active, disabled.disabled_reason], [false, 'gone'])
  const { events } = await deliveries.call<{ events: { entity_id: string; data: object }[] }>('events.list', {
    event_type: 'event_subscription.disabled',
    entity_id: subscription.id,
  })
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ event_type: 'collection.created', endpoint_url: `${receiver.origin}/gone`, reason: 'gone' }],
  )
  await deliveries.delete(subscription)
})

test('Retry-After of 429 and 503 holds the endpoint, in seconds or until a date', async () => {
  for (const [path, code, retryAfter] of [
    ['/slow-down', 429, '120'],
    ['/maintenance', 503, new Date(clock.now().getTime() + 120_000).toUTCString()],
  ] as const) {
    const subscription = await deliveries.subscribe(path)
    receiver.respond(path, (response, _request, count) =>
      status(count === 1 ? code : 200, count === 1 ? { 'retry-after': retryAfter } : {})(response, _request, count),
    )
    await deliveries.createCollection()
    const delivery = await deliveries.waitFor(subscription, 'retrying', 1)
    const now_ms = clock.forOrganization(org.organization).now().getTime()
    const wait_ms = Date.parse(delivery.next_attempt_at!) - now_ms
    assert.ok(wait_ms > 100_000 && wait_ms <= 130_000, `${wait_ms} ms`)
    const { held_until } = await deliveries.read(subscription)
    assert.ok(Date.parse(held_until!) > now_ms + 100_000)
    clock.advance(130_000, org.organization)
    await deliveries.waitFor(subscription, 'succeeded', 2)
    assert.equal((await deliveries.read(subscription)).held_until, null)
    await deliveries.delete(subscription)
  }
})

test('an endpoint that is down is left alone, delays no other, and receives everything once it is back', async () => {
  const down = await deliveries.subscribe('/down')
  const healthy = await deliveries.subscribe('/healthy')
  let isUp = false
  receiver.respond('/down', (response, request, count) => status(isUp ? 200 : 500)(response, request, count))
  for (let index = 0; index < 20; index += 1) await deliveries.createCollection()
  await eventually(
    async () => (receiver.to('/healthy').length >= 20 ? true : undefined),
    'delivery to the healthy endpoint',
  )
  await eventually(async () => ((await deliveries.read(down)).held_until ? true : undefined), 'the hold')
  const requests = receiver.to('/down').length
  assert.ok(requests < 20, `${requests} requests reached the endpoint that is down`)
  isUp = true
  clock.advance(hour_ms, org.organization)
  await eventually(
    async () => ((await deliveries.list(down)).every(({ state }) => state === 'succeeded') ? true : undefined),
    'delivery after the outage',
  )
  assert.deepEqual((await deliveries.read(down)).failing_since, null)
  await deliveries.delete(down)
  await deliveries.delete(healthy)
})

test('after a day of failures the organization is warned, and after five the subscription is disabled', async () => {
  const subscription = await deliveries.subscribe('/five-days')
  receiver.respond('/five-days', status(500))
  const eventsAbout = async (event_type: string): Promise<number> =>
    (await deliveries.call<{ events: object[] }>('events.list', { event_type, entity_id: subscription.id })).events
      .length
  const hoursSince = (begin_ms: number): number =>
    (clock.forOrganization(org.organization).now().getTime() - begin_ms) / hour_ms
  /** Lets 8 hours pass after each failure, until the condition is true. */
  const failUntil = async (isDone: () => Promise<boolean>): Promise<void> => {
    while (!(await isDone())) {
      const { attempts } = (await deliveries.list(subscription))[0]!
      clock.advance(8 * hour_ms, org.organization)
      await eventually(async () => {
        const [delivery] = await deliveries.list(subscription)
        return delivery!.attempts > attempts && delivery!.state !== 'delivering' ? true : undefined
      }, 'the next failure')
    }
  }
  await deliveries.createCollection()
  await deliveries.waitFor(subscription, 'retrying', 1)
  const begin_ms = clock.forOrganization(org.organization).now().getTime()
  await failUntil(async () => (await eventsAbout('event_subscription.failing')) === 1)
  assert.ok(hoursSince(begin_ms) >= 24 && hoursSince(begin_ms) < 48, `${hoursSince(begin_ms)} hours`)
  assert.equal((await deliveries.read(subscription)).active, true)
  const isPast = (time: string | null): boolean =>
    time === null || Date.parse(time) <= clock.forOrganization(org.organization).now().getTime()
  const hasDue = async (): Promise<boolean> =>
    isPast((await deliveries.read(subscription)).held_until) &&
    (await deliveries.list(subscription)).some(
      ({ next_attempt_at }) => next_attempt_at !== null && isPast(next_attempt_at),
    )
  // An event that is created while the subscription is disabled leaves a delivery that waits for the activation, so an event
  // is created only when nothing is due whose failure could disable.
  while ((await deliveries.read(subscription)).disabled_reason !== 'failing') {
    await deliveries.createCollection()
    clock.advance(8 * hour_ms, org.organization)
    await eventually(async () => ((await hasDue()) ? undefined : true), 'attempts of all that is due')
  }
  assert.ok(hoursSince(begin_ms) >= 120, `${hoursSince(begin_ms)} hours`)
  assert.equal(await eventsAbout('event_subscription.failing'), 1)
  assert.equal(await eventsAbout('event_subscription.disabled'), 1)
  assert.ok((await deliveries.list(subscription)).every(({ state }) => state === 'dead'))
  await deliveries.delete(subscription)
})

test('slow, dripping, endless, broken and reset responses end within the limits', async () => {
  receiver.respond('/endless', (response) => {
    response.writeHead(200)
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16 * 1024)));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  receiver.respond('/reset', (response) => void response.socket?.destroy())
  receiver.respond('/reset-in-body', (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x')
    setTimeout(() => response.socket?.destroy(), 20)
  })
  receiver.respond('/gzip', (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'))
  receiver.respond('/nul', (response) => void response.writeHead(200).end('a\u0000b'))
  for (const [path, state] of [
    ['/endless', 'succeeded'],
    ['/reset', 'retrying'],
    ['/reset-in-body', 'succeeded'],
    ['/gzip', 'succeeded'],
    ['/nul', 'succeeded'],
  ] as const) {
    const subscription = await deliveries.subscribe(path)
    await deliveries.createCollection()
    const [attempt] = await deliveries.attemptsOf(await deliveries.waitFor(subscription, state, 1))
    assert.ok((attempt?.response_body ?? '').length <= 4096)
    await deliveries.delete(subscription)
  }
})

test('the secret is shown once, and both secrets sign while a rotation overlaps', async () => {
  const subscription = await deliveries.subscribe('/rotated')
  assert.equal((await deliveries.read(subscription)).secret, '[redacted]')
  const rotated = await deliveries.call<SubscriptionJson>('event_subscriptions.rotate_secret', {
    subscription_id: subscription.id,
    overlap_hours: 1,
  })
  assert.notEqual(rotated.secret, subscription.secret)
  await deliveries.createCollection()
  await eventually(async () => (receiver.to('/rotated').length === 1 ? true : undefined), 'the delivery')
  const verifyStandard = (secret: string, { headers, body }: { headers: object; body: string }): unknown =>
    new StandardWebhook(secret).verify(body, headers as Record<string, string>)
  const [overlapping] = receiver.to('/rotated')
  verifyStandard(subscription.secret, overlapping!)
  verifyStandard(rotated.secret, overlapping!)
  clock.advance(2 * hour_ms, org.organization)
  await deliveries.createCollection()
  await eventually(async () => (receiver.to('/rotated').length === 2 ? true : undefined), 'the second delivery')
  const [, later] = receiver.to('/rotated')
  assert.throws(() => verifyStandard(subscription.secret, later!))
  verifyStandard(rotated.secret, later!)
  const stored = await app.database.unscoped.query(sql`select * from event_subscriptions`)
  assert.ok(stored.length > 0 && !JSON.stringify(stored).includes('whsec_'))
  await deliveries.delete(subscription)
})

test('a test event is sent while the subscription is paused, once, marked, and is limited', async () => {
  const subscription = await deliveries.subscribe('/tested', {
    headers: { 'X-Team': 'Imagery', Authorization: 'Bearer abc' },
  })
  await deliveries.call('event_subscriptions.update', { subscription_id: subscription.id, active: false })
  const result = await deliveries.call<Record<string, unknown>>('event_subscriptions.test', {
    subscription_id: subscription.id,
  })
  assert.deepEqual([result.status, result.delivered, result.http_status], ['delivered', true, 200])
  const [request] = receiver.to('/tested')
  const body = JSON.parse(request!.body)
  assert.deepEqual([body.test, body.event_id, body.event_type], [true, result.event_id, 'collection.created'])
  assert.deepEqual([request!.headers['x-team'], request!.headers.authorization], ['Imagery', 'Bearer abc'])
  assert.equal(await verify(subscription.secret, request!.body, String(request!.headers['x-service-signature'])), true)
  receiver.respond('/tested', status(500))
  const failed = await deliveries.call<Record<string, unknown>>('event_subscriptions.test', {
    subscription_id: subscription.id,
  })
  assert.deepEqual([failed.status, failed.http_status], ['failed', 500])
  for (let sent = 2; sent < 10; sent += 1)
    await deliveries.call('event_subscriptions.test', { subscription_id: subscription.id })
  await assert.rejects(
    deliveries.call('event_subscriptions.test', { subscription_id: subscription.id }),
    /At most 10 tests/,
  )
  assert.deepEqual(await deliveries.list(subscription), [])
  await deliveries.delete(subscription)
})

test('a replay sends the failed events of a period again, or all of them', async () => {
  const subscription = await deliveries.subscribe('/replayed')
  receiver.respond('/replayed', status(400))
  const since = clock.forOrganization(org.organization).now().toISOString()
  await deliveries.createCollection()
  await deliveries.waitFor(subscription, 'retrying', 1)
  clock.advance(120 * hour_ms, org.organization)
  await deliveries.waitFor(subscription, 'dead')
  receiver.respond('/replayed', status(200))
  const window = { subscription_id: subscription.id, since }
  const replayed = await deliveries.call('event_subscriptions.deliveries.replay_window', window)
  assert.deepEqual(replayed, { replayed_count: 1, has_more: false })
  await deliveries.waitFor(subscription, 'succeeded', 1)
  assert.deepEqual(await deliveries.call('event_subscriptions.deliveries.replay_window', window), {
    replayed_count: 0,
    has_more: false,
  })
  const all = await deliveries.call('event_subscriptions.deliveries.replay_window', {
    ...window,
    include_delivered: true,
  })
  assert.deepEqual(all, { replayed_count: 1, has_more: false })
  await deliveries.delete(subscription)
})
