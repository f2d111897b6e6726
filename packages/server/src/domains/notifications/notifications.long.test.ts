import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms, minute_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import { notificationKinds, type NotificationKindName } from '@swath/contract/notification-kinds.ts'
import { eventDefinitions } from '@swath/contract/events.ts'
import type { Notification, NotificationPreference } from '@swath/contract/schemas/notification.ts'
import { assertRejected } from '../../../test/call-operation.ts'
import { headerOf, readOutbox, recipientsOf, startSmtpServer } from '../../../test/alerts/mail.ts'
import { createQueuedOrganization } from '../../../test/task-runner.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import type { Call } from '../../engine/call.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'
import { createSmtpMailer } from '../../platform/integrations/mail/open-mailer.ts'
import { emitEvent } from '../events/emit.ts'
import { describeUnsubscribedEmails, unsubscribeFromEmails } from './unsubscribe.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

/** An organization whose events notify its members; e-mails go to the outbox, or to the mailer that is passed. */
async function createFixture(mail: Integrations['mail'] = services.integrations.mail) {
  const queued = await createQueuedOrganization({ ...services, integrations: { ...services.integrations, mail } })
  const { organization, owner, project, runner, invoke } = queued
  const fixture = {
    ...queued,
    /** Emits the event of a kind with the data of its example, changed by `data`. */
    notify: async (
      kind: NotificationKindName,
      { call = owner, data = {}, entity = { type: 'project', id: project } } = {},
    ): Promise<void> => {
      const { event } = notificationKinds[kind]
      await call.transaction((tx) =>
        emitEvent(tx, call, {
          kind: event,
          entity_type: entity.type,
          entity_id: entity.id,
          data: { ...eventDefinitions[event].example, ...data },
        }),
      )
    },
    inbox: async (call: Call = owner, input: object = {}): Promise<Notification[]> =>
      (await invoke<{ notifications: Notification[] }>('notifications.list', { ...input }, call)).notifications,
    unread: async (call: Call = owner) =>
      (await invoke<{ unread_count: number }>('notifications.unread_count', {}, call)).unread_count,
    prefer: (kind: NotificationKindName, input: object, call: Call = owner) =>
      invoke<{ preference: NotificationPreference }>('notifications.preferences.set', { kind, ...input }, call),
    sweep: async (): Promise<void> => {
      await runner.runTask(backgroundTaskTypes.sweepEmails)
      await runner.runPending()
    },
    emails: () =>
      owner.db.query<{ id: string; state: string; attempts: number; error: string | null; next_attempt_at: Date }>(sql`
        select id, state, attempts, error, next_attempt_at from emails
        where organization_id = ${organization} order by created_at, id`),
    /** The e-mails in the outbox to members of this organization. */
    outbox: async () => {
      const rows = await owner.db.query<{ email: string }>(sql`
        select email from memberships where organization_id = ${organization}`)
      const addresses = rows.map(({ email }) => email)
      return (await readOutbox(services.outbox)).filter((mail) =>
        recipientsOf(mail).every((address) => addresses.includes(address!)),
      )
    },
  }
  return fixture
}

const addressOf = (call: Call): string => `${call.principal.id}@example.org`

test('every kind of event in the table becomes a notification with a title and a link of the console', async () => {
  const fixture = await createFixture()
  const kinds = Object.keys(notificationKinds) as NotificationKindName[]
  for (const kind of kinds) {
    const isNamed = 'user_id' in eventDefinitions[notificationKinds[kind].event].example
    await fixture.notify(kind, { data: isNamed ? { user_id: fixture.owner.principal.id } : {} })
  }
  const rows = await fixture.inbox(fixture.owner, { limit: 100 })
  assert.deepEqual(rows.map(({ kind }) => kind).toSorted(), kinds.toSorted())
  for (const { kind, title, body, link } of rows) {
    assert.ok(title.length > 3 && body.length > 3, kind)
    assert.match(link, /^\/[a-z]/)
    assert.doesNotMatch(`${title}${body}${link}`, /[{}]|undefined|null/, kind)
  }
  assert.equal(rows.find(({ kind }) => kind === 'alert')?.title, 'Alert: Vegetation loss')
})

