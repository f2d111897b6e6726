import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeNeeds, readConstants, findFirstLimit, formatAmount, type PlannedLoad } from './capacity.ts'

const load: PlannedLoad = {
  items: 0,
  searches_per_second: 0,
  tiles_per_second: 0,
  cdn_share: 0,
  webhooks_per_hour: 0,
  peak: 1,
}
const constants = readConstants()
const needOf = (of: Partial<PlannedLoad>, resource: RegExp): number =>
  computeNeeds({ ...load, ...of }, constants).find((need) => resource.test(need.resource))!.amount

test('a billion items take the bytes of their rows and indexes', () => {
  assert.equal(needOf({ items: 1e9 }, /^disk of the items/), 1e9 * (2500 + 78 + 4 * 30))
})

test('tiles take cores in proportion to what the CDN leaves over', () => {
  assert.equal(needOf({ tiles_per_second: 10_000 }, /render/), 180)
  assert.ok(Math.abs(needOf({ tiles_per_second: 10_000, cdn_share: 0.9 }, /render/) - 18) < 1e-9)
  assert.equal(needOf({ tiles_per_second: 10_000 }, /object store/), 6e9)
})

test('receivers that never answer hold more sockets than all others', () => {
  const sockets = needOf({ webhooks_per_hour: 3600 }, /sockets/)
  assert.ok(Math.abs(sockets - (0.95 * 0.5 + 0.05 * 10)) < 1e-9)
})

test('the bottleneck is the need with the largest number of machines', () => {
  const tiles = computeNeeds({ ...load, tiles_per_second: 10_000 }, constants)
  assert.equal(findFirstLimit(tiles).resource, 'cores that render tiles')
  assert.equal(
    findFirstLimit(computeNeeds({ ...load, items: 1e9 }, constants)).resource,
    'disk of the items and their indexes',
  )
})

test('amounts are printed with the letter of their thousand', () => {
  assert.deepEqual([0.5, 18, 999, 2698e9, 6e9].map(formatAmount), ['0.5', '18', '999', '2.7 T', '6 G'])
})
