import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { callOperation, withLostResponses, createPayingOrganization } from '../../../test/payment-fixtures.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { createTaskRunner, type TaskRunner } from '../../../test/task-runner.ts'
import { runWithReservedPayment } from '../billing/payment.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

let holdings: TestServices
let bench: TaskRunner
before(async () => {
  holdings = await openTestServices()
  bench = createTaskRunner(holdings)
})
after(() => holdings?.close())

interface AttachedCard {
  readonly id: string
  readonly isDefault: boolean
}

const attach = (call: Call, payment_method_id: string) =>
  callOperation<AttachedCard>(call, 'payment_methods.attach', { payment_method_id })
const listMethods = async (call: Call) =>
  (
    await callOperation<{ payment_methods: { id: string; payment_method_id: string; isDefault: boolean }[] }>(
      call,
      'payment_methods.list',
    )
  ).payment_methods
const sweep = () => bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)

test('setup intents of an organization are created for the same customer', async () => {
  const { owner } = await createPayingOrganization(holdings, bench, null)
  const [one, two] = [
    await callOperation(owner, 'payment_methods.create_setup_intent'),
    await callOperation(owner, 'payment_methods.create_setup_intent'),
  ]
  assert.equal(one['env'], 'embedded')
  assert.match(String(one['client_secret']), /^seti_.*_secret_/)
  assert.equal(one['customer_id'], two['customer_id'])
  assert.notEqual(one['setup_intent_id'], two['setup_intent_id'])
})

test('the first card becomes the default, the prefix cst_ is accepted, and a card attached twice has one row', async () => {
  const { owner, events } = await createPayingOrganization(holdings, bench, null)
  const first = await attach(owner, 'cst_card_good')
  assert.equal(first.isDefault, true)
  const second = await attach(owner, 'pm_card_3ds')
  assert.equal(second.isDefault, false)
  const [card] = await listMethods(owner)
  assert.deepEqual(await attach(owner, card!.payment_method_id), first)
  assert.deepEqual(
    (await listMethods(owner)).map(({ id, isDefault }) => ({ id, isDefault })),
    [first, second],
  )
  assert.deepEqual(await events(), ['payment_method.attached', 'payment_method.attached'])
})

test('attaching a card that the bank declines answers payment-declined and saves no row', async () => {
  const { owner, events } = await createPayingOrganization(holdings, bench, null)
  await assert.rejects(attach(owner, 'pm_card_refused'), { problem: 'payment-declined' })
  await assert.rejects(attach(owner, 'pm_nobody_knows'), { problem: 'payment-declined' })
  assert.deepEqual([await listMethods(owner), await events()], [[], []])
})

test('retries after lost processor responses create one customer and one default card', async () => {
  const { owner } = await createPayingOrganization(holdings, bench, null)
  const callWithLostResponse = (name: 'createCustomer' | 'attach' | 'setDefault'): Call => ({
    ...owner,
    integrations: { ...holdings.integrations, payments: withLostResponses(holdings.payments, [name], () => true) },
  })
  for (const name of ['createCustomer', 'attach'] as const) {
    await assert.rejects(attach(callWithLostResponse(name), 'pm_card_good'), { problem: 'upstream' })
    assert.deepEqual(await listMethods(owner), [])
  }
  await assert.rejects(attach(callWithLostResponse('setDefault'), 'pm_card_good'), { problem: 'upstream' })
  const [card] = await listMethods(owner)
  assert.deepEqual(await attach(owner, card!.payment_method_id), { id: card!.id, isDefault: true })
  const customers = await holdings.database.unscoped.query<{ default_method: string }>(sql`
    select default_method from processor_customers where organization_id = ${owner.organization}`)
  assert.deepEqual(customers, [{ default_method: card!.payment_method_id }])
})

test('setting another default card unsets the previous one', async () => {
  const { owner, attachCard, card } = await createPayingOrganization(holdings, bench)
  const other = await attachCard('pm_card_good')
  assert.deepEqual(await callOperation(owner, 'payment_methods.set_default', { payment_method_row_id: other }), {
    id: other,
    isDefault: true,
  })
  assert.deepEqual(
    (await listMethods(owner)).map(({ id, isDefault }) => [id, isDefault]),
    [
      [other, true],
      [card, false],
    ],
  )
})

