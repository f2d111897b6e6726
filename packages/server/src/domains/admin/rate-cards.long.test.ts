import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import { assertLedgerConsistent } from '../../../test/ledger-assertions.ts'
import { findCaptures, waitForOrder } from '../../../test/orders.ts'
import { administratorCredentials, hoursFromNow, startTestApp, type TestApp } from '../../../test/test-app.ts'
import {
  createTestOrganization,
  createTestUser,
  testPassword,
  type TestOrganization,
  type TestUser,
} from '../../../test/test-organizations.ts'
import { createOrganizationClocks } from '../../platform/clock.ts'
import { sql } from '../../platform/database/sql.ts'

let clock_offset_ms = 0
const clock = createOrganizationClocks({ now: () => new Date(Date.now() + clock_offset_ms) })

let app: TestApp
let org: TestOrganization
let secondUser: TestUser
/** Two operators, and the owner of an organization. */
let first: Client
let second: Client
let client: Client

/** Signs everybody in, as after the end of their tokens. */
function signIn(): void {
  first = app.createClientFor(administratorCredentials.username, administratorCredentials.password)
  second = app.createClientFor(secondUser.email, testPassword)
  client = app.createClientFor(org.owner.email, testPassword)
}

function moveClock(hours: number): void {
  clock_offset_ms += hours * hour_ms
  signIn()
}

before(async () => {
  app = await startTestApp({ clock })
  secondUser = await createTestUser(app)
  await app.database.unscoped.query(sql`update users set is_administrator = true where id = ${secondUser.user}`)
  org = await createTestOrganization(app, 1_000_000)
  signIn()
})
after(() => app?.close())

const product = 'Aerial archive, whole scene'
const reason = 'The prices of the year.'

interface RateCard {
  readonly id: string
  readonly version: number
  readonly rate_credits: number
  readonly in_force: boolean
  readonly status: string
}

const request = (rate_aud: string, hours: number): Promise<RateCard> =>
  first.call('admin.rate_cards.create', { product, rate_aud, effective_from: hoursFromNow(app, hours), reason })

const approve = (client: Client, { id }: RateCard): Promise<RateCard> =>
  client.call('admin.rate_cards.approve', { rate_card_id: id, reason })

const versionsInForce = async (): Promise<number[]> => {
  const { rate_cards } = await first.call<{ rate_cards: RateCard[] }>('admin.rate_cards.list', { product })
  return rate_cards.filter(({ in_force }) => in_force).map(({ version }) => version)
}

test('a list price is charged from its effective date on, and earlier quotes and orders keep theirs', async () => {
  const captures = await findCaptures(client, 'commercial', ['naip-va-17n'])
  const estimate = async (): Promise<number> =>
    (await client.call<{ total_credits: number }>('orders.archive.estimate', { captures })).total_credits
  const declared_credits = await estimate()
  const order = await client.call('orders.archive.place', { captures })
  const quote = await client.call('orders.quote', {
    captures: await findCaptures(client, 'commercial', ['naip-va-17n']),
  })
  const requested = await request('7.00', 0.1)
  assert.deepEqual([requested.version, requested.rate_credits, requested.status], [1, 700, 'pending'])
  await assert.rejects(approve(first, requested), { problem: 'forbidden' })
  const approved = await approve(second, requested)
  assert.deepEqual([approved.status, approved.in_force], ['approved', false])
  await assert.rejects(approve(second, requested), { problem: 'already-decided' })
  assert.equal(await estimate(), declared_credits, 'its effective date is not reached')
  moveClock(0.15)
  assert.deepEqual(await versionsInForce(), [1])
  const raised_credits = await estimate()
  assert.ok(Math.abs(raised_credits - 2 * declared_credits) <= 1, `${raised_credits} of ${declared_credits}`)
  const { features } = await client.call('catalog.search', { host_name: 'commercial', ids: ['naip-va-17n'] })
  assert.equal(features.length, 1)
  const { content } = await client.call('glossary.data_products.list', {})
  const price = content.find(({ title }) => title === product)?.price
  assert.deepEqual(
    [price?.rate_credits, price?.list_rate_credits, price?.valid_from],
    [700, 700, clock.now().toISOString().slice(0, 10)],
  )
  const locked = await client.call('orders.archive.place', { quote_id: quote.quote_id })
  assert.equal(locked.totalCredits, quote.total_credits, 'the quote keeps its price')
  const fulfilled = await waitForOrder(client, order.id, 'FULFILLED')
  assert.deepEqual([fulfilled.totalCredits, fulfilled.creditsCaptured], [declared_credits, declared_credits])
  await assertLedgerConsistent(app)
})

test('of two versions the one with the later effective date is in force, and a missed date is not approved', async () => {
  const missed = await request('9.00', 0.1)
  const later = await approve(second, await request('8.00', 0.3))
  moveClock(0.2)
  await assert.rejects(approve(second, missed), { problem: 'invalid-state' })
  assert.deepEqual(await versionsInForce(), [1])
  await first.call('admin.rate_cards.reject', { rate_card_id: missed.id, reason })
  moveClock(0.2)
  assert.deepEqual(await versionsInForce(), [later.version])
  await assert.rejects(request('8.00', -1), { problem: 'validation' })
})

test('the rate of a commitment replaces the list price, which is still shown', async () => {
  const enterprise = await createTestOrganization(app, 0)
  const organization_id = enterprise.organization
  await first.call('admin.orgs.set_plan', { organization_id, plan: 'enterprise', reason })
  await first.call('admin.commitments.create', {
    organization_id,
    name: 'Year',
    period_start: hoursFromNow(app, -1),
    period_end: hoursFromNow(app, 1000),
    committed_aud: 0,
    products: [{ product, negotiated_rate_aud: '2.5' }],
    reason,
  })
  const { content } = await enterprise.owner.client.call('glossary.data_products.list', {})
  const price = content.find(({ title }) => title === product)?.price
  assert.deepEqual([price?.rate_credits, price?.list_rate_credits], [250, 800])
})

test('a list price can be requested of each product with a price that the data products name', async () => {
  const { data_products } = await first.call('admin.data_products.list', { limit: 100 })
  const products = new Set(data_products.flatMap(({ price_product }) => price_product ?? []))
  assert.ok(products.has('Aerial archive, whole scene') && products.has('Tasking, 30 cm'))
  for (const product of products)
    await first.call('admin.rate_cards.create', {
      product,
      rate_aud: '3',
      effective_from: hoursFromNow(app, 5),
      reason,
    })
  const free = data_products.filter(({ price_product }) => price_product === null)
  assert.ok(free.length > 0 && free.every(({ terms }) => terms.minimum_km2 === null))
})
