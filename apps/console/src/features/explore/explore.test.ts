import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersToSearch, parseFilters, toSearchInput } from './filters.ts'
import { countMonths, monthDays } from './months.ts'
import { findHidingFilter, hideScenes } from './hide-scenes.ts'
import type { Scene } from './scenes.ts'
import { sortScenes } from './sort-scenes.ts'

const scene = (id: string, datetime: string, cloud: number | null, credits: number): Scene => ({
  type: 'Feature',
  id,
  geometry: null,
  properties: { datetime, 'eo:cloud_cover': cloud, gsd: 10, host: 'open' },
  'service:price': { credits },
})
const scenes = [
  scene('a', '2026-01-03T10:00:00Z', 80, 0),
  scene('b', '2026-03-03T10:00:00Z', 10, 500),
  scene('c', '2026-03-20T10:00:00Z', null, 100),
]
const filters = parseFilters({})

test('filters in the address are read as they were written, and rubbish is no filter', () => {
  const written = { area: '11,46;12,46;12,47', from: '2026-01-01', cloud: 20, price: 100, sort: 'cloud' }
  assert.deepEqual(filtersToSearch(parseFilters(written)), written)
  assert.deepEqual(filtersToSearch(parseFilters({ cloud: -1, gsd: 'x', from: 'now', sort: 'toString', area: '1' })), {})
})

test('a search asks for the area, or for the view of the map without one', () => {
  assert.deepEqual(toSearchInput(filters, [1, 2, 3, 4], 9), { limit: 9, bbox: [1, 2, 3, 4] })
  const input = toSearchInput(parseFilters({ area: '11,46;12,46;12,47', to: '2026-01-01' }), [1, 2, 3, 4], 9)
  assert.deepEqual(Object.keys(input), ['limit', 'intersects', 'datetime'])
})

test('the filter that hides most is named', () => {
  const strict = { ...filters, maxCloud: 20, maxCredits: 50 }
  assert.deepEqual(hideScenes(scenes, strict), [])
  assert.deepEqual(findHidingFilter(scenes, strict), { name: 'maxCredits', count: 2 })
  assert.equal(findHidingFilter(scenes, filters), null)
})

test('scenes without the property that is sorted by come last', () => {
  const order = (sort: Parameters<typeof sortScenes>[1]) =>
    sortScenes(scenes, sort)
      .map(({ id }) => id)
      .join('')
  assert.deepEqual([order('newest'), order('oldest'), order('cloud'), order('price')], ['cba', 'abc', 'bac', 'acb'])
})

test('the scenes of each month are counted, and a month has its first and last day', () => {
  assert.deepEqual(countMonths(scenes), [
    { month: '2026-01', count: 1 },
    { month: '2026-03', count: 2 },
  ])
  assert.deepEqual(monthDays('2024-02'), ['2024-02-01', '2024-02-29'])
  assert.deepEqual(monthDays('2026-12'), ['2026-12-01', '2026-12-31'])
})
