import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { assertLedgerConsistent } from '../../../test/ledger-assertions.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import {
  createTestOrganization,
  createTestUser,
  testPassword,
  type TestOrganization,
} from '../../../test/test-organizations.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createLogger } from '../../platform/log.ts'
import { defineTask } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { withDeadLetter } from '../dead-letters/dead-letters.ts'

let app: TestApp
/** A second operator. */
let second: Client
before(async () => {
  app = await startTestApp()
  const user = await createTestUser(app)
  await app.database.unscoped.query(sql`update users set is_administrator = true where id = ${user.user}`)
  second = app.createClientFor(user.email, testPassword)
})
after(() => app?.close())

const reason = 'An operator tries it.'
const call = <T = Record<string, unknown>>(id: string, input: object): Promise<T> => app.admin.call<T>(id, input)

interface Row {
  readonly id: string
  readonly status: string
}

const reasonsOf = async (organization_id: string, operation: string): Promise<(string | null)[]> => {
  const { entries } = await call<{ entries: { reason: string | null; outcome: string }[] }>('admin.audit.list', {
    organization_id,
    operation,
    outcome: 'succeeded',
  })
  return entries.map((entry) => entry.reason)
}

test('organizations are listed by plan, status and name, in pages that know the total', async () => {
  const { organization } = await createTestOrganization(app, 0)
  const { organization: other } = await createTestOrganization(app, 0)
  await call('admin.orgs.set_plan', { organization_id: other, plan: 'enterprise', reason })
  const list = async (filter: object) => await call<{ organizations: Row[]; total: number }>('admin.orgs.list', filter)
  const idsOf = async (filter: object): Promise<string[]> => (await list(filter)).organizations.map(({ id }) => id)
  const all = await list({})
  assert.deepEqual([all.organizations[0]?.id, all.organizations[1]?.id], [other, organization], 'newest first')
  assert.deepEqual(await idsOf({ plan: 'enterprise' }), [other])
  const { name } = await call<{ name: string }>('admin.orgs.get', { organization_id: organization })
  assert.deepEqual(await idsOf({ search: name.toUpperCase() }), [organization])
  assert.deepEqual(await idsOf({ search: 'no such name' }), [])
  assert.deepEqual(await idsOf({ limit: 1, offset: 1 }), [organization])
  const beyond = await list({ limit: 1, offset: 1000 })
  assert.deepEqual([beyond.organizations, beyond.total], [[], all.total])
})

test('a suspended organization cannot buy, reads on, and buys again after it was resumed', async () => {
  const org = await createTestOrganization(app, 100)
  const { client } = org.owner
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
    host_name: 'open',
    limit: 1,
  })
  const captures = features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  const place = () => client.call('orders.archive.place', { captures })
  const subject = { organization_id: org.organization, reason }
  const suspended = await call('admin.orgs.suspend', subject)
  assert.deepEqual([suspended['status'], suspended['suspended_reason']], ['suspended', reason])
  const listed = await call<{ organizations: Row[] }>('admin.orgs.list', { status: 'suspended' })
  assert.deepEqual(
    listed.organizations.map(({ id }) => id),
    [org.organization],
  )
  await assert.rejects(place(), { problem: 'past-due' })
  await client.call('projects.list', {})
  await assert.rejects(call('admin.orgs.suspend', subject), { problem: 'invalid-state' })
  const resumed = await call('admin.orgs.resume', subject)
  assert.deepEqual([resumed['status'], resumed['suspended_at'], resumed['suspended_reason']], ['active', null, null])
  await place()
  const { events } = await client.call<{ events: { event_type: string; data: unknown }[] }>('events.list', {
    entity_type: 'organization',
    order: 'oldest',
  })
  assert.deepEqual(
    events
      .filter(({ event_type }) => /suspended|resumed/.test(event_type))
      .map(({ event_type, data }) => [event_type, data]),
    [
      ['organization.suspended', { reason }],
      ['organization.resumed', { reason }],
    ],
  )
  assert.deepEqual(await reasonsOf(org.organization, 'admin.orgs.suspend'), [reason])
})

test('a disabled user has no token any more and cannot sign in until enabled', async () => {
  const org = await createTestOrganization(app, 0)
  const member = await org.addMember('member')
  const fresh = (): Client => app.createClientFor(member.email, member.password)
  await member.client.call('projects.list', {})
  const disabled = await call('admin.users.disable', { user_id: member.user, reason })
  assert.equal(typeof disabled['disabled_at'], 'string')
  assert.equal((await member.client.fetch('/v1/op/projects.list')).status, 401)
  await assert.rejects(fresh().call('projects.list', {}))
  const listed = async (filter: object) =>
    (await call<{ users: { id: string }[] }>('admin.users.list', { organization_id: org.organization, ...filter }))
      .users
  assert.deepEqual(
    (await listed({ disabled: true })).map(({ id }) => id),
    [member.user],
  )
  assert.deepEqual(
    (await listed({ disabled: false })).map(({ id }) => id),
    [org.owner.user],
  )
  assert.deepEqual(
    (await listed({ email: member.email.toUpperCase() })).map(({ id }) => id),
    [member.user],
  )
  await call('admin.users.enable', { user_id: member.user, reason })
  await fresh().call('projects.list', {})
  const { entries } = await call<{ entries: { target_id: string; reason: string }[] }>('admin.audit.list', {
    operation: 'admin.users.disable',
    target_id: member.user,
  })
  assert.deepEqual(
    entries.map((entry) => entry.reason),
    [reason],
    'in the trail of the platform',
  )
})

interface Adjustment extends Row {
  readonly transaction_id: string | null
}

