import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersToSearch, isPartlySaved, parseFilters, toSavedInput, toSearchInput, toWholeInput } from './filters.ts'
import { boxArea } from '../../area/area.ts'
import { computeCover, measureInArea } from './cover.ts'
import { describeScore } from './describe-part.ts'
import { countMonths, findSpan, spanDates } from './dates/months.ts'
import { findHidingFilter, hideScenes, listUnstated, type SceneFacts } from './hide-scenes.ts'
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
const facts: SceneFacts = { owned: new Set(['open a']), measureCover: ({ id }) => ({ a: 10, b: 90 })[id] ?? null }

test('filters in the URL are read as they were written, and rubbish is no filter', () => {
  const written = {
    area: '11,46;12,46;12,47',
    from: '2026-01-01',
    to: '2026-02-01',
    host: 'open',
    sensor: 'sentinel-2a',
    licence: 'PDDL-1.0',
    cloud: 20,
    gsd: 10,
    nadir: 5,
    sun: 30,
    cover: 50,
    price: 100,
    owned: 'new',
    stated: 'only',
    group: 'pass',
    sort: 'cloud',
  }
  assert.deepEqual(filtersToSearch(parseFilters(written)), written)
  assert.deepEqual(
    filtersToSearch(
      parseFilters({ cloud: -1, gsd: 'x', from: 'now', sort: 'toString', area: '1', owned: 'x', group: 'x' }),
    ),
    {},
  )
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
  assert.deepEqual(hideScenes(scenes, strict, facts), [])
  assert.deepEqual(findHidingFilter(scenes, strict, facts), { name: 'maxCredits', count: 2 })
  assert.equal(findHidingFilter(scenes, filters, facts), null)
})

const statedScene = (id: string, properties: Readonly<Record<string, unknown>>): Scene => {
  const plain = scene(id, '2026-01-03T10:00:00Z', 0, 0)
  return { ...plain, properties: { ...plain.properties, ...properties } }
}
const pass = (search: Readonly<Record<string, unknown>>, found: readonly Scene[]): string =>
  hideScenes(found, parseFilters(search), facts)
    .map(({ id }) => id)
    .join('')

test('scenes are hidden by what they state, and by what is known of them', () => {
  const found = [
    statedScene('a', { platform: 'sentinel-2a', license: 'PDDL-1.0', 'view:off_nadir': 3, 'view:sun_elevation': 50 }),
    statedScene('b', {
      instruments: ['oli', 'tirs'],
      license: 'various',
      'view:off_nadir': 12,
      'view:sun_elevation': 20,
    }),
  ]
  assert.equal(pass({ sensor: 'sentinel-2a' }, found), 'a')
  assert.equal(pass({ sensor: 'oli, tirs' }, found), 'b')
  assert.equal(pass({ licence: 'various' }, found), 'b')
  assert.equal(pass({ nadir: 3 }, found), 'a')
  assert.equal(pass({ sun: 50 }, found), 'a')
  assert.equal(pass({ owned: 'owned' }, found), 'a')
  assert.equal(pass({ owned: 'new' }, found), 'b')
  assert.equal(pass({ cover: 50, area: '11,46;12,46;12,47' }, found), 'b')
  assert.equal(pass({ cover: 50 }, found), 'ab', 'without an area there is nothing to cover')
})

test('scenes that do not state a filtered property are shown and named, or hidden on request', () => {
  const found = [statedScene('a', { 'view:sun_elevation': 10 }), statedScene('b', { 'view:off_nadir': 1 }), scenes[2]!]
  const search = { sun: 30, cloud: 50 }
  assert.equal(pass(search, found), 'bc')
  assert.deepEqual(found.map(listUnstated(parseFilters(search), facts)), [[], ['minSun'], ['maxCloud', 'minSun']])
  assert.equal(pass({ ...search, stated: 'only' }, found), '')
  const strict = parseFilters({ sun: 5, stated: 'only' })
  assert.deepEqual(findHidingFilter(found, strict, facts), { name: 'minSun', count: 2 })
})

test('a search is saved without the filters that only hide scenes, which is said', () => {
  assert.equal(isPartlySaved(parseFilters({ cloud: 20, gsd: 10, host: 'open', from: '2026-01-01' })), false)
  for (const one of [
    { sensor: 'x' },
    { licence: 'x' },
    { nadir: 1 },
    { sun: 1 },
    { cover: 1 },
    { price: 0 },
    { owned: 'new' },
  ])
    assert.equal(isPartlySaved(parseFilters(one)), true)
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