test('a notification is read, counted, dismissed, and each only by its user', async () => {
  const fixture = await createFixture()
  const admin = await fixture.createMember('admin')
  for (let i = 0; i < 3; i++) await fixture.notify('credits.depleted')
  const [first, second] = (await fixture.inbox()) as [Notification, Notification]
  await fixture.invoke('notifications.mark_read', { notification_id: first.id })
  await fixture.invoke('notifications.mark_read', { notification_id: first.id })
  assert.deepEqual([await fixture.unread(), await fixture.unread(admin)], [2, 3])
  assert.equal((await fixture.inbox(fixture.owner, { unread_only: true })).length, 2)
  await fixture.invoke('notifications.dismiss', { notification_id: second.id })
  assert.deepEqual((await fixture.inbox()).length, 2)
  for (const operation of ['notifications.mark_read', 'notifications.dismiss']) {
    await assertRejected(fixture.invoke(operation, { notification_id: second.id }), 'not-found')
    await assertRejected(fixture.invoke(operation, { notification_id: first.id }, admin), 'not-found')
  }
  assert.deepEqual(await fixture.invoke('notifications.mark_all_read'), { marked_count: 1 })
  assert.deepEqual([await fixture.unread(), await fixture.unread(admin)], [0, 3])
})

test('an API key has an empty inbox', async () => {
  const fixture = await createFixture()
  await fixture.notify('credits.depleted')
  const { principal } = fixture.owner
  const key: Call = { ...fixture.owner, principal: { ...principal, kind: 'api_key', id: newId(), role: null } }
  assert.deepEqual(await fixture.inbox(key), [])
  assert.equal(await fixture.unread(key), 0)
  assert.deepEqual(await fixture.invoke('notifications.mark_all_read', {}, key), { marked_count: 0 })
  const [row] = await fixture.inbox()
  await assertRejected(fixture.invoke('notifications.dismiss', { notification_id: row!.id }, key), 'not-found')
})

test('members are notified only of projects that they may read, and no more after they have left them', async () => {
  const fixture = await createFixture()
  const [member, outsider, billing] = [
    await fixture.createMember('member'),
    await fixture.createMember('member'),
    await fixture.createMember('billing'),
  ]
  await services.database.unscoped.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${fixture.organization}, ${fixture.project}, ${member.principal.id}, 'viewer', now(), now())`)
  await fixture.notify('saved_search.matched')
  await fixture.notify('credits.depleted', { entity: { type: 'organization', id: fixture.organization } })
  const kindsOf = async (call: Call) => (await fixture.inbox(call)).map(({ kind }) => kind)
  assert.deepEqual(await kindsOf(member), ['saved_search.matched'])
  assert.deepEqual(await kindsOf(outsider), [])
  assert.deepEqual(await kindsOf(billing), ['credits.depleted'])
  await services.database.unscoped.query(sql`
    delete from project_members where organization_id = ${fixture.organization} and user_id = ${member.principal.id}`)
  assert.deepEqual(await kindsOf(member), [])
  assert.equal(await fixture.unread(member), 0)
})

test('only the user who created an order is notified of it', async () => {
  const fixture = await createFixture()
  const [member, admin] = [await fixture.createMember('member'), await fixture.createMember('admin')]
  await services.database.unscoped.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${fixture.organization}, ${fixture.project}, ${member.principal.id}, 'editor', now(), now())`)
  const entity = { type: 'project', id: fixture.project }
  await fixture.notify('order.cancelled', { call: member, entity })
  await fixture.notify('order.failed', { call: fixture.owner, entity })
  assert.deepEqual(
    (await fixture.inbox(member)).map(({ kind }) => kind),
    ['order.failed', 'order.cancelled'],
  )
  assert.deepEqual(await fixture.inbox(admin), [])
})