async function request(
  org: TestOrganization,
  amount_credits: number,
): Promise<{ organization_id: string; adjustment_id: string; reason: string }> {
  const { organization: organization_id } = org
  const { id } = await call<Adjustment>('admin.credit_adjustments.request', { organization_id, amount_credits, reason })
  return { organization_id, adjustment_id: id, reason }
}

const balanceOf = async ({ organization }: TestOrganization): Promise<number> =>
  (await call<{ available_credits: number }>('admin.orgs.get', { organization_id: organization })).available_credits

test('a large adjustment needs two operators and is written once', async () => {
  const org = await createTestOrganization(app, 0)
  const large = { organization_id: org.organization, amount_credits: 2_000_000, reason }
  await assert.rejects(call('admin.orgs.credit_adjust', large), { problem: 'forbidden' })
  await assert.rejects(call('admin.orgs.credit_adjust', { ...large, amount_credits: -2_000_000 }), {
    problem: 'forbidden',
  })
  const adjustment = await request(org, 2_000_000)
  assert.equal(await balanceOf(org), 0)
  await assert.rejects(call('admin.credit_adjustments.approve', adjustment), { problem: 'forbidden' })
  await assert.rejects(second.call('admin.credit_adjustments.approve', { ...adjustment, max_credits: 1_999_999 }), {
    problem: 'spend-limit-exceeded',
  })
  await second.call('admin.credit_adjustments.approve', { ...adjustment, dry_run: true })
  assert.equal(await balanceOf(org), 0)
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => second.call<Adjustment>('admin.credit_adjustments.approve', adjustment)),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await balanceOf(org), 2_000_000)
  await assert.rejects(second.call('admin.credit_adjustments.approve', adjustment), { problem: 'already-decided' })
  await assert.rejects(second.call('admin.credit_adjustments.reject', adjustment), { problem: 'already-decided' })
  const { adjustments } = await call<{ adjustments: Adjustment[] }>('admin.credit_adjustments.list', {
    organization_id: org.organization,
  })
  assert.deepEqual(
    adjustments.map(({ id, status, transaction_id }) => [id, status, typeof transaction_id]),
    [[adjustment.adjustment_id, 'approved', 'string']],
  )
  await assertLedgerConsistent(app)
})

test('an adjustment that the wallet cannot pay stays pending, and a rejected one writes nothing', async () => {
  const org = await createTestOrganization(app, 0)
  const adjustment = await request(org, -10)
  await assert.rejects(second.call('admin.credit_adjustments.approve', adjustment), { problem: 'insufficient-credits' })
  const pending = await call<{ adjustments: Row[] }>('admin.credit_adjustments.list', { status: 'pending' })
  assert.ok(pending.adjustments.some(({ id }) => id === adjustment.adjustment_id))
  const rejected = await call<Adjustment>('admin.credit_adjustments.reject', adjustment)
  assert.deepEqual([rejected.status, rejected.transaction_id], ['rejected', null])
  assert.equal(await balanceOf(org), 0)
})

test('a dead letter is listed with its organization and subject, and is retried once', async () => {
  const org = await createTestOrganization(app, 0)
  const topup_id = newId()
  const failing = defineTask(
    backgroundTaskTypes.closeTopup,
    { limit: 0, delay_s: 0, backoff: false, expire_s: 10 },
    (context, data) => withDeadLetter(context, data, () => Promise.reject(new Error('the processor is away'))),
  )
  const context = {
    taskName: failing.name,
    isLastAttempt: true,
    attempt: 3,
    signal: new AbortController().signal,
    database: app.database,
    clock: app.clock,
    log: createLogger({ level: 'fatal' }),
  }
  await failing.run(context as never, { organization_id: org.organization, topup_id })
  const list = () =>
    call<{ dead_letters: (Row & { organization_name: string; subject: string; source: string; error: string })[] }>(
      'admin.dead_letters.list',
      {
        organization_id: org.organization,
      },
    )
  const [letter, ...others] = (await list()).dead_letters
  const { name } = await call<{ name: string }>('admin.orgs.get', { organization_id: org.organization })
  assert.equal(letter?.organization_name, name)
  assert.deepEqual(others, [])
  assert.deepEqual([letter?.subject, letter?.source, letter?.error], [topup_id, 'billing', 'the processor is away'])
  const retry = { dead_letter_id: letter!.id, reason }
  assert.deepEqual(await call('admin.dead_letters.retry', retry), { id: letter!.id, retried: true })
  assert.deepEqual((await list()).dead_letters, [])
  await assert.rejects(call('admin.dead_letters.retry', retry), { problem: 'not-found' })
})

test('rows of operators have the name of their organization', async () => {
  const { organization: organization_id, owner } = await createTestOrganization(app, 0)
  const { name } = await call<{ name: string }>('admin.orgs.get', { organization_id })
  await call('admin.orgs.suspend', { organization_id, reason })
  const requested = await call('admin.credit_adjustments.request', { organization_id, amount_credits: 5, reason })
  const { adjustments } = await call<{ adjustments: object[] }>('admin.credit_adjustments.list', { organization_id })
  assert.deepEqual(adjustments, [requested])
  const { users } = await call<{ users: Row[] }>('admin.users.list', { email: owner.email })
  const disabled = await call('admin.users.disable', { user_id: owner.user, reason })
  const names = [requested, ...users, disabled].map((row) => (row as Record<string, unknown>)['organization_name'])
  assert.deepEqual(names, [name, name, name])
})

test('a caller who is no operator is refused every operation of operators', async () => {
  const { owner } = await createTestOrganization(app, 0)
  for (const id of ['admin.orgs.list', 'admin.users.list', 'admin.audit.list', 'admin.dead_letters.list'])
    await assert.rejects(owner.client.call(id, {}), { problem: 'insufficient-scope' })
})