test('a detached card is detached at the processor too, and detaching it again succeeds', async () => {
  const { owner, card, events, deadlines } = await createPayingOrganization(holdings, bench)
  const { payment_method_id } = (await listMethods(owner))[0]!
  const paymentsLosingDetach = withLostResponses(holdings.payments, ['detach'], () => true)
  const callWithLostResponse: Call = {
    ...owner,
    integrations: { ...holdings.integrations, payments: paymentsLosingDetach },
  }
  await assert.rejects(callOperation(callWithLostResponse, 'payment_methods.detach', { payment_method_row_id: card }), {
    problem: 'upstream',
  })
  assert.deepEqual(await callOperation(owner, 'payment_methods.detach', { payment_method_row_id: card }), { ok: true })
  assert.deepEqual([await listMethods(owner), await deadlines()], [[], []])
  assert.deepEqual(await events(), ['payment_method.attached', 'payment_method.detached'])
  await assert.rejects(attach(owner, payment_method_id), { problem: 'payment-declined' })
  await assert.rejects(callOperation(owner, 'payment_methods.set_default', { payment_method_row_id: card }), {
    problem: 'not-found',
  })
  assert.equal((await attach(owner, 'pm_card_good')).isDefault, true)
})

test('detaching is refused while a hold uses the card, and for the default card while auto top-up is enabled', async () => {
  const { owner, organization, card, attachCard } = await createPayingOrganization(holdings, bench)
  await holdings.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const detach = (id: string) => callOperation(owner, 'payment_methods.detach', { payment_method_row_id: id })
  await runWithReservedPayment(
    { ...owner, operation: 'test' },
    { amount_credits: 700, subject: 'order' },
    async (_tx, reservation) => reservation,
  )
  await assert.rejects(detach(card!), { problem: 'invalid-state' })
  const spare = await attachCard('pm_card_good')
  await callOperation(owner, 'payment_methods.set_default', { payment_method_row_id: spare })
  await assert.rejects(detach(card!), { problem: 'invalid-state' }, 'the hold still uses the card that authorised it')
  await owner.db.query(sql`
    insert into auto_topups
      (organization_id, enabled, threshold_credits, topup_amount_credits, updated_by, updated_at)
    values (${organization}, true, 1, 1000, 'test', ${holdings.clock.now()})`)
  await assert.rejects(detach(spare), { problem: 'invalid-state' })
  await owner.db.query(sql`update auto_topups set enabled = false where organization_id = ${organization}`)
  assert.deepEqual(await detach(spare), { ok: true })
})

test('cards of other organizations answer not-found', async () => {
  const [ours, theirs] = [
    await createPayingOrganization(holdings, bench),
    await createPayingOrganization(holdings, bench),
  ]
  for (const id of ['payment_methods.set_default', 'payment_methods.detach']) {
    for (const row of [theirs.card, newId()]) {
      await assert.rejects(callOperation(ours.owner, id, { payment_method_row_id: row }), { problem: 'not-found' })
    }
  }
  const [card] = await listMethods(theirs.owner)
  await assert.rejects(attach(ours.owner, card!.payment_method_id), { problem: 'payment-declined' })
})

test('owners, admins and the billing role manage cards; members cannot even list them', async () => {
  const { card, createMember } = await createPayingOrganization(holdings, bench)
  const row = { payment_method_row_id: card }
  const member = await createMember('member')
  for (const [id, input] of [
    ['payment_methods.list', {}],
    ['payment_methods.create_setup_intent', {}],
    ['payment_methods.attach', { payment_method_id: 'pm_card_good' }],
    ['payment_methods.set_default', row],
    ['payment_methods.detach', row],
  ] as const) {
    await assert.rejects(callOperation(member, id, input), { problem: 'forbidden' }, id)
  }
  const key = { ...(await createMember('billing')) }
  const principal = { ...key.principal, kind: 'api_key', id: newId(), role: null, scopes: ['billing:write'] } as const
  assert.equal((await attach({ ...key, principal }, 'pm_card_good')).isDefault, false)
})

test('payment_method.expiring is emitted once, 30 days before a card expires, or immediately if less time is left', async () => {
  const { owner, events, eventData, card } = await createPayingOrganization(holdings, bench)
  const [{ exp_month, exp_year }] = (await owner.db.query(sql`
    select exp_month, exp_year from payment_methods where id = ${card}`)) as [{ exp_month: number; exp_year: number }]
  const end = Date.UTC(exp_year, exp_month, 1)
  holdings.clock.advance(end - 30 * day_ms - 1 - holdings.clock.now().getTime())
  await sweep()
  assert.equal((await events()).length, 1)
  holdings.clock.advance(1)
  await sweep()
  await sweep()
  assert.deepEqual((await events()).slice(1), ['payment_method.expiring'])
  const [data] = await eventData('payment_method.expiring')
  assert.deepEqual([data!['last4'], data!['exp_month'], data!['isDefault']], ['4242', exp_month, true])

  const soon = await createPayingOrganization(holdings, bench, 'pm_card_expiring')
  await sweep()
  assert.deepEqual(await soon.events(), ['payment_method.attached', 'payment_method.expiring'])
})
