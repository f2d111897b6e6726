import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCql2 } from '../../src/domains/items/search/cql2/parse.ts'
import { cql2Limits } from '../../src/domains/items/search/cql2/limits.ts'
import { Problem } from '../../src/engine/problem.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { ownItems } from './own-items.ts'
import { randomFilters } from './random-filters.ts'
import { geometryItems, variedGeometries, trackItems } from './geometry-items.ts'
import { getFilterFixtures } from './shared-filter-fixtures.ts'

/** The status of a search: 200 with a count, or 400 or 422. Any other error fails. */
async function searchStatus(filter: unknown): Promise<number> {
  try {
    const matched = await getFilterFixtures().countMatches('varied', filter)
    assert.ok(matched >= 0 && matched <= ownItems.length)
    return 200
  } catch (error) {
    if (!(error instanceof Problem)) throw new Error(`unexpected error: ${JSON.stringify(filter)}`, { cause: error })
    assert.ok(error.status === 400 || error.status === 422, `${error.status} ${error.message}`)
    return error.status
  }
}

async function countStatuses(filters: readonly unknown[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = { 200: 0, 400: 0, 422: 0 }
  for (const filter of filters) counts[await searchStatus(filter)]! += 1
  return counts
}

test('well-formed filters succeed or are refused with 400 or 422', async () => {
  const random = randomFilters(20_260_301)
  const counts = await countStatuses(Array.from({ length: 400 }, random.valid))
  assert.ok(counts[200]! > 200, JSON.stringify(counts))
})

test('malformed filters are refused with 400 or 422', async () => {
  const random = randomFilters(7)
  const counts = await countStatuses(Array.from({ length: 600 }, random.malformed))
  assert.ok(counts[422]! > 150, JSON.stringify(counts))
  assert.ok(counts[400]! > 0, JSON.stringify(counts))
})

const repeat = <T>(times: number, make: (index: number) => T): T[] =>
  Array.from({ length: times }, (_, index) => make(index))
const propertyRef = (property: string): unknown => ({ property })
const nestFilter = (times: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown =>
  repeat(times, () => wrap).reduce((inner, each) => each(inner), innermost)
const polygonRing = (positions: number): number[][] => {
  const open = repeat(positions - 1, (index) => {
    const angle = (2 * Math.PI * index) / (positions - 1)
    return [Math.cos(angle), Math.sin(angle)]
  })
  return [...open, open[0]!]
}

test('filters at the limits succeed', async () => {
  const { depth, terms, nodes, arithmetic, positions, pattern } = cql2Limits
  const filtersAtLimit: Record<string, unknown> = {
    'in texts': { op: 'in', args: [propertyRef('word'), repeat(terms, (index) => `word ${index}`)] },
    'in numbers': { op: 'not', args: [{ op: 'in', args: [propertyRef('a'), repeat(terms, (index) => index)] }] },
    'in folded': {
      op: 'in',
      args: [
        { op: 'casei', args: [propertyRef('word')] },
        repeat(nodes - 10, (index) => ({ op: 'casei', args: [`W${index}`] })),
      ],
    },
    'in booleans': {
      op: 'in',
      args: [{ op: '=', args: [propertyRef('a'), propertyRef('b')] }, repeat(terms, () => true)],
    },
    'not in depth': nestFilter(depth - 1, (inner) => ({ op: 'not', args: [inner] }), {
      op: '=',
      args: [propertyRef('a'), 1],
    }),
    'equal in depth': nestFilter(depth - 1, (inner) => ({ op: '=', args: [inner, true] }), {
      op: 'isNull',
      args: [propertyRef('a')],
    }),
    'in of in': nestFilter(depth - 1, (inner) => ({ op: 'in', args: [inner, [true, propertyRef('flag')]] }), {
      op: 'isNull',
      args: [propertyRef('a')],
    }),
    'folds in depth': {
      op: 'like',
      args: [
        nestFilter(10, (inner) => ({ op: 'accenti', args: [{ op: 'casei', args: [inner] }] }), propertyRef('word')),
        'a%',
      ],
    },
    'powers in depth': {
      op: '>',
      args: [nestFilter(depth - 3, (inner) => ({ op: '^', args: [inner, 1.5] }), propertyRef('a')), 0],
    },
    products: {
      op: '>',
      args: [
        nestFilter(
          arithmetic / 2,
          (inner) => ({ op: '*', args: [inner, { op: '*', args: [1e308, propertyRef('b')] }] }),
          propertyRef('c'),
        ),
        0,
      ],
    },
    'wide and': {
      op: 'and',
      args: repeat(Math.floor((nodes - 1) / 4), (index) => ({
        op: 't_overlaps',
        args: [
          { interval: [propertyRef('begins'), propertyRef('ends')] },
          { interval: [`20${10 + (index % 10)}-01-01`, '..'] },
        ],
      })),
    },
    positions: {
      op: 's_within',
      args: [propertyRef('geometry'), { type: 'Polygon', coordinates: [polygonRing(positions)] }],
    },
    pattern: { op: 'like', args: [propertyRef('word'), '%a'.repeat(pattern / 2)] },
    'pattern of underlines': {
      op: 'like',
      args: [{ op: 'accenti', args: [propertyRef('word')] }, '_%'.repeat(pattern / 2)],
    },
  }
  for (const [name, filter] of Object.entries(filtersAtLimit)) {
    assert.equal(await searchStatus(filter), 200, name)
  }
})

test('filters beyond a limit return 422', async () => {
  const { depth, terms, nodes, arithmetic, positions, pattern, text, name } = cql2Limits
  const filtersBeyondLimit: readonly unknown[] = [
    nestFilter(depth + 1, (inner) => ({ op: 'not', args: [inner] }), propertyRef('flag')),
    { op: 'in', args: [propertyRef('a'), repeat(terms + 1, () => 1)] },
    { op: 'or', args: repeat(nodes, () => ({ op: 'isNull', args: [propertyRef('a')] })) },
    {
      op: '>',
      args: [
        nestFilter(
          20,
          (inner) => ({ op: '+', args: [inner, { op: '*', args: [{ op: '*', args: [1, propertyRef('a')] }, 2] }] }),
          1,
        ),
        0,
      ],
    },
    { op: '>', args: [nestFilter(arithmetic + 1, (inner) => ({ op: '+', args: [inner, 1] }), 1), 0] },
    { op: 's_within', args: [propertyRef('geometry'), { type: 'Polygon', coordinates: [polygonRing(positions + 1)] }] },
    { op: 'or', args: repeat(100, () => ({ op: 'like', args: [{ op: 'casei', args: [propertyRef('word')] }, 'a'] })) },
    { op: 'like', args: [propertyRef('word'), 'a'.repeat(pattern + 1)] },
    { op: '=', args: [propertyRef('word'), 'a'.repeat(text + 1)] },
    { op: 'isNull', args: [propertyRef('a'.repeat(name + 1))] },
  ]
  assert.deepEqual(await countStatuses(filtersBeyondLimit), { 200: 0, 400: 0, 422: filtersBeyondLimit.length })
})

test('extremely nested filters are refused before they are traversed', () => {
  const deeplyNested: readonly unknown[] = [
    nestFilter(100_000, (inner) => ({ op: 'not', args: [inner] }), propertyRef('flag')),
    { op: '=', args: [nestFilter(20_000, (inner) => ({ op: 'casei', args: [inner] }), propertyRef('word')), 'a'] },
    { op: 'a_equals', args: [propertyRef('list'), nestFilter(20_000, (inner) => [inner], 1)] },
    {
      op: 's_equals',
      args: [
        propertyRef('geometry'),
        nestFilter(2000, (inner) => ({ type: 'GeometryCollection', geometries: [inner] }), variedGeometries[0]),
      ],
    },
  ]
  for (const filter of deeplyNested) assert.throws(() => parseCql2(filter), Problem)
})

test('the filters have not changed the database', async () => {
  const { unscoped } = getFilterFixtures().services.database
  assert.deepEqual(await unscoped.query(sql`select id from canary`), [{ id: 1 }])
  const [counts] = await unscoped.query<{ items: number }>(sql`select count(*) as items from items`)
  const itemCount = 177 + 243 + 13 + 112 + 2 * ownItems.length + geometryItems.length + trackItems.length
  assert.equal(counts?.items, itemCount)
})
