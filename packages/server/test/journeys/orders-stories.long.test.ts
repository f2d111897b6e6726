import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { HostScene, ImageryHost } from '../../src/platform/integrations/imagery-host.ts'
import { saveCard } from '../billing-helpers.ts'
import { createFaultyHost, smallScenes } from '../hosts/faulty-host.ts'
import { assertLedgerConsistent } from '../ledger-assertions.ts'
import { findCaptures, getEntityEvents, getWalletBalance, waitForOrder } from '../orders.ts'
import { immediateRetries, startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization } from '../test-organizations.ts'

/** A priced host with copies of one scene, two on each day; they share its file. `changes` are properties by number. */
async function createCopiesHost(
  name: string,
  count: number,
  changes: Readonly<Record<number, Readonly<Record<string, unknown>>>> = {},
): Promise<ImageryHost> {
  const host = await createFaultyHost(name)
  const [template] = await host.search({ ids: [smallScenes[0]], limit: 1 })
  const scenes = Array.from({ length: count }, (_, index): HostScene => {
    const datetime = new Date(Date.UTC(2024, 0, 1 + Math.floor(index / 2), index % 2)).toISOString()
    const properties = { ...template!.properties, ...changes[index] }
    return { ...template!, id: `${name}-${index}`, datetime, properties }
  })
  return {
    ...host,
    search: async ({ ids, limit }) => scenes.filter(({ id }) => !ids || ids.includes(id)).slice(0, limit),
    place: async ({ id }) => ({ reference: id }),
    deliveries: async () => {
      const { reference } = await host.place({ id: 'template', scenes: [template!.id] })
      const delivery = await host.deliveries(reference)
      if (delivery.state !== 'ready') return delivery
      return {
        state: 'ready',
        files: scenes.flatMap(({ id }) => delivery.files.map((file) => ({ ...file, scene: id }))),
      }
    },
  }
}

const batch_scenes = 22
let app: TestApp
before(async () => {
  app = await startTestApp({
    background: immediateRetries,
    hosts: [
      await createCopiesHost('dates', 4),
      await createCopiesHost('many', batch_scenes),
      await createCopiesHost('odd', 3, { 1: { end_datetime: 'the day after' } }),
    ],
  })
})
after(() => app?.close())

const findCopies = (client: Client, host: string, count: number) =>
  findCaptures(
    client,
    host,
    Array.from({ length: count }, (_, index) => `${host}-${index}`),
  )

test('scenes of several dates are priced by date, delivered, and downloaded one by one and as one ZIP', async () => {
  const { owner } = await createTestOrganization(app, 1_000_000)
  const { client } = owner
  const captures = await findCopies(client, 'dates', 4)
  const estimate = await client.call('orders.archive.estimate', { captures, splitByDate: true })
  assert.deepEqual(
    estimate.groups.map(({ date, captures: ids }) => [date, ids.toSorted()]),
    [
      ['2024-01-01', ['dates-0', 'dates-1']],
      ['2024-01-02', ['dates-2', 'dates-3']],
    ],
  )
  const placed = await client.call('orders.archive.place', { captures, splitByDate: true })
  const order = await waitForOrder(client, placed.id, 'FULFILLED')
  assert.equal(order.creditsCaptured, estimate.total_credits)
  assert.equal((await getWalletBalance(client)).available, 1_000_000 - estimate.total_credits)

  const { features } = await client.call('orders.list_assets', { order_id: order.id })
  assert.deepEqual(features.map(({ properties }) => String(properties.datetime).slice(0, 10)).toSorted(), [
    '2024-01-01',
    '2024-01-01',
    '2024-01-02',
    '2024-01-02',
  ])
  for (const { item_id, assets } of features) {
    const data = Object.values(assets).find(({ roles }) => roles.includes('data'))!
    const { url, size_bytes } = await client.call('items.asset.download', { item_id, asset_id: data.id })
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer())
    assert.equal(bytes.length, size_bytes)
    assert.equal(bytes.length, data.file_size_bytes)
    assert.match(new TextDecoder('latin1').decode(bytes.subarray(0, 2)), /^(II|MM)$/)
  }
  const zip = await client.call('orders.download', { order_id: order.id })
  const archive = new Uint8Array(await (await fetch(zip.url)).arrayBuffer())
  assert.equal(zip.file_count, features.flatMap(({ assets }) => Object.values(assets)).length)
  assert.ok(archive.length > zip.files_bytes)
  assert.equal(new TextDecoder('latin1').decode(archive.subarray(0, 4)), 'PK\u0003\u0004')
  const { groups } = await client.call('orders.coverage.groups.list', { order_id: order.id })
  assert.deepEqual(
    groups.map(({ date, item_ids, remainder }) => [date, item_ids.length, remainder.percentage]),
    [
      ['2024-01-01', 2, 0],
      ['2024-01-02', 2, 0],
    ],
  )
})

