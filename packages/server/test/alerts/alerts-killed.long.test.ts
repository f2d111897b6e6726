import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { freePort } from '../free-port.mjs'
import { startServerProcess, stopServerProcess, waitForOutput, type ServerProcess } from '../server-processes.ts'
import { administratorCredentials } from '../test-app.ts'
import { readOutbox } from './mail.ts'

interface RunningServer {
  readonly server: ServerProcess
  readonly client: Client
}

async function start(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  const server = startServerProcess(environment)
  await waitForOutput(server, /is ready at/)
  const baseUrl = `http://127.0.0.1:${environment['PORT']}`
  return { server, client: createClient({ baseUrl, token: createTokenSource(baseUrl, administratorCredentials) }) }
}

async function kill({ server: { child } }: RunningServer): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const rule = { expression: 'b1', comparison: '>=', threshold: 0, cooldown_minutes: 0 } as const
const rule_count = 6

const countEvents = async (client: Client): Promise<number> => (await client.call('alerts.events.list', {})).total

test('rules trigger once for each item although the process is killed while it evaluates', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-killed-'))
  const environment = {
    SWATH_DATA_DIR: folder,
    SWATH_DEMO: 'on',
    SWATH_ADMIN_EMAIL: administratorCredentials.username,
    SWATH_ADMIN_PASSWORD: administratorCredentials.password,
    PORT: String(await freePort()),
  }
  let running = await start(environment)
  try {
    for (let index = 0; index < rule_count; index++)
      await running.client.call('alerts.create_rule', {
        ...rule,
        name: `Rule ${index}`,
        notification_channels: ['in_app', 'email'],
      })
    const { features } = await running.client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
      host_name: 'open',
      limit: 2,
    })
    const captures = features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
    await running.client.call('orders.archive.place', { captures } as never)
    const expected = rule_count * captures.length
    // Killed as soon as something was evaluated, then after more, until all is done.
    for (let killed_at = 1; killed_at < expected; killed_at += 4) {
      while ((await countEvents(running.client)) < killed_at) await pause(20)
      await kill(running)
      running = await start(environment)
    }
    while ((await countEvents(running.client)) < expected) await pause(100)
    const outbox = join(folder, 'outbox')
    const listAlertMails = async () => (await readOutbox(outbox)).filter(({ subject }) => subject?.startsWith('Alert'))
    while ((await listAlertMails()).length < expected) await pause(500)

    const { alert_events } = await running.client.call('alerts.events.list', { limit: 100 })
    const pairs = new Set(alert_events.map(({ rule_id, item_id }) => `${rule_id} ${item_id}`))
    assert.deepEqual([alert_events.length, pairs.size], [expected, expected])
    const { events } = await running.client.call('events.list', { event_type: 'alert.triggered', limit: 100 })
    assert.equal(events.length, expected)
    const { notifications } = await running.client.call('notifications.list', { limit: 100 })
    assert.equal(notifications.filter(({ kind }) => kind === 'alert').length, expected)
    assert.equal((await listAlertMails()).length, expected)
    await stopServerProcess(running.server)
  } finally {
    running.server.child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})
