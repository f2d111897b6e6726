import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CancelPolicy } from '../../platform/integrations/imagery-host.ts'
import { createFaultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { assertLedgerConsistent, assertUnchanged } from '../../../test/ledger-assertions.ts'
import {
  findCaptures,
  getEntityEvents,
  getWalletBalance,
  placeSceneOrder,
  waitForOrder,
  waitForOrderTasks,
} from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

const [first, second] = smallScenes
const cancel_policy: CancelPolicy = { cancellable_until: 'BEING_FULFILLED', fee_pct: 12.5 }
const later = { delivers_later: true, deliveries: ['waiting'] as const }
const lenient = await createFaultyHost('lenient', { ...later, cancel: ['accept'], cancel_policy })
let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp({
    hosts: [
      lenient,
      await createFaultyHost('free-of-charge', {
        ...later,
        cancel: ['accept'],
        cancel_policy: { ...cancel_policy, fee_pct: 0 },
      }),
      await createFaultyHost('strict', { ...later, cancel: ['refuse', 'fail'], cancel_policy }),
      await createFaultyHost('unable', { ...later, cancel_policy }),
    ],
    background: { poll_s: 0.1, retry: (declared) => ({ ...declared, delay_s: 600 }) },
  })
  org = await createTestOrganization(app, 1_000_000)
})
after(() => app?.close())

async function placeOrder(host: string, scenes: readonly string[] = [first]): Promise<string> {
  const id = await placeSceneOrder(org.owner.client, host, scenes)
  await waitForOrder(org.owner.client, id, 'PLACED')
  await waitForOrderTasks(app)
  return id
}

test('the policy is shown before the purchase, and the fee before the cancellation', async () => {
  const { client } = org.owner
  const { lines } = await client.call('orders.archive.estimate', {
    captures: await findCaptures(client, 'lenient', [first]),
  })
  assert.deepEqual(lines[0]?.cancel_policy, cancel_policy)
  const order_id = await placeOrder('lenient', [first, second])
  const order = await client.call('orders.get', { order_id })
  const fee = order.captures.reduce((sum, { credits }) => sum + Math.ceil(credits * 0.125), 0)
  assert.ok(fee > 0)
  assert.deepEqual(order.cancellation, {
    is_cancellable: true,
    cancellable_until: 'BEING_FULFILLED',
    fee_credits: fee,
    cancel_by: null,
  })
  const { dry_run } = await assertUnchanged(app, () => client.call('orders.cancel', { order_id, dry_run: true }))
  assert.equal(lenient.canceledReferences.length, 0)
  assert.ok(dry_run!.entries.length > 0)
})

test('an accepted order is withdrawn at its host and charged the fee; the rest is released', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const order_id = await placeOrder('lenient')
  const { cancellation, totalCredits } = await client.call('orders.get', { order_id })
  const { fee_credits } = cancellation
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.cancel', { order_id, max_credits: fee_credits - 1 }), {
      problem: 'spend-limit-exceeded',
    }),
  )
  assert.deepEqual(await client.call('orders.cancel', { order_id, max_credits: fee_credits }), {
    orderId: order_id,
    status: 'CANCELED',
  })
  assert.match(lenient.canceledReferences.at(-1)!, new RegExp(order_id))
  const order = await client.call('orders.get', { order_id })
  assert.deepEqual([order.creditsCaptured, order.creditsRefunded], [fee_credits, totalCredits - fee_credits])
  assert.deepEqual(order.cancellation, {
    is_cancellable: false,
    cancellable_until: 'BEING_FULFILLED',
    fee_credits: 0,
    cancel_by: null,
  })
  assert.deepEqual(await getWalletBalance(client), { available: before.available - fee_credits, held: before.held })
  const [event] = (await getEntityEvents(client, order_id)).slice(-1)
  assert.deepEqual([event?.event_type, event?.data['creditsCaptured']], ['order.cancelled', fee_credits])
  await assertLedgerConsistent(app)
})

test('parallel cancellations charge the fee once', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const order_id = await placeOrder('lenient')
  const { cancellation } = await client.call('orders.get', { order_id })
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => client.call('orders.cancel', { order_id })))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await getWalletBalance(client)).available, before.available - cancellation.fee_credits)
  await assertLedgerConsistent(app)
})

test('a policy without a fee releases everything', async () => {
  const { client } = org.owner
  const before = await getWalletBalance(client)
  const order_id = await placeOrder('free-of-charge')
  await client.call('orders.cancel', { order_id })
  assert.deepEqual(await getWalletBalance(client), before)
  await assertLedgerConsistent(app)
})

test('a host that refuses or does not respond leaves the order as it was', async () => {
  const { client } = org.owner
  const order_id = await placeOrder('strict')
  const cancel = () => client.call('orders.cancel', { order_id })
  await assertUnchanged(app, () => assert.rejects(cancel(), { problem: 'invalid-state', message: /being prepared/ }))
  await assertUnchanged(app, () => assert.rejects(cancel(), { problem: 'upstream' }))
})

test('the policy of a product does not count at a host that cannot withdraw orders', async () => {
  const { client } = org.owner
  const order_id = await placeOrder('unable')
  const { cancellation } = await client.call('orders.get', { order_id })
  assert.deepEqual(cancellation, {
    is_cancellable: false,
    cancellable_until: 'PLACED',
    fee_credits: 0,
    cancel_by: null,
  })
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.cancel', { order_id }), { status: 409, problem: 'invalid-state' }),
  )
})
