import { everyScope } from '@swath/client/every-scope.ts'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import {
  startServerProcess,
  stopServerProcess,
  waitForOutput,
  type ServerProcess,
} from '../../../test/server-processes.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhooks/webhook-receiver.ts'

const login = { username: 'admin@example.com', password: 'a password of the rotation', scope: everyScope }
const [old_secret, new_secret] = ['the first master secret of this test', 'the second master secret of this test']
const root = join(import.meta.dirname, '../../../../..')

let folder: string
let receiver: WebhookReceiver
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-rotation-'))
  receiver = await startWebhookReceiver()
})
after(async () => {
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

const settingsOf = (secrets: Readonly<Record<string, string>>): Record<string, string> => ({
  SWATH_DATA_DIR: folder,
  PORT: '0',
  SWATH_DEMO: 'off',
  SWATH_ADMIN_EMAIL: login.username,
  SWATH_ADMIN_PASSWORD: login.password,
  OUTSIDE_ALLOW: receiver.origin,
  ...secrets,
})

interface Running {
  readonly server: ServerProcess
  readonly url: string
  readonly client: Client
}

async function start(secrets: Readonly<Record<string, string>>): Promise<Running> {
  const server = startServerProcess(settingsOf(secrets))
  await waitForOutput(server, /is ready at (\S+)/)
  const [, url] = /is ready at (http:\/\/[\w.:]+)/.exec(server.output.out)!
  return { server, url: url!, client: createClient({ baseUrl: url!, token: createTokenSource(url!, login) }) }
}

const reseal = (): string => {
  const { PATH } = process.env
  const env = { PATH, ...settingsOf({ SWATH_SECRET: new_secret, SWATH_SECRET_PREVIOUS: old_secret }) }
  const result = spawnSync('npm', ['run', 'db', '--', 'reseal'], { cwd: root, env, encoding: 'utf8' })
  assert.equal(result.status, 0, result.stderr)
  return result.stdout
}

/** A request that the holder of the signing secret would accept, for an event that the client causes. */
async function expectSignedDelivery(client: Client, secret: string): Promise<void> {
  const before_count = receiver.received.length
  await client.call('projects.create', { name: `Project ${before_count}` })
  for (let tries = 0; receiver.received.length === before_count && tries < 400; tries += 1) await pause(50)
  const { headers, body } = receiver.received.at(-1)!
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  assert.ok(String(headers['webhook-signature']).split(' ').includes(signature))
  assert.equal(headers['x-own-header'], 'of the endpoint')
}

const receiptKeyIds = async (url: string): Promise<string[]> => {
  const { keys } = (await (await fetch(`${url}/.well-known/receipt-keys.json`)).json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}

test('the master secret is replaced, and texts that were encrypted or signed before remain valid', async () => {
  const first = await start({ SWATH_SECRET: old_secret })
  const { id, secret } = await first.client.call<{ id: string; secret: string }>('event_subscriptions.create', {
    event_type: 'project.created',
    endpoint_url: `${receiver.origin}/hook`,
    headers: { 'x-own-header': 'of the endpoint' },
  })
  await expectSignedDelivery(first.client, secret)
  const token = await createTokenSource(first.url, login)()
  const [first_key] = await receiptKeyIds(first.url)
  await stopServerProcess(first.server)

  const overlap = await start({ SWATH_SECRET: new_secret, SWATH_SECRET_PREVIOUS: old_secret })
  await expectSignedDelivery(overlap.client, secret)
  const rotated = await overlap.client.call<{ secret: string }>('event_subscriptions.rotate_secret', {
    subscription_id: id,
    overlap_hours: 1,
  })
  await expectSignedDelivery(overlap.client, rotated.secret)
  const withOldToken = await fetch(`${overlap.url}/v1/op/projects.list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(withOldToken.status, 200)
  assert.equal((await receiptKeyIds(overlap.url))[1], first_key)
  await stopServerProcess(overlap.server)

  // The previous secret and the headers of the subscription, and the keys that sign tokens.
  assert.match(reseal(), /encrypted [1-9]\d* texts/)
  assert.match(reseal(), /encrypted 0 texts/)

  const last = await start({ SWATH_SECRET: new_secret })
  await expectSignedDelivery(last.client, rotated.secret)
  await expectSignedDelivery(last.client, secret)
  assert.deepEqual((await receiptKeyIds(last.url)).length, 2)
  assert.ok((await receiptKeyIds(last.url)).includes(first_key!))
  await stopServerProcess(last.server)

  const refused = startServerProcess(settingsOf({ SWATH_SECRET: old_secret }))
  await new Promise((resolve) => refused.child.once('close', resolve))
  assert.equal(refused.child.exitCode, 1)
  assert.match(refused.output.err, /created with another master secret/)
})
