import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { advanceSandbox, createTestSandbox, listSandboxEvents } from '../../../test/sandbox/sandboxes.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createDeliveryClient, type DeliveryClient } from '../../../test/webhooks/delivery-client.ts'
import { startWebhookReceiver, status, type WebhookReceiver } from '../../../test/webhooks/webhook-receiver.ts'

const [minute_s, day_s] = [60, 86_400]
let app: TestApp
let receiver: WebhookReceiver
before(async () => {
  receiver = await startWebhookReceiver()
  app = await startTestApp({ background: { poll_s: 0.05 }, environment: { OUTSIDE_ALLOW: receiver.origin } })
})
after(async () => {
  await app?.close()
  await receiver?.close()
})

interface SandboxFixture extends DeliveryClient {
  readonly client: Client
  advance(seconds: number): Promise<string>
}

async function createFixture(): Promise<SandboxFixture> {
  const { client } = await createTestSandbox(app)
  const [project] = (await client.call('projects.list', {})).projects
  const deliveries = createDeliveryClient(client, project!.id, receiver)
  return { ...deliveries, client, advance: (seconds) => advanceSandbox(client, seconds) }
}

test('attempts of a sandbox are made as its clock is advanced, and only then, until the dead letter', async () => {
  receiver.respond('/refusing', status(400))
  const sandbox = await createFixture()
  const subscription = await sandbox.subscribe('/refusing')
  await sandbox.createCollection()
  await sandbox.waitFor(subscription, 'retrying', 1)
  await sandbox.advance(2)
  assert.equal(receiver.to('/refusing').length, 1)
  await sandbox.advance(minute_s)
  assert.equal(receiver.to('/refusing').length, 2)
  await sandbox.advance(5 * day_s)
  const [delivery] = await sandbox.list(subscription)
  assert.deepEqual([delivery?.state, delivery?.attempts, receiver.to('/refusing').length], ['dead', 10, 10])
})

test('a recovered endpoint of a sandbox gets waiting deliveries, and the warning by the sandbox clock', async () => {
  const sandbox = await createFixture()
  let isUp = false
  receiver.respond('/down', (response, request, count) => status(isUp ? 204 : 503)(response, request, count))
  const subscription = await sandbox.subscribe('/down')
  await sandbox.createCollection()
  await sandbox.waitFor(subscription, 'retrying', 1)
  await sandbox.advance(2 * day_s)
  const warnings = (await listSandboxEvents(sandbox.client)).filter(({ event_type }) => event_type.endsWith('.failing'))
  assert.equal(warnings.length, 1)
  isUp = true
  await sandbox.advance(day_s)
  const [delivery] = await sandbox.list(subscription)
  assert.equal(delivery?.state, 'succeeded')
})
