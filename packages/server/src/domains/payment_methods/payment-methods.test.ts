import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { ask, losing, payingOrganization } from '../../../test/paying.ts'
import { openHoldings, type Holdings } from '../../../test/holdings.ts'
import { openBench, type Bench } from '../../../test/work.ts'
import { spend } from '../billing/spend.ts'

const day_ms = 86_400_000

let holdings: Holdings
let bench: Bench
before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
})
after(() => holdings?.close())

interface Chosen {
  readonly id: string
  readonly isDefault: boolean
}

const attach = (call: Call, payment_method_id: string) =>
  ask<Chosen>(call, 'payment_methods.attach', { payment_method_id })
const listOf = async (call: Call) =>
  (
    await ask<{ payment_methods: { id: string; payment_method_id: string; isDefault: boolean }[] }>(
      call,
      'payment_methods.list',
    )
  ).payment_methods
const sweep = () => bench.once('billing.sweep-deadlines')

test('setup intents of an organization are created for the same customer', async () => {
  const { owner } = await payingOrganization(holdings, bench, null)
  const [one, two] = [
    await ask(owner, 'payment_methods.create_setup_intent'),
    await ask(owner, 'payment_methods.create_setup_intent'),
  ]
  assert.equal(one['env'], 'embedded')
  assert.match(String(one['client_secret']), /^seti_.*_secret_/)
  assert.equal(one['customer_id'], two['customer_id'])
  assert.notEqual(one['setup_intent_id'], two['setup_intent_id'])
})

test('the first card becomes the default, the prefix cst_ is accepted, and a card attached twice has one row', async () => {
  const { owner, events } = await payingOrganization(holdings, bench, null)
  const first = await attach(owner, 'cst_card_good')
  assert.equal(first.isDefault, true)
  const second = await attach(owner, 'pm_card_3ds')
  assert.equal(second.isDefault, false)
  const [card] = await listOf(owner)
  assert.deepEqual(await attach(owner, card!.payment_method_id), first)
  assert.deepEqual(
    (await listOf(owner)).map(({ id, isDefault }) => ({ id, isDefault })),
    [first, second],
  )
  assert.deepEqual(await events(), ['payment_method.attached', 'payment_method.attached'])
})

test('attaching a card that the bank declines answers payment-declined and saves no row', async () => {
  const { owner, events } = await payingOrganization(holdings, bench, null)
  await assert.rejects(attach(owner, 'pm_card_refused'), { problem: 'payment-declined' })
  await assert.rejects(attach(owner, 'pm_nobody_knows'), { problem: 'payment-declined' })
  assert.deepEqual([await listOf(owner), await events()], [[], []])
})

test('retries after lost processor responses create one customer and one default card', async () => {
  const { owner } = await payingOrganization(holdings, bench, null)
  const unlucky = (name: 'createCustomer' | 'attach' | 'setDefault'): Call => ({
    ...owner,
    outside: { ...holdings.outside, payments: losing(holdings.payments, [name], () => true) },
  })
  for (const name of ['createCustomer', 'attach'] as const) {
    await assert.rejects(attach(unlucky(name), 'pm_card_good'), { problem: 'upstream' })
    assert.deepEqual(await listOf(owner), [])
  }
  await assert.rejects(attach(unlucky('setDefault'), 'pm_card_good'), { problem: 'upstream' })
  const [card] = await listOf(owner)
  assert.deepEqual(await attach(owner, card!.payment_method_id), { id: card!.id, isDefault: true })
  const customers = await holdings.database.across.query<{ default_method: string }>(sql`
    select default_method from processor_customers where organization_id = ${owner.organization}`)
  assert.deepEqual(customers, [{ default_method: card!.payment_method_id }])
})

