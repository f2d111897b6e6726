import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
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

const now_ms = (): number => clock.forOrganization(org.organization).now().getTime()

/** Waits until the endpoint is held for this time from now. */
const waitForHold = (subscription: SubscriptionJson, seconds: number): Promise<unknown> =>
  eventually(async () => {
    const { held_until } = await deliveries.read(subscription)
    return held_until !== null && Date.parse(held_until) === now_ms() + seconds * 1000 ? true : undefined
  }, `a hold of ${seconds} s`)

const waitForRequests = (path: string, count: number): Promise<unknown> =>
  eventually(async () => (receiver.to(path).length >= count ? true : undefined), `request ${count} to ${path}`)

const waitForFailures = (subscription: SubscriptionJson, count: number): Promise<unknown> =>
  eventually(async () => {
    const failed = (await deliveries.list(subscription)).filter(({ state }) => state === 'retrying')
    return failed.length === count ? true : undefined
  }, `${count} failures`)

/** An endpoint that keeps requests waiting until the test answers them. */
async function subscribeWaiting(path: string): Promise<{ subscription: SubscriptionJson; waiting: ServerResponse[] }> {
  const waiting: ServerResponse[] = []
  receiver.respond(path, (response) => void waiting.push(response))
  return { subscription: await deliveries.subscribe(path), waiting }
}

const answerAll = (waiting: ServerResponse[], count: number, code: number): void => {
  for (const response of waiting.splice(0, count)) response.writeHead(code).end()
}

const createEvents = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await deliveries.createCollection()
}

test('ten failures at once hold an endpoint for 15 s, and failures during the hold do not prolong it', async () => {
  const { subscription, waiting } = await subscribeWaiting('/ten')
  await createEvents(10)
  await waitForRequests('/ten', 10)
  answerAll(waiting, 6, 500)
  await waitForHold(subscription, 15)
  answerAll(waiting, 4, 500)
  await waitForFailures(subscription, 10)
  await waitForHold(subscription, 15)
  await deliveries.delete(subscription)
})

test('after each hold one probe is sent, and only its failure doubles the next hold, up to 15 minutes', async () => {
  const { subscription, waiting } = await subscribeWaiting('/probed')
  await createEvents(10)
  await waitForRequests('/probed', 10)
  answerAll(waiting, 10, 503)
  await waitForHold(subscription, 15)
  await waitForFailures(subscription, 10)
  const holds_s = [15, 30, 60, 120, 240, 480, 900, 900]
  for (const [index, hold_s] of holds_s.entries()) {
    assert.equal(receiver.to('/probed').length, 10 + index)
    clock.advance(hold_s * 1000 - 1, org.organization)
    await deliveries.createCollection()
    assert.equal(receiver.to('/probed').length, 10 + index, 'a request during the hold')
    clock.advance(1, org.organization)
    await waitForRequests('/probed', 11 + index)
    assert.equal(waiting.length, 1, 'more than one probe')
    const next_s = holds_s[index + 1]
    if (next_s === undefined) break
    answerAll(waiting, 1, 500)
    await waitForHold(subscription, next_s)
  }
  receiver.respond('/probed', status(200))
  answerAll(waiting, 1, 200)
  await eventually(async () => {
    const list = await deliveries.list(subscription)
    return list.every(({ state }) => state === 'succeeded') ? list : undefined
  }, 'delivery of everything after the probe')
  assert.equal((await deliveries.read(subscription)).held_until, null)
  await deliveries.delete(subscription)
})

test('an endpoint that recovered is held for 15 s again when it fails later', async () => {
  const { subscription, waiting } = await subscribeWaiting('/again')
  for (const round of [1, 2]) {
    const before = receiver.to('/again').length
    await createEvents(5)
    await waitForRequests('/again', before + 5)
    answerAll(waiting, 5, 500)
    await waitForHold(subscription, 15)
    receiver.respond('/again', status(200))
    clock.advance(15_000, org.organization)
    await eventually(async () => {
      const list = await deliveries.list(subscription)
      return list.every(({ state }) => state === 'succeeded') ? true : undefined
    }, `recovery ${round}`)
    receiver.respond('/again', (response) => void waiting.push(response))
  }
  await deliveries.delete(subscription)
})

test('responses below 500 never hold an endpoint', async () => {
  const { subscription, waiting } = await subscribeWaiting('/refusing')
  await createEvents(10)
  await waitForRequests('/refusing', 10)
  answerAll(waiting, 10, 400)
  await waitForFailures(subscription, 10)
  assert.equal((await deliveries.read(subscription)).held_until, null)
  await deliveries.delete(subscription)
})