test('a large order is delivered in batches, and order.being_fulfilled counts the items of the first', async () => {
  const { owner } = await createTestOrganization(app, 1_000_000)
  const { client } = owner
  const { id } = await client.call('orders.archive.place', { captures: await findCopies(client, 'many', batch_scenes) })
  const order = await waitForOrder(client, id, 'FULFILLED')
  assert.equal(order.itemCount, batch_scenes)
  const { captures } = await client.call('orders.get', { order_id: id })
  const batches = [...Map.groupBy(captures, ({ deliveredAt }) => String(deliveredAt)).entries()]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, batch]) => batch.length)
  assert.ok(batches.length > 1 && batches.length < batch_scenes, `${batches}`)
  const begun = (await getEntityEvents(client, id)).filter(({ event_type }) => event_type === 'order.being_fulfilled')
  assert.deepEqual(
    begun.map(({ data }) => data['newItemCount']),
    [batches[0]],
  )
  await assertLedgerConsistent(app)
})

test('a scene that cannot be written does not take its batch with it, and is not charged', async () => {
  const { owner } = await createTestOrganization(app, 1_000_000)
  const { client } = owner
  // A search would show the invalid time, so the captures are those of another host.
  const copies = await findCopies(client, 'dates', 3)
  const captures = copies.map(({ geometry }, index) => ({ id: `odd-${index}`, geometry, host: 'odd' }))
  const { lines } = await client.call('orders.archive.estimate', { captures })
  const { id } = await client.call('orders.archive.place', { captures })
  const order = await waitForOrder(client, id, 'FULFILLED')
  assert.deepEqual([order.fulfillment, order.itemCount, order.failureReason?.code], ['partial', 2, 'delivery-failed'])
  assert.equal(order.creditsCaptured, lines[0]!.credits + lines[2]!.credits)
  assert.deepEqual(await getWalletBalance(client), { available: 1_000_000 - order.creditsCaptured, held: 0 })
})

test('an order that the wallet cannot pay is placed with the same key after a top-up was approved', async () => {
  const org = await createTestOrganization(app, 0)
  const member = await org.addMember('member')
  await org.owner.client.call('projects.add_member', { project_id: org.project, user_id: member.user, role: 'editor' })
  await saveCard(org.owner.client)
  const captures = await findCopies(member.client, 'dates', 1)
  const { total_credits } = await member.client.call('orders.archive.estimate', { captures })
  // With these credits the organization pays from its wallet, and not with the card.
  const { id: approval_id } = await member.client.call('billing.approvals.request', { credits: 100 })
  await org.owner.client.call('billing.approvals.approve', { approval_id })
  const place = (): Promise<{ id: string }> =>
    member.client.call('orders.archive.place', { captures }, { idempotencyKey: 'story of an approval' })
  await assert.rejects(place(), { status: 402 })
  const request = await member.client.call('billing.approvals.request', { credits: total_credits })
  await assert.rejects(member.client.call('billing.approvals.approve', { approval_id: request.id }), { status: 403 })
  await org.owner.client.call('billing.approvals.approve', { approval_id: request.id })
  const { id } = await place()
  const order = await waitForOrder(member.client, id, 'FULFILLED')
  assert.equal(order.creditsCaptured, total_credits)
  assert.deepEqual(await getWalletBalance(org.owner.client), { available: 100, held: 0 })
  await assertLedgerConsistent(app)
})
