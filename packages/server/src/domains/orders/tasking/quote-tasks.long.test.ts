import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { platformPrincipal } from '../../../engine/task-definition.ts'
import { createManualClock } from '../../../platform/clock.ts'
import { smallScenes } from '../../../../test/hosts/faulty-host.ts'
import { createTaskingHost } from '../../../../test/hosts/tasking-host.ts'
import { assertLedgerConsistent, assertUnchanged } from '../../../../test/ledger-assertions.ts'
import {
  advanceOrders,
  findCaptures,
  getWalletBalance,
  waitForOrder,
  waitForOrderTasks,
} from '../../../../test/orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'
import { storeOrderQuote } from '../price-lock.ts'

const clock = createManualClock(new Date())
let rate_factor = 1

/** A host of tasking whose prices change with `rate_factor`. */
async function createRepricingHost(name: string) {
  const host = await createTaskingHost(name)
  const tasking = {
    ...host.tasking,
    get products() {
      return host.tasking.products.map(({ price, ...product }) => ({
        ...product,
        price: { ...price, rate_credits: price.rate_credits * rate_factor },
      }))
    },
  }
  return { ...host, tasking }
}

let app: TestApp
let org: TestOrganization
let area: Record<string, unknown>
before(async () => {
  app = await startTestApp({ hosts: [await createRepricingHost('sky')], clock, background: immediateRetries })
  org = await createTestOrganization(app, 1_000_000)
  area = (await findCaptures(org.owner.client, 'sky', [smallScenes[0]]))[0]!.geometry
})
beforeEach(() => {
  rate_factor = 1
})
after(() => app?.close())

const groupsOf = (workflow: string) => [{ geometry: area, dataProduct: `sky:${workflow}`, name: 'Field' }]
const quoteTasks = (input: object = {}) =>
  org.owner.client.call('orders.quote', { groups: groupsOf('direct'), ...input } as never)
const place = (input: object) => org.owner.client.call('orders.tasking.place', input as never)

/** Moves the time of the organization and runs the due work. */
const advance = (hours: number): Promise<void> => advanceOrders(app, clock, org.organization, hours)

test('a tasking order that names a quote is charged its price after the host has raised prices', async () => {
  const { client } = org.owner
  const quote = await quoteTasks()
  assert.equal(quote.groups.length, 1)
  assert.equal(quote.groups[0]!.credits, quote.total_credits)
  rate_factor = 3
  const now = await client.call('orders.tasking.estimate', { groups: groupsOf('direct') } as never)
  assert.ok(quote.total_credits > 0 && now.totalCredits > quote.total_credits)
  const before = await getWalletBalance(client)
  const { id, totalCredits } = await place({ quote_id: quote.quote_id, displayName: 'Quoted' })
  assert.equal(totalCredits, quote.total_credits)
  await waitForOrder(client, id, 'PLACED')
  for (const hours of [13, 5]) await advance(hours)
  await waitForOrder(client, id, 'FULFILLED')
  const order = await client.call('orders.get', { order_id: id })
  assert.deepEqual([order.creditsCaptured, order.displayName], [quote.total_credits, 'Quoted'])
  assert.deepEqual(await getWalletBalance(client), { available: before.available - quote.total_credits, held: 0 })
  await assertLedgerConsistent(app)
})

test('a quote for areas serves one tasking order of its own organization, without other areas', async () => {
  const { client } = org.owner
  const { quote_id } = await quoteTasks()
  const stranger = (await createTestOrganization(app, 1_000_000)).owner.client
  const { quote_id: archive_quote } = await client.call('orders.quote', {
    captures: await findCaptures(client, 'sky', [smallScenes[0]]),
  })
  await assertUnchanged(app, async () => {
    await assert.rejects(stranger.call('orders.tasking.place', { quote_id }), { problem: 'not-found' })
    await assert.rejects(place({ quote_id, groups: groupsOf('direct') }), { problem: 'conflicting-parameters' })
    await assert.rejects(place({ quote_id, params: { maxCloudCover: 5 } }), { problem: 'conflicting-parameters' })
    await assert.rejects(place({ quote_id: archive_quote }), { problem: 'validation' })
    await assert.rejects(client.call('orders.archive.place', { quote_id }), { problem: 'validation' })
    await assert.rejects(place({}), { problem: 'validation' })
  })
  const results = await Promise.allSettled([place({ quote_id }), place({ quote_id })])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(place({ quote_id }), { problem: 'invalid-state' })
  await waitForOrderTasks(app)
  await assertLedgerConsistent(app)
})

test('a dry run with a quote leaves it open, and max_credits is compared with its price', async () => {
  const { quote_id, total_credits } = await quoteTasks()
  rate_factor = 3
  const { dry_run } = await assertUnchanged(app, () => place({ quote_id, dry_run: true, max_credits: total_credits }))
  assert.deepEqual(
    dry_run?.entries.map(({ kind, amount_credits }) => [kind, amount_credits]),
    [['hold', -total_credits]],
  )
  await assertUnchanged(app, () =>
    assert.rejects(place({ quote_id, max_credits: total_credits - 1 }), { problem: 'spend-limit-exceeded' }),
  )
  assert.equal((await place({ quote_id, max_credits: total_credits })).totalCredits, total_credits)
  await waitForOrderTasks(app)
})

test('areas whose price is offered after the order, or that cannot be acquired, have no quote', async () => {
  await assertUnchanged(app, async () => {
    for (const workflow of ['study', 'quotation', 'unknown'])
      await assert.rejects(quoteTasks({ groups: groupsOf(workflow) }), { status: 422, problem: 'validation' }, workflow)
    const captures = await findCaptures(org.owner.client, 'sky', [smallScenes[0]])
    await assert.rejects(quoteTasks({ captures }), { status: 422, problem: 'validation' })
    await assert.rejects(quoteTasks({ exclude_owned: true }), { status: 422, problem: 'validation' })
    await assert.rejects(quoteTasks({ licenseType: 'standard' }), { status: 422, problem: 'validation' })
    await assert.rejects(quoteTasks({ template_id: org.organization }), { status: 404, problem: 'not-found' })
    await assert.rejects(org.owner.client.call('orders.quote', {}), { status: 422, problem: 'validation' })
  })
})

test('quotes are counted under a lock, so that two at once do not pass the limit', async () => {
  const { organization } = await createTestOrganization(app)
  const statements: string[] = []
  const call: Parameters<typeof storeOrderQuote>[0] = {
    organization,
    principal: { ...platformPrincipal, organization },
    transaction: (work) =>
      app.database.forOrganization(organization).transaction((tx) =>
        work({
          organization,
          afterCommit: (run) => tx.afterCommit(run),
          publish: (channel, message) => tx.publish(channel, message),
          query: (statement) => {
            statements.push(statement.strings.join('?'))
            return tx.query(statement)
          },
        }),
      ),
  }
  const now = clock.forOrganization(organization).now()
  const { id } = await storeOrderQuote(call, { captures: [], tasks: null, groups: [], total_credits: 0 }, now)
  assert.ok(id)
  const locked = statements.findIndex((text) => text.includes('pg_advisory_xact_lock'))
  const counted = statements.findIndex((text) => text.includes('count(*)'))
  assert.ok(locked >= 0 && locked < counted, statements.join())
})

test('a quote for areas that has expired is refused, and nothing is written', async () => {
  const { quote_id, expires_at } = await quoteTasks()
  clock.advance(Date.parse(expires_at) - clock.forOrganization(org.organization).now().getTime(), org.organization)
  await assertUnchanged(app, () => assert.rejects(place({ quote_id }), { status: 410, problem: 'quote-expired' }))
})
