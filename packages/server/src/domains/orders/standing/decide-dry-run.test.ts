import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertUnchanged } from '../../../../test/ledger-assertions.ts'
import { createFaultyHost, smallScenes } from '../../../../test/hosts/faulty-host.ts'
import { findCaptures, getWalletBalance, waitForOrder } from '../../../../test/orders.ts'
import { proposeScene } from '../../../../test/standing-orders.ts'
import { createTestOrganization } from '../../../../test/test-organizations.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../../test/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ background: immediateRetries, hosts: [await createFaultyHost('shop')] })
})
after(() => app?.close())

test('a dry run of a decision returns the hold of the order and writes nothing; the order is delivered', async () => {
  const { owner } = await createTestOrganization(app, 1_000_000)
  const [capture] = await findCaptures(owner.client, 'shop', [smallScenes[0]])
  const scene = await proposeScene(app, owner.client, capture!)
  const before = await getWalletBalance(owner.client)
  for (const decision of ['REJECTED', 'ACCEPTED'] as const) {
    const { status, dry_run } = await assertUnchanged(app, () =>
      owner.client.call('orders.standing.decide', { ...scene, decision, dry_run: true }),
    )
    assert.equal(status, decision === 'ACCEPTED' ? 'ordered' : 'rejected')
    assert.deepEqual(
      dry_run?.entries.map(({ kind }) => kind),
      decision === 'ACCEPTED' ? ['hold'] : [],
    )
  }
  const { order_id, credits } = await owner.client.call('orders.standing.decide', { ...scene, decision: 'ACCEPTED' })
  const order = await waitForOrder(owner.client, order_id!, 'FULFILLED')
  assert.equal(order.creditsCaptured, credits)
  assert.deepEqual(await getWalletBalance(owner.client), { available: before.available - credits!, held: 0 })
})
