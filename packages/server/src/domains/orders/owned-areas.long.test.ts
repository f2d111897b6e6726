import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OutputOf } from '@swath/client/operations.ts'
import { createFaultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { assertUnchanged } from '../../../test/ledger-assertions.ts'
import { findCaptures, toProductOrder, waitForOrder, type CaptureInput } from '../../../test/orders.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

const [first, second] = smallScenes
let app: TestApp
let org: TestOrganization
let whole: CaptureInput
let other: CaptureInput
let west: CaptureInput
/** Holds the western half of the first scene under the standard licence. */
before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('shop')], background: { poll_s: 0.1 } })
  org = await createTestOrganization(app, 1_000_000)
  const { client } = org.owner
  ;[whole, other] = (await findCaptures(client, 'shop', [first, second])) as [CaptureInput, CaptureInput]
  west = { ...whole, geometry: takeHalf(whole, 'west') }
  const { id } = await client.call('orders.archive.place', { captures: [west] })
  await waitForOrder(client, id, 'FULFILLED')
})
after(() => app?.close())

/** One half of the bounding box of a capture. */
function takeHalf({ geometry }: CaptureInput, side: 'west' | 'east'): Record<string, unknown> {
  const positions = (geometry['coordinates'] as [number, number][][]).flat()
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)]
  const [left, right, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const middle = (left + right) / 2
  const [from, to] = side === 'west' ? [left, middle] : [middle, right]
  return { type: 'Polygon', coordinates: [[[from, south], [to, south], [to, north], [from, north], [from, south]]] } // prettier-ignore
}

const estimate = (captures: readonly CaptureInput[], exclude_owned = true) =>
  org.owner.client.call('orders.archive.estimate', { captures: [...captures], exclude_owned })

test('an estimate leaves out held areas, and names their licence', async () => {
  const {
    lines: [all],
  } = await estimate([whole], false)
  const {
    lines: [rest, untouched],
  } = await estimate([whole, other])
  assert.equal(all?.held_licence, null)
  assert.ok(rest && all && Math.abs(rest.area_km2 / all.area_km2 - 0.5) < 0.05)
  assert.equal(rest.held_licence, rest.licences[0])
  assert.equal(untouched?.held_licence, null)
})

test('a capture that is held completely is an error of its own, and an order of it is refused', async () => {
  const { lines, errors, total_credits } = await estimate([west])
  assert.deepEqual([lines.length, total_credits, errors.map(({ code }) => code)], [0, 0, ['already-held']])
  await assertUnchanged(app, () =>
    assert.rejects(org.owner.client.call('orders.archive.place', { captures: [west], exclude_owned: true }), {
      status: 422,
      problem: 'validation',
    }),
  )
})

test('the area is not held under another licence', async () => {
  const { client } = org.owner
  const place = { captures: [whole], exclude_owned: true, dry_run: true }
  const standard = await client.call<{ totalCredits: number }>('orders.archive.place', place)
  const extended = await client.call<{ totalCredits: number }>('orders.archive.place', {
    ...place,
    licenseType: 'extended',
  })
  const all = await estimate([whole], false)
  assert.equal(extended.totalCredits, all.total_credits)
  assert.ok(standard.totalCredits <= extended.totalCredits)
  const { quote_id } = await client.call('orders.quote', { captures: [whole], exclude_owned: true })
  await assertUnchanged(app, () =>
    assert.rejects(client.call('orders.archive.place', { quote_id, licenseType: 'extended' }), {
      problem: 'conflicting-parameters',
    }),
  )
  const quote = await client.call('orders.quote', { captures: [whole], exclude_owned: true, licenseType: 'extended' })
  assert.equal(quote.lines[0]?.held_licence, null)
  assert.equal(quote.total_credits, all.total_credits)
})

