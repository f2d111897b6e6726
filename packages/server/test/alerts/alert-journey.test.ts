import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ParsedMail } from 'mailparser'
import { headerOf, readOutbox, recipientsOf } from './mail.ts'
import { placeFirstSceneOrder } from '../delivered-order.ts'
import { waitForOrder } from '../orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../test-app.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'

let app: TestApp
let folder: string
let org: TestOrganization
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-alerts-'))
  app = await startTestApp({ background: immediateRetries, environment: { SWATH_DATA_DIR: folder } })
  org = await createTestOrganization(app)
})
after(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Repeats a read until it returns something; background work has no other sign of its end. */
async function waitFor<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    await pause(50)
  }
}

const findMail = (subject: RegExp) =>
  waitFor(async () => {
    await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.sweepEmails, {}))
    return (await readOutbox(join(folder, 'outbox'))).find((mail) => subject.test(mail.subject ?? ''))
  })

const unsubscribeUrlOf = (mail: ParsedMail): string => {
  const { pathname, search } = new URL(/^<(.*)>$/.exec(headerOf(mail, 'List-Unsubscribe') ?? '')![1]!)
  return `${app.url}${pathname}${search}`
}

test('a delivered scene triggers a rule: alert event, notification, e-mail, acknowledgement, and one click ends the e-mails', async () => {
  const { client, email } = org.owner
  const { alert_rule } = await client.call('alerts.create_rule', {
    name: 'Anything at all',
    expression: 'b1',
    comparison: '>=',
    threshold: 0,
    notification_channels: ['in_app', 'email', 'webhook'],
  })
  assert.equal(alert_rule.comparison, 'gte')
  await waitForOrder(client, await placeFirstSceneOrder(client), 'FULFILLED')
  const event = await waitFor(async () => (await client.call('alerts.events.list', {})).alert_events[0])
  assert.equal(event.rule_id, alert_rule.id)

  const tested = await client.call('alerts.test_rule', { rule_id: alert_rule.id, item_id: event.item_id! })
  assert.equal(tested.computed_value, event.computed_value)
  const { results } = await client.call('alerts.backtest_rule', { rule_id: alert_rule.id })
  assert.deepEqual(
    results.map(({ item_id, computed_value, outcome }) => [item_id, computed_value, outcome]),
    [[event.item_id, event.computed_value, 'triggered']],
  )
  const image = await client.fetch(event.picture_url!.slice(app.url.length), {})
  assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png'])
  const anonymous = await fetch(event.picture_url!)
  assert.equal(anonymous.status, 401)

  const { notifications } = await client.call('notifications.list', {})
  assert.deepEqual(notifications.map(({ kind }) => kind).toSorted(), ['alert', 'order.fulfilled'])
  assert.equal((await client.call('notifications.unread_count', {})).unread_count, 2)
  const mail = await findMail(/^Alert: Anything at all$/)
  assert.deepEqual(recipientsOf(mail), [email])
  // A reader of mail has no token for the URL of the image.
  const [attached] = mail.attachments
  assert.deepEqual([attached?.filename, attached?.contentType], ['after.jpg', 'image/jpeg'])
  assert.ok(attached!.content.length > 100)

  const { alert_event } = await client.call('alerts.acknowledge_event', { event_id: event.id })
  assert.equal(alert_event.acknowledged_by, org.owner.user)
  const { events } = await client.call('events.list', { entity_type: 'alert_event' })
  assert.deepEqual(
    events.map(({ event_type }) => event_type),
    ['alert.acknowledged', 'alert.triggered'],
  )

  const url = unsubscribeUrlOf(mail)
  const emailOf = async () =>
    (await client.call('notifications.preferences.get', {})).preferences.find(({ kind }) => kind === 'alert')!.email
  const page = await fetch(url)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<button>End these e-mails<\/button>/)
  assert.equal(await emailOf(), 'immediate')
  const body = new FormData()
  body.set('List-Unsubscribe', 'One-Click')
  assert.equal((await fetch(url, { method: 'POST', body })).status, 200)
  assert.equal(await emailOf(), 'off')
})

test('the e-mail about an order names the order and the organization', async () => {
  const { text = '' } = await findMail(/^Order delivered$/)
  assert.match(text, /“\S.*, \d{4}-\d\d-\d\d.*” was delivered in full; [\d,]+ credits were charged\./)
  assert.match(text, /You receive this e-mail as a member of \S/)
})

test('a changed unsubscribe link changes nothing', async () => {
  const mail = await findMail(/^Order delivered$/)
  const url = `${unsubscribeUrlOf(mail)}x`
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  assert.equal((await fetch(url, { method: 'POST', body })).status, 404)
  assert.equal((await fetch(url)).status, 404)
  const { preferences } = await org.owner.client.call('notifications.preferences.get', {})
  assert.equal(preferences.find(({ kind }) => kind === 'order.fulfilled')?.email, 'immediate')
})