test('a rolled-back event notifies nobody', async () => {
  const fixture = await createFixture()
  const failing = fixture.owner.transaction(async (tx) => {
    await emitEvent(tx, fixture.owner, {
      kind: 'credits.depleted',
      entity_type: 'organization',
      entity_id: fixture.organization,
      data: { available_credits: 0, threshold_credits: null },
    })
    throw new Error('rolled back')
  })
  await assert.rejects(failing, /rolled back/)
  assert.deepEqual(await fixture.inbox(), [])
  assert.deepEqual(await fixture.emails(), [])
})

test('preferences choose the channels, and an alert goes to the channels of its rule only', async () => {
  const fixture = await createFixture()
  assert.equal((await fixture.prefer('alert', { in_app: false })).preference.email, 'immediate')
  await fixture.notify('alert', { data: { channels: ['in_app'] } })
  await fixture.notify('alert', { data: { channels: ['email', 'in_app'] } })
  assert.deepEqual([await fixture.inbox(), (await fixture.emails()).length], [[], 1])
  await fixture.prefer('alert', { in_app: true, email: 'off' })
  await fixture.notify('alert', { data: { channels: ['webhook'] } })
  await fixture.notify('alert', { data: { channels: ['email', 'in_app'] } })
  assert.deepEqual([(await fixture.inbox()).length, (await fixture.emails()).length], [1, 1])
  const { preferences } = await fixture.invoke<{ preferences: NotificationPreference[] }>(
    'notifications.preferences.get',
  )
  assert.equal(preferences.length, Object.keys(notificationKinds).length)
  assert.deepEqual(
    preferences.filter(({ is_default }) => !is_default).map(({ kind, in_app, email }) => [kind, in_app, email]),
    [['alert', true, 'off']],
  )
  await assertRejected(fixture.prefer('order.lost' as never, {}), 'validation')
})

test('an e-mail in the outbox has text, HTML, the headers of RFC 8058 and no injected header', async () => {
  const fixture = await createFixture()
  await fixture.notify('alert', { data: { channels: ['email'], rule_name: 'A\r\nBcc: x@example.org' } })
  await fixture.sweep()
  await fixture.sweep()
  const [mail, ...others] = await fixture.outbox()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'Alert: A Bcc: x@example.org')
  assert.equal(mail.bcc, undefined)
  assert.deepEqual(recipientsOf(mail), [addressOf(fixture.owner)])
  assert.equal(headerOf(mail, 'Auto-Submitted'), 'auto-generated')
  assert.equal(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
  const url = /^<(.*)>$/.exec(headerOf(mail, 'List-Unsubscribe') ?? '')?.[1] ?? ''
  assert.ok(mail.text?.includes(url) && mail.text.includes('/watch'))
  assert.ok(typeof mail.html === 'string' && mail.html.includes('Open in Swath'))
  assert.deepEqual(
    (await fixture.emails()).map(({ state, attempts }) => [state, attempts]),
    [['sent', 1]],
  )

  const token = new URL(url).searchParams.get('token')!
  const dependencies = { database: services.database, clock: services.clock, processServices: services.processServices }
  assert.equal(describeUnsubscribedEmails(dependencies, token, 'en'), notificationKinds.alert.description)
  assert.equal(await unsubscribeFromEmails(dependencies, `${token}x`), false)
  assert.equal(await unsubscribeFromEmails(dependencies, token), true)
  await fixture.notify('alert', { data: { channels: ['email', 'in_app'] } })
  await fixture.notify('credits.depleted')
  assert.equal((await fixture.emails()).length, 2)
  assert.equal((await fixture.inbox()).length, 2)
})

