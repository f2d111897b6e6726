import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyWebhook } from '@swath/client/webhooks/verify-webhook.ts'
import { eventually } from '../../../test/webhooks/delivery-client.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp({ background: { poll_s: 0.05 } })
  org = await createTestOrganization(app)
})
after(() => app?.close())

const endpoint_url = 'swath://inbox'
const event_type = 'collection.created'
const headers = { 'X-Tenant': 'north', 'X-Api-Key': 'do-not-show' }

test('the test inbox stores the request for a server, and its signature verifies with the secret', async () => {
  const { client } = org.owner
  const { id: subscription_id, secret } = await client.call('event_subscriptions.create', {
    event_type,
    endpoint_url,
    headers,
  })
  const { id } = await client.call('collections.create', { project_id: org.project, name: 'Übermut \u{1f6f0}' })
  const delivery = await eventually(async () => {
    const { deliveries } = await client.call('event_subscriptions.deliveries.list', { subscription_id })
    return deliveries.find(({ state }) => state === 'succeeded')
  }, 'the delivery')
  const { payload, attempts } = await client.call('event_subscriptions.deliveries.get', { delivery_id: delivery.id })
  assert.equal(payload.entity_id, id)
  const [received] = attempts
  assert.deepEqual([received!.delivered, received!.http_status, received!.endpoint_url], [true, 200, endpoint_url])
  const { response_headers } = received!
  assert.equal(response_headers['X-Tenant'], 'north')
  assert.equal(JSON.stringify(attempts).includes('do-not-show'), false, 'credentials are not stored with an attempt')
  const body = JSON.stringify(payload)
  const event = await verifyWebhook(secret, { headers: response_headers, body })
  assert.deepEqual([event.event_id, event.sequence], [delivery.event_id, 1])
  await assert.rejects(verifyWebhook(secret, { headers: response_headers, body: `${body} ` }), /No signature/)
})

test('a test to the inbox returns the headers and the body, which verify, and is redacted', async () => {
  const { client } = org.owner
  const { id: subscription_id, secret } = await client.call('event_subscriptions.create', {
    event_type,
    endpoint_url,
    headers,
  })
  const sent = await client.call('event_subscriptions.test', { subscription_id })
  assert.deepEqual([sent.delivered, sent.http_status, sent.headers['X-Api-Key']], [true, 200, '[redacted]'])
  const event = await verifyWebhook(secret, { headers: sent.headers, body: JSON.stringify(sent.payload) })
  assert.equal(event.event_id, sent.event_id)
})

test('only the exact URL is the inbox, and other organizations do not see its deliveries', async () => {
  const { client } = org.owner
  for (const other of ['swath://inbox/', 'swath://inbox?x', 'SWATH://inbox', 'swath://localhost', 'swath://inbox@127.0.0.1'])
    await assert.rejects(client.call('event_subscriptions.create', { event_type, endpoint_url: other }), { problem: 'validation' }) // prettier-ignore
  const { id } = await client.call('event_subscriptions.create', { event_type, endpoint_url })
  const stranger = await createTestOrganization(app)
  await assert.rejects(stranger.owner.client.call('event_subscriptions.deliveries.list', { subscription_id: id }), { problem: 'not-found' }) // prettier-ignore
})