test('setting another default card unsets the previous one', async () => {
  const { owner, attach: save, card } = await payingOrganization(holdings, bench)
  const other = await save('pm_card_good')
  assert.deepEqual(await ask(owner, 'payment_methods.set_default', { payment_method_row_id: other }), {
    id: other,
    isDefault: true,
  })
  assert.deepEqual(
    (await listOf(owner)).map(({ id, isDefault }) => [id, isDefault]),
    [
      [other, true],
      [card, false],
    ],
  )
})

test('a detached card is detached at the processor too, and detaching it again succeeds', async () => {
  const { owner, card, events, deadlines } = await payingOrganization(holdings, bench)
  const { payment_method_id } = (await listOf(owner))[0]!
  const lost = losing(holdings.payments, ['detach'], () => true)
  const unlucky: Call = { ...owner, outside: { ...holdings.outside, payments: lost } }
  await assert.rejects(ask(unlucky, 'payment_methods.detach', { payment_method_row_id: card }), { problem: 'upstream' })
  assert.deepEqual(await ask(owner, 'payment_methods.detach', { payment_method_row_id: card }), { ok: true })
  assert.deepEqual([await listOf(owner), await deadlines()], [[], []])
  assert.deepEqual(await events(), ['payment_method.attached', 'payment_method.detached'])
  await assert.rejects(attach(owner, payment_method_id), { problem: 'payment-declined' })
  await assert.rejects(ask(owner, 'payment_methods.set_default', { payment_method_row_id: card }), {
    problem: 'not-found',
  })
  assert.equal((await attach(owner, 'pm_card_good')).isDefault, true)
})

test('detaching is refused while a hold uses the card, and for the default card while auto top-up is enabled', async () => {
  const { owner, organization, card, attach: save } = await payingOrganization(holdings, bench)
  await holdings.database.across.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const detach = (id: string) => ask(owner, 'payment_methods.detach', { payment_method_row_id: id })
  await spend({ ...owner, operation: 'test' }, { amount_credits: 700, subject: 'order' }, async (_tx, paid) => paid)
  await assert.rejects(detach(card!), { problem: 'invalid-state' })
  const spare = await save('pm_card_good')
  await ask(owner, 'payment_methods.set_default', { payment_method_row_id: spare })
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
  const [ours, theirs] = [await payingOrganization(holdings, bench), await payingOrganization(holdings, bench)]
  for (const id of ['payment_methods.set_default', 'payment_methods.detach']) {
    for (const row of [theirs.card, newId()]) {
      await assert.rejects(ask(ours.owner, id, { payment_method_row_id: row }), { problem: 'not-found' })
    }
  }
  const [card] = await listOf(theirs.owner)
  await assert.rejects(attach(ours.owner, card!.payment_method_id), { problem: 'payment-declined' })
})

test('owners, admins and the billing role manage cards; members can only list them', async () => {
  const { card, someone } = await payingOrganization(holdings, bench)
  const row = { payment_method_row_id: card }
  const member = await someone('member')
  assert.equal((await listOf(member)).length, 1)
  for (const [id, input] of [
    ['payment_methods.create_setup_intent', {}],
    ['payment_methods.attach', { payment_method_id: 'pm_card_good' }],
    ['payment_methods.set_default', row],
    ['payment_methods.detach', row],
  ] as const) {
    await assert.rejects(ask(member, id, input), { problem: 'forbidden' }, id)
  }
  const key = { ...(await someone('billing')) }
  const principal = { ...key.principal, kind: 'api_key', id: newId(), role: null } as const
  assert.equal((await attach({ ...key, principal }, 'pm_card_good')).isDefault, false)
})

test('payment_method.expiring is emitted once, 30 days before a card expires, or immediately if less time is left', async () => {
  const { owner, events, eventData, card } = await payingOrganization(holdings, bench)
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

  const soon = await payingOrganization(holdings, bench, 'pm_card_expiring')
  await sweep()
  assert.deepEqual(await soon.events(), ['payment_method.attached', 'payment_method.expiring'])
})