test('a daily e-mail has unread notifications, once, and its link ends all daily e-mails', async () => {
  const fixture = await createFixture()
  for (const kind of ['alert', 'credits.depleted', 'invoice.issued'] as const)
    await fixture.prefer(kind, { email: 'daily' })
  await fixture.notify('credits.depleted')
  await fixture.notify('invoice.issued')
  await fixture.notify('alert', { data: { channels: ['in_app', 'email'] } })
  const read = (await fixture.inbox()).find(({ kind }) => kind === 'alert')!
  await fixture.invoke('notifications.mark_read', { notification_id: read.id })
  await fixture.sweep()
  assert.deepEqual(await fixture.emails(), [])
  services.clock.advance(24 * 60 * minute_ms)
  await Promise.all([fixture.sweep(), fixture.sweep()])
  const [mail, ...others] = await fixture.outbox()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, '2 notifications')
  assert.ok(mail.text?.includes('No credits left') && mail.text.includes('Invoice') && !mail.text.includes('Alert'))
  const token = new URL(/^<(.*)>$/.exec(headerOf(mail, 'List-Unsubscribe') ?? '')![1]!).searchParams.get('token')!
  await unsubscribeFromEmails(
    { database: services.database, clock: services.clock, processServices: services.processServices },
    token,
  )
  await fixture.notify('credits.depleted')
  services.clock.advance(24 * 60 * minute_ms)
  await fixture.sweep()
  assert.equal((await fixture.outbox()).length, 1)
})

test('an e-mail is not sent to a user who has left, nor about a project that the user may not read any more', async () => {
  const fixture = await createFixture()
  const [left, removed] = [await fixture.createMember('admin'), await fixture.createMember('admin')]
  await fixture.notify('alert', { data: { channels: ['email'] } })
  await services.database.unscoped.query(sql`
    delete from memberships where organization_id = ${fixture.organization} and user_id = ${left.principal.id}`)
  await services.database.unscoped.query(sql`
    update memberships set role = 'member'
    where organization_id = ${fixture.organization} and user_id = ${removed.principal.id}`)
  await fixture.sweep()
  assert.deepEqual((await fixture.outbox()).flatMap(recipientsOf), [addressOf(fixture.owner)])
  assert.deepEqual((await fixture.emails()).map(({ state }) => state).toSorted(), ['cancelled', 'cancelled', 'sent'])
})

test('an SMTP server receives the e-mail; a temporary refusal is tried again later, a permanent one is not', async () => {
  const server = await startSmtpServer()
  try {
    const fixture = await createFixture(createSmtpMailer(server.url, 'Swath <alerts@example.org>'))
    server.refuseNext(451)
    await fixture.notify('credits.depleted')
    await fixture.sweep()
    const [postponed] = await fixture.emails()
    assert.deepEqual([postponed?.state, postponed?.attempts], ['pending', 1])
    assert.match(postponed?.error ?? '', /451|refused/)
    await fixture.sweep()
    assert.equal(server.received.length, 0)
    services.clock.advance(2 * minute_ms)
    await fixture.sweep()
    assert.equal(server.received.length, 1)
    assert.equal(server.received[0]?.messageId, `<${postponed!.id}@example.org>`)
    assert.equal(server.received[0]?.from?.text, '"Swath" <alerts@example.org>')

    server.refuseNext(550)
    await fixture.notify('credits.depleted')
    await fixture.sweep()
    services.clock.advance(60 * minute_ms)
    await fixture.sweep()
    assert.equal(server.received.length, 1)
    assert.deepEqual(
      (await fixture.emails()).map(({ state, attempts }) => [state, attempts]),
      [
        ['sent', 2],
        ['failed', 1],
      ],
    )
  } finally {
    await server.close()
  }
})

