import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EstimateLine, OrderEstimate } from '@swath/client/operations.ts'
import type { CartLine } from '../../cart/cart.ts'
import { commonLicences, groupLines, isMinimumCharged, toCaptures } from './cart-order.ts'

const area = { type: 'Polygon' as const, coordinates: [] }
const line = (id: string): CartLine => ({ host_name: 'h', id, datetime: null, footprint: area, area: null })
const price = (id: string, datetime: string, overrides: Partial<EstimateLine> = {}): EstimateLine => ({
  id,
  host: 'h',
  datetime,
  area_km2: 2,
  minimum_km2: 5,
  credits: 100,
  aud: 1,
  licences: ['standard', 'extended'],
  cancel_policy: { cancellable_until: 'PLACED', fee_pct: 0 },
  held_licence: null,
  ...overrides,
})
const estimate: OrderEstimate = {
  groups: [
    { captures: ['a', 'b'], aoi_km2: 5, credits: 200, aud: 2, date: '2024-01-01' },
    { captures: ['c'], aoi_km2: 5, credits: 100, aud: 1, date: '2024-01-02' },
  ],
  lines: [price('a', '2024-01-01T01:00:00Z'), price('b', '2024-01-01T02:00:00Z'), price('c', '2024-01-02T00:00:00Z')],
  errors: [{ id: 'd', host: 'h', code: 'unknown-capture', message: 'gone' }],
  eulas: [],
  total_aud: 3,
  total_credits: 300,
}

test('lines of a date stand in one group, and one that cannot be ordered stands last with its reason', () => {
  const groups = groupLines(['d', 'c', 'b', 'a'].map(line), estimate, true)
  assert.deepEqual(
    groups.map(({ date, lines }) => [date, lines.map((one) => one.line.id)]),
    [
      ['2024-01-01', ['b', 'a']],
      ['2024-01-02', ['c']],
      [null, ['d']],
    ],
  )
  assert.equal(groups[2]!.lines[0]!.error?.message, 'gone')
})

test('a line without an area is not priced and says so', () => {
  const bare = { ...line('a'), footprint: null }
  assert.deepEqual(
    toCaptures([bare, line('b')]).map(({ id }) => id),
    ['b'],
  )
  assert.ok(groupLines([bare], undefined, false)[0]!.lines[0]!.error)
})

test('only licences of every priced scene can be chosen; free scenes do not count', () => {
  const lines = [
    price('a', '', { licences: ['standard', 'extended'] }),
    price('b', '', { licences: ['extended'] }),
    price('c', '', { credits: 0, licences: ['open'] }),
  ]
  assert.deepEqual(commonLicences(lines), ['extended'])
  assert.deepEqual(commonLicences([lines[2]!]), [])
})

test('a minimum counts only above the area', () => {
  assert.ok(isMinimumCharged(2, 5))
  assert.ok(!isMinimumCharged(5, 5))
  assert.ok(!isMinimumCharged(0.1 + 0.2, 0.3))
})
