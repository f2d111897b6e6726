import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCql2 } from '../../src/domains/items/cql2/read.ts'
import { cql2Limits } from '../../src/domains/items/cql2/reading.ts'
import { Problem } from '../../src/engine/problem.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { ownItems } from './own-items.ts'
import { randomFilters } from './random-filters.ts'
import { shapeItems, variedShapes } from './shape-items.ts'
import { layers } from './shared-layers.ts'

/** The status of a search: 200 with a count, or 400 or 422. Any other error fails. */
async function outcome(filter: unknown): Promise<number> {
  try {
    const matched = await layers().matched('varied', filter)
    assert.ok(matched >= 0 && matched <= ownItems.length)
    return 200
  } catch (error) {
    if (!(error instanceof Problem)) throw new Error(`unexpected error: ${JSON.stringify(filter)}`, { cause: error })
    assert.ok(error.status === 400 || error.status === 422, `${error.status} ${error.message}`)
    return error.status
  }
}

async function outcomes(filters: readonly unknown[]): Promise<Record<number, number>> {
  const counted: Record<number, number> = { 200: 0, 400: 0, 422: 0 }
  for (const filter of filters) counted[await outcome(filter)]! += 1
  return counted
}

test('well-formed filters succeed or are refused with 400 or 422', async () => {
  const random = randomFilters(20_260_301)
  const counted = await outcomes(Array.from({ length: 400 }, random.sound))
  assert.ok(counted[200]! > 200, JSON.stringify(counted))
})

test('malformed filters are refused with 400 or 422', async () => {
  const random = randomFilters(7)
  const counted = await outcomes(Array.from({ length: 600 }, random.spoiled))
  assert.ok(counted[422]! > 150, JSON.stringify(counted))
  assert.ok(counted[400]! > 0, JSON.stringify(counted))
})

const repeat = <T>(times: number, make: (index: number) => T): T[] =>
  Array.from({ length: times }, (_, index) => make(index))
const p = (property: string): unknown => ({ property })
const nest = (times: number, wrap: (inner: unknown) => unknown, core: unknown): unknown =>
  repeat(times, () => wrap).reduce((inner, each) => each(inner), core)
const ring = (positions: number): number[][] => {
  const open = repeat(positions - 1, (index) => {
    const angle = (2 * Math.PI * index) / (positions - 1)
    return [Math.cos(angle), Math.sin(angle)]
  })
  return [...open, open[0]!]
}

test('filters at the limits succeed', async () => {
  const { depth, terms, nodes, arithmetic, positions, pattern } = cql2Limits
  const largest: Record<string, unknown> = {
    'in texts': { op: 'in', args: [p('word'), repeat(terms, (index) => `word ${index}`)] },
    'in numbers': { op: 'not', args: [{ op: 'in', args: [p('a'), repeat(terms, (index) => index)] }] },
    'in folded': {
      op: 'in',
      args: [{ op: 'casei', args: [p('word')] }, repeat(nodes - 10, (index) => ({ op: 'casei', args: [`W${index}`] }))],
    },
    'in booleans': { op: 'in', args: [{ op: '=', args: [p('a'), p('b')] }, repeat(terms, () => true)] },
    'not in depth': nest(depth - 1, (inner) => ({ op: 'not', args: [inner] }), { op: '=', args: [p('a'), 1] }),
    'equal in depth': nest(depth - 1, (inner) => ({ op: '=', args: [inner, true] }), { op: 'isNull', args: [p('a')] }),
    'in of in': nest(depth - 1, (inner) => ({ op: 'in', args: [inner, [true, p('flag')]] }), {
      op: 'isNull',
      args: [p('a')],
    }),
    'folds in depth': {
      op: 'like',
      args: [nest(10, (inner) => ({ op: 'accenti', args: [{ op: 'casei', args: [inner] }] }), p('word')), 'a%'],
    },
    'powers in depth': { op: '>', args: [nest(depth - 3, (inner) => ({ op: '^', args: [inner, 1.5] }), p('a')), 0] },
    products: {
      op: '>',
      args: [
        nest(arithmetic / 2, (inner) => ({ op: '*', args: [inner, { op: '*', args: [1e308, p('b')] }] }), p('c')),
        0,
      ],
    },
    'wide and': {
      op: 'and',
      args: repeat(Math.floor((nodes - 1) / 4), (index) => ({
        op: 't_overlaps',
        args: [{ interval: [p('begins'), p('ends')] }, { interval: [`20${10 + (index % 10)}-01-01`, '..'] }],
      })),
    },
    positions: { op: 's_within', args: [p('geometry'), { type: 'Polygon', coordinates: [ring(positions)] }] },
    pattern: { op: 'like', args: [p('word'), '%a'.repeat(pattern / 2)] },
    'pattern of underlines': { op: 'like', args: [{ op: 'accenti', args: [p('word')] }, '_%'.repeat(pattern / 2)] },
  }
  for (const [name, filter] of Object.entries(largest)) {
    assert.equal(await outcome(filter), 200, name)
  }
})

test('filters beyond a limit return 422', async () => {
  const { depth, terms, nodes, arithmetic, positions, pattern, text, name } = cql2Limits
  const beyond: readonly unknown[] = [
    nest(depth + 1, (inner) => ({ op: 'not', args: [inner] }), p('flag')),
    { op: 'in', args: [p('a'), repeat(terms + 1, () => 1)] },
    { op: 'or', args: repeat(nodes, () => ({ op: 'isNull', args: [p('a')] })) },
    {
      op: '>',
      args: [
        nest(20, (inner) => ({ op: '+', args: [inner, { op: '*', args: [{ op: '*', args: [1, p('a')] }, 2] }] }), 1),
        0,
      ],
    },
    { op: '>', args: [nest(arithmetic + 1, (inner) => ({ op: '+', args: [inner, 1] }), 1), 0] },
    { op: 's_within', args: [p('geometry'), { type: 'Polygon', coordinates: [ring(positions + 1)] }] },
    { op: 'or', args: repeat(100, () => ({ op: 'like', args: [{ op: 'casei', args: [p('word')] }, 'a'] })) },
    { op: 'like', args: [p('word'), 'a'.repeat(pattern + 1)] },
    { op: '=', args: [p('word'), 'a'.repeat(text + 1)] },
    { op: 'isNull', args: [p('a'.repeat(name + 1))] },
  ]
  assert.deepEqual(await outcomes(beyond), { 200: 0, 400: 0, 422: beyond.length })
})

test('extremely nested filters are refused before they are traversed', () => {
  const deep: readonly unknown[] = [
    nest(100_000, (inner) => ({ op: 'not', args: [inner] }), p('flag')),
    { op: '=', args: [nest(20_000, (inner) => ({ op: 'casei', args: [inner] }), p('word')), 'a'] },
    { op: 'a_equals', args: [p('list'), nest(20_000, (inner) => [inner], 1)] },
    {
      op: 's_equals',
      args: [
        p('geometry'),
        nest(2000, (inner) => ({ type: 'GeometryCollection', geometries: [inner] }), variedShapes[0]),
      ],
    },
  ]
  for (const filter of deep) assert.throws(() => readCql2(filter), Problem)
})

test('the filters have not changed the database', async () => {
  const { across } = layers().house.database
  assert.deepEqual(await across.query(sql`select id from canary`), [{ id: 1 }])
  const [counted] = await across.query<{ items: number }>(sql`select count(*) as items from items`)
  const loaded = 177 + 243 + 13 + 112 + 2 * ownItems.length + shapeItems.length
  assert.equal(counted?.items, loaded)
})
