import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { Caps } from '../../src/domains/ledger/caps.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { spendBackground } from '../contract/examples/spend.ts'
import { assertBooks, unchanged } from '../books.ts'
import { faultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { atRest, giveCard, putOnPlan } from '../house-money.ts'
import { capturesOf, waitForOrder, type Capture } from '../orders.ts'
import { makeOrganization, type Person, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

const day_ms = 86_400_000
const window_ms = 30 * day_ms

const clock = manualClock(new Date('2026-03-01T12:34:56.789Z'))
const [scene, second] = smallScenes
let house: TestHouse
let price: number
before(async () => {
  const hosts = [
    await faultyHost('good'),
    await faultyHost('failing', { place: ['fail'] }),
    await faultyHost('partial', { files: { [second]: ['missing'] } }),
  ]
  house = await bootHouse({ clock, hosts, background: spendBackground })
  const { owner } = await makeOrganization(house)
  const captures = await capturesOf(owner.client, 'good', [scene])
  price = (await owner.client.call('orders.archive.estimate', { captures })).total_credits
})
after(() => house?.close())

interface Buyer {
  readonly made: TestOrganization
  readonly person: Person
  readonly captures: readonly Capture[]
}

/** Creates a user with spend limits set by the owner, and the captures to order. */
async function buyer(caps: Partial<Caps>, role: 'member' | 'owner' = 'member', host = 'good'): Promise<Buyer> {
  const made = await makeOrganization(house, 1_000_000)
  const { client } = made.owner
  const person = role === 'owner' ? made.owner : await made.join('member')
  if (role !== 'owner') {
    await client.call('projects.add_member', { project_id: made.project, user_id: person.user, role: 'editor' })
  }
  await cap(made, person, caps)
  return { made, person, captures: await capturesOf(client, host, [scene]) }
}

const cap = (made: TestOrganization, { user }: Person, caps: Partial<Caps>): Promise<unknown> =>
  made.owner.client.call('organizations.members.set_spend_limit', {
    userId: user,
    perOrderLimitCredits: caps.per_order_limit_credits ?? null,
    spendLimitCredits: caps.spend_limit_credits ?? null,
  })

const place = (client: Client, captures: readonly Capture[]): Promise<Response> =>
  client.fetch('/v1/op/orders.archive.place', { method: 'POST', body: JSON.stringify({ captures }) })

async function bought({ person }: Buyer, captures: readonly Capture[]): Promise<string> {
  const response = await place(person.client, captures)
  const text = await response.text()
  assert.equal(response.status, 202, text)
  return (JSON.parse(text) as { id: string }).id
}

interface Breach {
  readonly type: string
  readonly title: string
  readonly detail: string
  readonly limit: number
  readonly window_used: number
  readonly requested: number
  readonly frees_at: string | null
}

/** Tables whose rows the processor expires when the clock moves. */
const forgotten = ['processor_events', 'processor_requests']

async function breach({ person, captures }: Buyer): Promise<Breach> {
  await atRest(house)
  const response = await unchanged(house, () => place(person.client, captures), forgotten)
  const document = (await response.json()) as Breach
  assert.equal(response.status, 403, JSON.stringify(document))
  assert.equal(document.type, `${house.url}/problems/spend-limit-exceeded`)
  assert.equal(document.title, 'Spend limit exceeded')
  return document
}

const used = async ({ person }: Buyer): Promise<number> => {
  const window = await person.client.call<{ window_used_credits: number }>('organizations.members.spend.get', {})
  return window.window_used_credits
}

/** The same user, signed in again: tokens expire when the clock moves. */
const again = (one: Buyer): Buyer => ({
  ...one,
  person: { ...one.person, client: house.signedIn(one.person.email, one.person.password) },
})

test('an order above the per-order limit is refused without frees_at, one at the limit is placed', async () => {
  const one = await buyer({ per_order_limit_credits: price - 1 })
  const { limit, window_used, requested, frees_at, detail } = await breach(one)
  assert.deepEqual([limit, window_used, requested, frees_at], [price - 1, 0, price, null])
  assert.match(detail, new RegExp(`per-order limit of ${price - 1} credits`))
  await cap(one.made, one.person, { per_order_limit_credits: price })
  await bought(one, one.captures)
})

for (const [way, prepare] of [
  ['credits', (made: TestOrganization) => putOnPlan(house, made.organization, 'prepaid')],
  ['an invoice', (made: TestOrganization) => putOnPlan(house, made.organization, 'enterprise')],
  [
    'a card',
    async (made: TestOrganization) => {
      const { organization } = made
      const { available_credits } = await made.owner.client.call('billing.credits.balance', {})
      const all = { organization_id: organization, amount_credits: -available_credits, reason: 'test' }
      await house.admin.call('admin.orgs.credit_adjust', all)
      await putOnPlan(house, organization, 'free')
      await giveCard(made.owner.client)
    },
  ],
] as const) {
  test(`of sixteen concurrent orders paid by ${way}, only the five within the limit are placed`, async () => {
    const one = await buyer({ spend_limit_credits: price * 6 - 1 })
    await prepare(one.made)
    const responses = await Promise.all(Array.from({ length: 16 }, () => place(one.person.client, one.captures)))
    const statuses = responses.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [...Array<number>(5).fill(202), ...Array<number>(11).fill(403)])
    for (const response of responses) {
      const document = (await response.json()) as Breach & { id: string }
      if (response.ok) await waitForOrder(one.person.client, document.id, 'FULFILLED')
      else assert.deepEqual([document.limit, document.requested], [price * 6 - 1, price])
    }
    assert.equal(await used(one), price * 5)
    assert.equal((await breach(one)).window_used, price * 5)
    await atRest(house)
    const intents = await house.database.across.query<{ status: string }>(sql`
      select intent.status from processor_intents intent
      join processor_customers customer on customer.id = intent.customer
      where customer.organization_id = ${one.made.organization}`)
    assert.deepEqual(
      intents.map(({ status }) => status),
      Array(way === 'a card' ? 5 : 0).fill('succeeded'),
    )
    await assertBooks(house)
  })
}

test('a limit of zero allows only free orders, no limit allows all, and limits apply to owners', async () => {
  const one = await buyer({ spend_limit_credits: 0 }, 'owner')
  const { limit, frees_at } = await breach(one)
  assert.deepEqual([limit, frees_at], [0, null])
  await bought(one, await capturesOf(one.person.client, 'open', ['l8-stormlake-20200829']))
  await cap(one.made, one.person, { per_order_limit_credits: 0 })
  assert.equal((await breach(one)).limit, 0)
  await cap(one.made, one.person, {})
  await bought(one, one.captures)
})

test('a limit lowered below the spend refuses new orders and does not affect existing ones', async () => {
  const one = await buyer({ spend_limit_credits: price * 3 })
  const id = await bought(one, one.captures)
  await cap(one.made, one.person, { spend_limit_credits: 1 })
  const order = await waitForOrder(one.person.client, id, 'FULFILLED')
  assert.equal(order.creditsCaptured, price)
  const { limit, window_used, frees_at } = await breach(one)
  assert.deepEqual([limit, window_used, frees_at], [1, price, null])
})

test('cancelled and undelivered orders do not count towards the limit', async () => {
  const one = await buyer({ spend_limit_credits: price }, 'member', 'failing')
  const id = await bought(one, one.captures)
  await waitForOrder(one.person.client, id, 'PLACEMENT_FAILED')
  assert.equal((await breach(one)).window_used, price)
  await one.person.client.call('orders.cancel', { order_id: id })
  assert.equal(await used(one), 0)

  const partly = await buyer({ spend_limit_credits: price * 10 }, 'member', 'partial')
  const both = await capturesOf(partly.person.client, 'partial', [scene, second])
  const order = await waitForOrder(partly.person.client, await bought(partly, both), 'FULFILLED')
  assert.ok(order.creditsCaptured > 0 && order.creditsCaptured < order.totalCredits)
  assert.equal(await used(partly), order.creditsCaptured)
  await assertBooks(house)
})

// Last, since moving the clock also expires the token of the administrator.
test('a refused order is placed at the time of frees_at and not a millisecond before', async () => {
  const one = await buyer({ spend_limit_credits: price * 2 })
  const start = clock.now().getTime()
  await waitForOrder(one.person.client, await bought(one, one.captures), 'FULFILLED')
  clock.advance(90_061_007)
  await waitForOrder(again(one).person.client, await bought(again(one), one.captures), 'FULFILLED')
  const { frees_at, window_used } = await breach(again(one))
  assert.equal(window_used, price * 2)
  assert.equal(frees_at, new Date(start + window_ms).toISOString())
  clock.advance(start + window_ms - clock.now().getTime() - 1)
  assert.equal((await breach(again(one))).frees_at, frees_at)
  clock.advance(1)
  const late = again(one)
  await waitForOrder(late.person.client, await bought(late, one.captures), 'FULFILLED')
  assert.equal((await breach(late)).frees_at, new Date(start + window_ms + 90_061_007).toISOString())
  await assertBooks(house)
})