test('an e-mail whose process was killed while sending is sent again after its lease, with the same Message-ID', async () => {
  const sent: string[] = []
  const fixture = await createFixture({
    send: async ({ id }) => {
      sent.push(id)
      if (sent.length === 1) throw new Error('the process was killed')
    },
  })
  await fixture.notify('credits.depleted')
  await assert.rejects(fixture.sweep(), /was killed/)
  await fixture.sweep()
  assert.equal(sent.length, 1)
  services.clock.advance(6 * minute_ms)
  await fixture.sweep()
  assert.equal(sent.length, 2)
  assert.equal(sent[0], sent[1])
  assert.deepEqual(
    (await fixture.emails()).map(({ state, attempts }) => [state, attempts]),
    [['sent', 2]],
  )
})

test('a disabled member gets no e-mail', async () => {
  let count = 0
  const fixture = await createFixture({ send: async () => void count++ })
  const { id } = fixture.owner.principal
  const address = addressOf(fixture.owner)
  await services.database.unscoped.query(sql`
    insert into users (id, email, email_key, password_temporary, organization_id, is_administrator, is_clip_user,
                       disabled_at, created_at, updated_at)
    values (${id}, ${address}, ${address}, false, ${fixture.organization}, false, false,
            ${services.clock.now()}, ${services.clock.now()}, ${services.clock.now()})`)
  await fixture.notify('credits.depleted')
  await fixture.sweep()
  assert.equal(count, 0)
  assert.deepEqual(
    (await fixture.emails()).map(({ state, attempts }) => [state, attempts]),
    [['cancelled', 1]],
  )
})

test('notifications and ended e-mails are deleted after 90 days, later ones stay', async () => {
  const fixture = await createFixture()
  const countRows = async (): Promise<number[]> => [
    (await fixture.owner.db.query(sql`select from notifications where organization_id = ${fixture.organization}`))
      .length,
    (await fixture.emails()).length,
  ]
  await fixture.notify('credits.depleted')
  await fixture.sweep()
  services.clock.advance(minute_ms)
  await fixture.notify('credits.depleted')
  await fixture.sweep()
  assert.deepEqual(await countRows(), [2, 2])
  services.clock.advance(limits.notification_days * day_ms - minute_ms)
  await fixture.runner.runTask(backgroundTaskTypes.sweepNotifications)
  assert.deepEqual(await countRows(), [1, 1])
  assert.equal((await fixture.inbox()).length, 1)
})

test('two processes make one attempt', async () => {
  let count = 0
  const fixture = await createFixture({ send: async () => void count++ })
  await fixture.notify('credits.depleted')
  const [email] = await fixture.emails()
  const data = { organization_id: fixture.organization, email_id: email!.id }
  await Promise.all([1, 2, 3].map(() => fixture.runner.runTask(backgroundTaskTypes.sendEmail, data)))
  assert.equal(count, 1)
})

test('an e-mail that is being sent is not sent again while the clock of its organization jumps', async () => {
  let count = 0
  const fixture = await createFixture({
    send: async () => {
      count++
      if (count > 1) return
      services.clock.advance(day_ms, fixture.organization)
      await fixture.sweep()
      await fixture.runner.runTask(backgroundTaskTypes.sendEmail, data)
    },
  })
  await fixture.notify('credits.depleted')
  const [email] = await fixture.emails()
  const data = { organization_id: fixture.organization, email_id: email!.id }
  await fixture.runner.runTask(backgroundTaskTypes.sendEmail, data)
  assert.equal(count, 1)
  assert.deepEqual(
    (await fixture.emails()).map(({ state, attempts }) => [state, attempts]),
    [['sent', 1]],
  )
})

test("another organization's notifications do not exist", async () => {
  const [ours, theirs] = [await createFixture(), await createFixture()]
  await ours.notify('credits.depleted')
  const [row] = await ours.inbox()
  assert.deepEqual(await theirs.inbox(), [])
  await assertRejected(theirs.invoke('notifications.mark_read', { notification_id: row!.id }), 'not-found')
})
