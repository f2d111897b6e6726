import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersToSearch, parseFilters, toSavedInput, toSearchInput, toWholeInput } from './filters.ts'
import { boxArea } from '../../area/area.ts'
import { computeCover, measureInArea } from './cover.ts'
import { describeScore } from './describe-part.ts'
import { countMonths, findSpan, spanDates } from './months.ts'
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
  const dated = parseFilters({ area: '11,46;12,46;12,47', to: '2026-01-01', cloud: 20 })
  assert.deepEqual(Object.keys(toSearchInput(dated, [1, 2, 3, 4], 9)), ['limit', 'intersects'])
  const { datetime, query } = toWholeInput(dated, [1, 2, 3, 4], 9)
  assert.deepEqual([datetime, query], ['../2026-01-01', { cloudCoverage: { LTE: 20 } }])
})

test('a search is saved with its provider, area and comparisons, and the part of the map without an area', () => {
  const search = parseFilters({ host: 'open', from: '2026-01-01', cloud: 20, price: 100 })
  assert.deepEqual(toSavedInput(search, [1, 2, 3, 4]), {
    source_ids: ['open'],
    filters: { bbox: [1, 2, 3, 4], datetime: '2026-01-01/..', query: { cloudCoverage: { LTE: 20 } } },
  })
  const drawn = toSavedInput(parseFilters({ area: '11,46;12,46;12,47' }), [1, 2, 3, 4])
  assert.deepEqual([drawn.source_ids, Object.keys(drawn.filters)], [null, ['intersects']])
})

test('the filter that hides most is named', () => {
  const strict = { ...filters, maxCloud: 20, maxCredits: 50 }
  assert.deepEqual(hideScenes(scenes, strict), [])
  assert.deepEqual(findHidingFilter(scenes, strict), { name: 'maxCredits', count: 2 })
  assert.equal(findHidingFilter(scenes, filters), null)
})

test('scenes without the property that is sorted by come last', () => {
  const order = (sort: Parameters<typeof sortScenes>[1]) =>
    sortScenes(scenes, sort, ({ id }) => ({ a: 10, b: 90 })[id] ?? NaN)
      .map(({ id }) => id)
      .join('')
  assert.deepEqual((['newest', 'oldest', 'cloud', 'price', 'cover'] as const).map(order), [
    'cba',
    'abc',
    'bac',
    'acb',
    'bac',
  ])
})

test('the scenes of each month are counted without gaps, and of longer times where there are many months', () => {
  const counted = countMonths(scenes)
  assert.deepEqual(
    counted.map(({ from, count }) => [from, count]),
    [
      ['2026-01-01', 1],
      ['2026-02-01', 0],
      ['2026-03-01', 2],
    ],
  )
  assert.equal(counted[1]!.to, '2026-02-28')
  const long = countMonths([...scenes, scene('d', '2000-05-01T00:00:00Z', null, 0)])
  assert.deepEqual([long.length, long[0]!.from, long[0]!.to], [27, '2000-01-01', '2000-12-31'])
})

test('a span of the histogram is dates, and an end of it is open', () => {
  const buckets = countMonths(scenes)
  assert.deepEqual(spanDates(buckets, 0, 2), [null, null])
  assert.deepEqual(spanDates(buckets, 2, 1), ['2026-02-01', null])
  assert.deepEqual(findSpan(buckets, '2026-02-10', null), [1, 2])
  assert.deepEqual(findSpan(buckets, null, '2026-01-31'), [0, 0])
  assert.deepEqual(findSpan(buckets, '2030-01-01', null), [2, 2])
})

test('the cover of an area counts each part once, and is the part that lies in it', () => {
  const area = boxArea(0, 0, 2, 1)
  const cover = computeCover(area, [boxArea(-1, 0, 1, 1), boxArea(0.5, 0, 1, 1)])
  assert.equal(Math.round(cover.percent), 50)
  assert.deepEqual(cover.geometry?.type, 'Polygon')
  assert.equal(computeCover(area, [boxArea(5, 5, 6, 6)]).geometry, null)
})

test('the cloud inside an area is bounded by that of the scene', () => {
  const scene = boxArea(0, 0, 2, 1)
  const half = boxArea(0, 0, 1, 1)
  const round = (part: ReturnType<typeof measureInArea>) => [part.covered, part.cloud?.map(Math.round) ?? null]
  assert.deepEqual(round(measureInArea(half, scene, 0)), [100, [0, 0]])
  assert.deepEqual(round(measureInArea(half, scene, 10)), [100, [0, 20]])
  assert.deepEqual(round(measureInArea(half, scene, 80)), [100, [60, 100]])
  assert.deepEqual(round(measureInArea(half, scene, 50)), [100, null])
  assert.deepEqual(round(measureInArea(scene, scene, 37)), [100, [37, 37]])
  assert.deepEqual(round(measureInArea(scene, half, null)), [50, null])
})

test('the cloud measured in an area says what it was measured from, and is rounded up', () => {
  const measured = (cloud_percent: number, source: 'cloud-mask' | 'brightness' | 'quicklook') =>
    describeScore({ cloud_percent, source, reason: null })
  assert.equal(measured(12.04, 'cloud-mask'), '13 %, from the cloud mask')
  assert.equal(measured(0, 'brightness'), 'About 0 %, estimated from bright pixels')
  assert.equal(measured(5, 'quicklook'), 'About 5 %, estimated from the quicklook')
  const reason = 'The host has no quicklook of the scene that can be read.'
  assert.equal(describeScore({ cloud_percent: null, source: null, reason }), `Not measured. ${reason}`)
  assert.equal(describeScore({ cloud_percent: null, source: 'cloud-mask', reason: null }), null)
})
