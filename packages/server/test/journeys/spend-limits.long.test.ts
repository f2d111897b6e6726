import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import type { MemberSpendLimits } from '../../src/domains/ledger/spend-limits.ts'
import { createManualClock } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { noRetries } from '../contract/examples/spend.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { waitUntilIdle, saveCard, updateBillingPlan } from '../billing-helpers.ts'
import { findCaptures, waitForOrder, type CaptureInput } from '../orders.ts'
import { createTestOrganization, type TestUser, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const window_ms = 30 * day_ms

const clock = createManualClock(new Date('2026-03-01T12:34:56.789Z'))
const [scene, second] = smallScenes
let app: TestApp
let price: number
before(async () => {
  const hosts = [
    await createFaultyHost('good'),
    await createFaultyHost('failing', { place: ['fail'] }),
    await createFaultyHost('partial', { files: { [second]: ['missing'] } }),
  ]
  app = await startTestApp({ clock, hosts, background: noRetries })
  const { owner } = await createTestOrganization(app)
  const captures = await findCaptures(owner.client, 'good', [scene])
  price = (await owner.client.call('orders.archive.estimate', { captures })).total_credits
})
after(() => app?.close())

interface Buyer {
  readonly org: TestOrganization
  readonly person: TestUser
  readonly captures: readonly CaptureInput[]
}

/** Creates a user with spend limits set by the owner, and the captures to order. */
async function createBuyer(
  limits: Partial<MemberSpendLimits>,
  role: 'member' | 'owner' = 'member',
  host = 'good',
): Promise<Buyer> {
  const org = await createTestOrganization(app, 1_000_000)
  const { client } = org.owner
  const person = role === 'owner' ? org.owner : await org.addMember('member')
  if (role !== 'owner') {
    await client.call('projects.add_member', { project_id: org.project, user_id: person.user, role: 'editor' })
  }
  await setLimits(org, person, limits)
  return { org, person, captures: await findCaptures(client, host, [scene]) }
}

const setLimits = (org: TestOrganization, { user }: TestUser, limits: Partial<MemberSpendLimits>): Promise<unknown> =>
  org.owner.client.call('organizations.members.set_spend_limit', {
    userId: user,
    perOrderLimitCredits: limits.per_order_limit_credits ?? null,
    spendLimitCredits: limits.spend_limit_credits ?? null,
  })

const placeOrder = (client: Client, captures: readonly CaptureInput[]): Promise<Response> =>
  client.fetch('/v1/op/orders.archive.place', { method: 'POST', body: JSON.stringify({ captures }) })

async function placeOrderId({ person }: Buyer, captures: readonly CaptureInput[]): Promise<string> {
  const response = await placeOrder(person.client, captures)
  const text = await response.text()
  assert.equal(response.status, 202, text)
  return (JSON.parse(text) as { id: string }).id
}

interface SpendLimitProblem {
  readonly type: string
  readonly title: string
  readonly detail: string
  readonly limit: number
  readonly window_used: number
  readonly requested: number
  readonly frees_at: string | null
}

/** Tables whose rows the processor expires when the clock moves. */
const expiringProcessorTables = ['processor_events', 'processor_requests']

async function placeRefusedOrder({ person, captures }: Buyer): Promise<SpendLimitProblem> {
  await waitUntilIdle(app)
  const response = await assertUnchanged(app, () => placeOrder(person.client, captures), {
    exceptTables: expiringProcessorTables,
  })
  const document = (await response.json()) as SpendLimitProblem
  assert.equal(response.status, 403, JSON.stringify(document))
  assert.equal(document.type, `${app.url}/problems/spend-limit-exceeded`)
  assert.equal(document.title, 'Spend limit exceeded')
  return document
}

const readWindowUsed = async ({ person }: Buyer): Promise<number> => {
  const window = await person.client.call<{ window_used_credits: number }>('organizations.members.spend.get', {})
  return window.window_used_credits
}

/** The same user, signed in again: tokens expire when the clock moves. */
const signInAgain = (one: Buyer): Buyer => ({
  ...one,
  person: { ...one.person, client: app.createClientFor(one.person.email, one.person.password) },
})

test('an order above the per-order limit is refused without frees_at, one at the limit is placed', async () => {
  const one = await createBuyer({ per_order_limit_credits: price - 1 })
  const { limit, window_used, requested, frees_at, detail } = await placeRefusedOrder(one)
  assert.deepEqual([limit, window_used, requested, frees_at], [price - 1, 0, price, null])
  assert.match(detail, new RegExp(`per-order limit of ${price - 1} credits`))
  await setLimits(one.org, one.person, { per_order_limit_credits: price })
  await placeOrderId(one, one.captures)
})

for (const [payment, prepare] of [
  ['credits', (org: TestOrganization) => updateBillingPlan(app, org.organization, 'prepaid')],
  ['an invoice', (org: TestOrganization) => updateBillingPlan(app, org.organization, 'enterprise')],
  [
    'a card',
    async (org: TestOrganization) => {
      const { organization } = org
      const { available_credits } = await org.owner.client.call('billing.credits.balance', {})
      const all = { organization_id: organization, amount_credits: -available_credits, reason: 'test' }
      await app.admin.call('admin.orgs.credit_adjust', all)
      await updateBillingPlan(app, organization, 'free')
      await saveCard(org.owner.client)
    },
  ],
] as const) {
  test(`of sixteen concurrent orders paid by ${payment}, only the five within the limit are placed`, async () => {
    const one = await createBuyer({ spend_limit_credits: price * 6 - 1 })
    await prepare(one.org)
    const responses = await Promise.all(Array.from({ length: 16 }, () => placeOrder(one.person.client, one.captures)))
    const statuses = responses.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [...Array<number>(5).fill(202), ...Array<number>(11).fill(403)])
    for (const response of responses) {
      const document = (await response.json()) as SpendLimitProblem & { id: string }
      if (response.ok) await waitForOrder(one.person.client, document.id, 'FULFILLED')
      else assert.deepEqual([document.limit, document.requested], [price * 6 - 1, price])
    }
    assert.equal(await readWindowUsed(one), price * 5)
    assert.equal((await placeRefusedOrder(one)).window_used, price * 5)
    await waitUntilIdle(app)
    const intents = await app.database.unscoped.query<{ status: string }>(sql`
      select intent.status from processor_intents intent
      join processor_customers customer on customer.id = intent.customer
      where customer.organization_id = ${one.org.organization}`)
    assert.deepEqual(
      intents.map(({ status }) => status),
      Array(payment === 'a card' ? 5 : 0).fill('succeeded'),
    )
    await assertLedgerConsistent(app)
  })
}

