import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { createOrganizationClocks } from '../../src/platform/clock.ts'
import type { ImageryHost } from '../../src/platform/integrations/imagery-host.ts'
import { saveCard, waitUntilIdle } from '../billing-helpers.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { findCaptures, getWalletBalance, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, immediateRetries, type TestApp } from '../test-app.ts'

const [scene] = smallScenes
let rate_factor = 1
let clock_offset_ms = 0
const clock = createOrganizationClocks({ now: () => new Date(Date.now() + clock_offset_ms) })

/** A host whose list prices change with `rate_factor`. */
async function createRepricingHost(name: string): Promise<ImageryHost> {
  const host = await createFaultyHost(name)
  const collections = host.collections.map((collection) => ({
    ...collection,
    get price() {
      return collection.price && { ...collection.price, rate_credits: collection.price.rate_credits * rate_factor }
    },
  }))
  return { ...host, collections }
}

let app: TestApp
let org: TestOrganization
let client: Client
before(async () => {
  app = await startTestApp({ background: immediateRetries, clock, hosts: [await createRepricingHost('shop')] })
  org = await createTestOrganization(app, 1_000_000)
  client = org.owner.client
})
beforeEach(() => {
  rate_factor = 1
})
after(() => app?.close())

const quoteScene = async () => client.call('orders.quote', { captures: await findCaptures(client, 'shop', [scene]) })

test('an order that names a quote is charged its price after the host has raised prices', async () => {
  const captures = await findCaptures(client, 'shop', [scene])
  const quote = await client.call('orders.quote', { captures })
  rate_factor = 3
  const { total_credits: current_credits } = await client.call('orders.archive.estimate', { captures })
  assert.ok(quote.total_credits > 0 && current_credits > quote.total_credits)
  const before = await getWalletBalance(client)
  const { id, totalCredits } = await client.call('orders.archive.place', { quote_id: quote.quote_id })
  assert.equal(totalCredits, quote.total_credits)
  const order = await waitForOrder(client, id, 'FULFILLED')
  assert.equal(order.creditsCaptured, quote.total_credits)
  assert.deepEqual(await getWalletBalance(client), { available: before.available - quote.total_credits, held: 0 })
  await assertLedgerConsistent(app)
})

test('a quote serves one order, of its own organization, without other captures', async () => {
  const { quote_id } = await quoteScene()
  const stranger = await createTestOrganization(app, 1_000_000)
  const captures = await findCaptures(client, 'shop', [scene])
  await assertUnchanged(app, async () => {
    await assert.rejects(stranger.owner.client.call('orders.archive.place', { quote_id }), { problem: 'not-found' })
    await assert.rejects(client.call('orders.archive.place', { quote_id, captures }), {
      problem: 'conflicting-parameters',
    })
    await assert.rejects(client.call('orders.archive.place', {}), { problem: 'validation' })
  })
  const results = await Promise.allSettled([
    client.call('orders.archive.place', { quote_id }),
    client.call('orders.archive.place', { quote_id }),
  ])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  for (const result of results)
    if (result.status === 'fulfilled') await waitForOrder(client, result.value.id, 'FULFILLED')
  await assert.rejects(client.call('orders.archive.place', { quote_id }), { problem: 'invalid-state' })
  await assertLedgerConsistent(app)
})

test('a scene that cannot be ordered has no quote', async () => {
  const captures = [{ id: 'no-such-scene', host: 'shop', geometry: { type: 'Polygon', coordinates: [] } }]
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.quote', { captures }), { status: 422, problem: 'validation' }),
  )
})

test('an order that costs more than max_credits is refused, and nothing is written', async () => {
  const captures = await findCaptures(client, 'shop', [scene])
  const { total_credits } = await client.call('orders.archive.estimate', { captures })
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.archive.place', { captures, max_credits: total_credits - 1 }), {
      status: 403,
      problem: 'spend-limit-exceeded',
    }),
  )
  const { id } = await client.call('orders.archive.place', { captures, max_credits: total_credits })
  await waitForOrder(client, id, 'FULFILLED')
})

test('a dry run answers with the journal entries of the order, and nothing is written', async () => {
  const captures = await findCaptures(client, 'shop', [scene])
  const before = await getWalletBalance(client)
  const { dry_run, totalCredits } = await assertUnchanged(app, () =>
    client.call('orders.archive.place', { captures, dry_run: true }),
  )
  assert.equal(dry_run?.entries.length, 1)
  const [entry] = dry_run.entries
  assert.deepEqual(
    [entry!.kind, entry!.amount_credits, entry!.available_after_credits],
    ['hold', -totalCredits, before.available - totalCredits],
  )
  assert.equal(
    entry!.postings.reduce((sum, { amount_credits }) => sum + amount_credits, 0),
    0,
  )
  const { id, dry_run: none } = await client.call('orders.archive.place', { captures })
  assert.equal(none, undefined)
  await waitForOrder(client, id, 'FULFILLED')
})

test('a dry run of an order that cannot be paid is refused like the order', async () => {
  const poor = (await createTestOrganization(app, 1)).owner.client
  const captures = await findCaptures(poor, 'shop', [scene])
  await assert.rejects(poor.call('orders.archive.place', { captures, dry_run: true }), {
    problem: 'insufficient-credits',
  })
})

test('a dry run of a top-up names the purchase, and charges no card', async () => {
  await saveCard(client)
  await waitUntilIdle(app)
  const before = await getWalletBalance(client)
  const { dry_run, balance } = await assertUnchanged(app, () =>
    client.call('billing.topup', { credits: 700, dry_run: true }),
  )
  assert.deepEqual(
    dry_run?.entries.map(({ kind, amount_credits }) => [kind, amount_credits]),
    // Play money carries no tax.
    [['purchase', 700]],
  )
  assert.equal(balance.available_credits, before.available + 700)
  assert.deepEqual(await getWalletBalance(client), before)
  await assertUnchanged(app, () =>
    assert.rejects(client.call('billing.topup', { credits: 700, max_credits: 699 }), {
      problem: 'spend-limit-exceeded',
    }),
  )
})

test('a dry run of an approval leaves the request open', async () => {
  const requester = await org.addMember('member')
  const { id: approval_id } = await requester.client.call('billing.approvals.request', { credits: 900 })
  const { dry_run, status } = await assertUnchanged(app, () =>
    client.call('billing.approvals.approve', { approval_id, dry_run: true }),
  )
  assert.equal(status, 'completed')
  await assert.rejects(client.call('billing.approvals.approve', { approval_id, max_credits: 899 }), {
    problem: 'spend-limit-exceeded',
  })
  assert.equal(dry_run?.entries[0]?.amount_credits, 900)
})

test('a quote that has expired is refused, and nothing is written', async () => {
  const { quote_id, expires_at } = await quoteScene()
  clock_offset_ms += Date.parse(expires_at) - clock.now().getTime() + 1000
  // The tokens of the client have expired as well.
  const returning = app.createClientFor(org.owner.email, org.owner.password)
  await returning.call('users.me')
  await assertUnchanged(app, () =>
    assert.rejects(returning.call('orders.archive.place', { quote_id }), { status: 410, problem: 'quote-expired' }),
  )
})