test('an order of the data product leaves out the same area; a feature that is held is an error of its own', async () => {
  const { client } = org.owner
  const [rest] = (await estimate([whole])).lines
  const order = { ...(await toProductOrder(client, whole, [whole.geometry, west.geometry])), exclude_owned: true }
  const { results, errors } = await client.call<OutputOf<'orders.estimate'>>('orders.estimate', order)
  assert.deepEqual(
    [results.map(({ index, credits }) => [index, credits]), errors.map(({ index, details }) => [index, details])],
    [[[0, rest!.credits]], [[1, `already-held: ${first}`]]],
  )
  const whollyPlaced = { ...order, workspaceId: org.project, dry_run: true }
  await assert.rejects(client.call('orders.place', whollyPlaced), { status: 422, problem: 'validation' })
  const placement = { ...whollyPlaced, partial: true }
  const placed = await client.call<OutputOf<'orders.place'>>('orders.place', {
    ...placement,
    max_credits: rest!.credits,
  })
  assert.deepEqual(
    placed.orders.map(({ totalCredits }) => totalCredits),
    [rest!.credits],
  )
  assert.deepEqual(placed.errors, errors)
  const tooDear = client.call('orders.place', { ...placement, max_credits: rest!.credits - 1 })
  await assert.rejects(tooDear, { problem: 'spend-limit-exceeded' })
  const params = { ...order.params, licenseType: 'extended' }
  const extended = await client.call<OutputOf<'orders.estimate'>>('orders.estimate', { ...order, params })
  assert.deepEqual(extended.errors, [])
})

test('an order by quote cannot leave out more than its quote', async () => {
  const { client } = org.owner
  const { quote_id } = await client.call('orders.quote', { captures: [whole] })
  const { dataProduct } = await toProductOrder(client, whole)
  const options = { quote_id, exclude_owned: true }
  await assertUnchanged(app, async () => {
    const problem = { status: 400, problem: 'conflicting-parameters' }
    await assert.rejects(client.call('orders.archive.place', options), problem)
    await assert.rejects(client.call('orders.place', { ...options, dataProduct, workspaceId: org.project }), problem)
  })
})

test('an order delivers the rest only, and then everything is held; a deleted item is not', async () => {
  const { client } = org.owner
  const { id } = await client.call('orders.archive.place', { captures: [whole], exclude_owned: true })
  await waitForOrder(client, id, 'FULFILLED')
  const { captures } = await client.call('orders.get', { order_id: id })
  const eastern = JSON.stringify(captures[0]?.geometry)
  assert.notEqual(eastern, JSON.stringify(whole.geometry))
  assert.deepEqual(
    (await estimate([whole])).errors.map(({ code }) => code),
    ['already-held'],
  )
  await client.call('items.delete', { item_id: captures[0]!.item_id })
  assert.equal((await estimate([whole])).lines.length, 1)
})

test('areas that another organization holds are charged', async () => {
  const stranger = await createTestOrganization(app, 100_000)
  const { lines } = await stranger.owner.client.call('orders.archive.estimate', {
    captures: [west],
    exclude_owned: true,
  })
  assert.equal(lines[0]?.held_licence, null)
})

test('an order of the data product delivers the rest only', async () => {
  const { client } = org.owner
  const half = { ...other, geometry: takeHalf(other, 'west') }
  const { id } = await client.call('orders.archive.place', { captures: [half] })
  await waitForOrder(client, id, 'FULFILLED')
  const order = { ...(await toProductOrder(client, other)), workspaceId: org.project, exclude_owned: true }
  const [placed] = (await client.call<OutputOf<'orders.place'>>('orders.place', order)).orders
  await waitForOrder(client, placed!.id, 'FULFILLED')
  const { captures } = await client.call('orders.get', { order_id: placed!.id })
  const centre = (geometry: Record<string, unknown>): number => {
    const xs = (geometry['coordinates'] as [number, number][][]).flat().map(([x]) => x)
    return (Math.min(...xs) + Math.max(...xs)) / 2
  }
  assert.ok(centre(captures[0]!.geometry as never) > centre(other.geometry))
})