test('a limit of zero allows only free orders, no limit allows all, and limits apply to owners', async () => {
  const one = await createBuyer({ spend_limit_credits: 0 }, 'owner')
  const { limit, frees_at } = await placeRefusedOrder(one)
  assert.deepEqual([limit, frees_at], [0, null])
  await placeOrderId(one, await findCaptures(one.person.client, 'open', ['l8-stormlake-20200829']))
  await setLimits(one.org, one.person, { per_order_limit_credits: 0 })
  assert.equal((await placeRefusedOrder(one)).limit, 0)
  await setLimits(one.org, one.person, {})
  await placeOrderId(one, one.captures)
})

test('a limit lowered below the spend refuses new orders and does not affect existing ones', async () => {
  const one = await createBuyer({ spend_limit_credits: price * 3 })
  const id = await placeOrderId(one, one.captures)
  await setLimits(one.org, one.person, { spend_limit_credits: 1 })
  const order = await waitForOrder(one.person.client, id, 'FULFILLED')
  assert.equal(order.creditsCaptured, price)
  const { limit, window_used, frees_at } = await placeRefusedOrder(one)
  assert.deepEqual([limit, window_used, frees_at], [1, price, null])
})

test('cancelled and undelivered orders do not count towards the limit', async () => {
  const one = await createBuyer({ spend_limit_credits: price }, 'member', 'failing')
  const id = await placeOrderId(one, one.captures)
  await waitForOrder(one.person.client, id, 'PLACEMENT_FAILED')
  assert.equal((await placeRefusedOrder(one)).window_used, price)
  await one.person.client.call('orders.cancel', { order_id: id })
  assert.equal(await readWindowUsed(one), 0)

  const partialBuyer = await createBuyer({ spend_limit_credits: price * 10 }, 'member', 'partial')
  const bothCaptures = await findCaptures(partialBuyer.person.client, 'partial', [scene, second])
  const order = await waitForOrder(
    partialBuyer.person.client,
    await placeOrderId(partialBuyer, bothCaptures),
    'FULFILLED',
  )
  assert.ok(order.creditsCaptured > 0 && order.creditsCaptured < order.totalCredits)
  assert.equal(await readWindowUsed(partialBuyer), order.creditsCaptured)
  await assertLedgerConsistent(app)
})

// Last, since moving the clock also expires the token of the administrator.
test('a refused order is placed at the time of frees_at and not a millisecond before', async () => {
  const one = await createBuyer({ spend_limit_credits: price * 2 })
  const start = clock.now().getTime()
  await waitForOrder(one.person.client, await placeOrderId(one, one.captures), 'FULFILLED')
  clock.advance(90_061_007)
  await waitForOrder(signInAgain(one).person.client, await placeOrderId(signInAgain(one), one.captures), 'FULFILLED')
  const { frees_at, window_used } = await placeRefusedOrder(signInAgain(one))
  assert.equal(window_used, price * 2)
  assert.equal(frees_at, new Date(start + window_ms).toISOString())
  clock.advance(start + window_ms - clock.now().getTime() - 1)
  assert.equal((await placeRefusedOrder(signInAgain(one))).frees_at, frees_at)
  clock.advance(1)
  const laterBuyer = signInAgain(one)
  await waitForOrder(laterBuyer.person.client, await placeOrderId(laterBuyer, one.captures), 'FULFILLED')
  assert.equal((await placeRefusedOrder(laterBuyer)).frees_at, new Date(start + window_ms + 90_061_007).toISOString())
  await assertLedgerConsistent(app)
})
