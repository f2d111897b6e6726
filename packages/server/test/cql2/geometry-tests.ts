import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldTextCaseOrAccents } from '../../src/domains/items/search/cql2/case-folding.ts'
import { parseCql2 } from '../../src/domains/items/search/cql2/parse.ts'
import { cql2ToSql } from '../../src/domains/items/search/store.cql2-to-sql.ts'
import { sql, toSqlStatement } from '../../src/platform/database/sql.ts'
import { explainStatement } from '../explain.ts'
import { randomFilters } from './random-filters.ts'
import { box, collection, line, point, ring } from './geometry-items.ts'
import { getFilterFixtures } from './shared-filter-fixtures.ts'

const geometry = { property: 'geometry' }
const selectedIds = async (op: string, ...args: unknown[]): Promise<string> =>
  (await getFilterFixtures().selectIds('shapes', { op, args })).join(' ')
const selectedIdsOfNot = async (op: string, ...args: unknown[]): Promise<string> => selectedIds('not', { op, args })

const unclosedRing = { type: 'Polygon', coordinates: [ring(0, 0, 2, 2).slice(0, 4)] }
const selfIntersecting = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ],
  ],
}

test('lines of so many positions that a relation might take seconds are found by s_intersects only', async () => {
  const select = (op: string): Promise<string[]> =>
    getFilterFixtures().selectIds('tracks', { op, args: [geometry, box(2, 0, 4, 2)] })
  assert.deepEqual(await select('s_intersects'), ['collected', 'long_collected', 'long_track', 'track'])
  assert.deepEqual(await select('s_crosses'), ['collected', 'track'])
  assert.deepEqual(await select('s_disjoint'), [])
})

test('an item whose positions times those of the filter are more than a million is found by s_intersects only', async () => {
  // A polygon around all tracks, with so many positions that a track of 2,000 is one too many, and then one position less.
  const around = (positions: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [-80, -80],
        ...Array.from({ length: positions - 5 }, (_, at) => [at / 500, -80]),
        [80, -80],
        [80, 80],
        [-80, 80],
        [-80, -80],
      ],
    ],
  })
  const select = (op: string, positions: number): Promise<string[]> =>
    getFilterFixtures().selectIds('tracks', { op, args: [geometry, around(positions)] })
  assert.deepEqual(await select('s_within', 499), ['collected', 'track'])
  assert.deepEqual(await select('s_within', 500), ['collected'])
  assert.deepEqual(await select('s_intersects', 500), ['collected', 'long_collected', 'long_track', 'track'])
})

test('spatial relations follow simple features, with the item on either side', async () => {
  const square = box(0, 0, 2, 2)
  assert.equal(await selectedIds('s_intersects', geometry, square), 'across beside line mixed point square')
  assert.equal(await selectedIds('s_disjoint', geometry, square), 'east pieces west')
  assert.equal(await selectedIds('s_equals', square, geometry), 'square')
  assert.equal(await selectedIds('s_touches', geometry, square), 'beside')
  assert.equal(await selectedIds('s_within', geometry, square), 'point square')
  assert.equal(await selectedIds('s_contains', geometry, point(1.5, 1.5)), 'across square')
  assert.equal(await selectedIds('s_contains', square, geometry), 'point square')
  assert.equal(await selectedIds('s_overlaps', geometry, square), 'across')
  assert.equal(await selectedIds('s_crosses', geometry, square), 'line')
  assert.equal(
    await selectedIds('s_equals', geometry, { property: 'geom' }),
    'across beside east line pieces point square west',
  )
  assert.equal(await selectedIdsOfNot('s_touches', geometry, square), 'across east line pieces point square west')
})

test('a bbox across the antimeridian selects items on both sides', async () => {
  assert.equal(await selectedIds('s_intersects', geometry, { bbox: [179, -1, -179, 2] }), 'east west')
  assert.equal(await selectedIds('s_within', geometry, { bbox: [177, -1, -177, 2] }), 'east west')
})

test('an invalid geometry makes every relation and its negation unknown', async () => {
  for (const shape of [
    unclosedRing,
    selfIntersecting,
    { bbox: [0, 3, 1, 2] },
    { type: 'MultiPoint', coordinates: [] },
    collection(),
  ]) {
    for (const relation of ['s_intersects', 's_disjoint', 's_equals', 's_touches', 's_within']) {
      assert.equal(await selectedIds(relation, geometry, shape), '', relation)
      assert.equal(
        await selectedIds('or', { op: 'not', args: [{ op: relation, args: [shape, shape] }] }, false),
        '',
        relation,
      )
    }
  }
})

test('a geometry collection is the union of its members', async () => {
  const mixedCollection = collection(box(0, 0, 2, 2), point(10, 10))
  assert.equal(await selectedIds('s_intersects', geometry, mixedCollection), 'across beside line mixed point square')
  assert.equal(await selectedIds('s_equals', geometry, mixedCollection), 'mixed')
  assert.equal(await selectedIds('s_equals', geometry, collection(box(0, 0, 2, 2), point(1, 1))), 'square')
  assert.equal(await selectedIds('s_equals', geometry, collection(box(0, 0, 1, 2), box(1, 0, 2, 2))), 'square')
  assert.equal(
    await selectedIds('s_within', geometry, collection(box(0, 0, 2, 2), box(2, 0, 4, 2))),
    'beside point square',
  )
  assert.equal(
    await selectedIds('s_contains', geometry, collection(point(1, 1), line([0.5, 1], [1, 1]))),
    'line square',
  )
  assert.equal(await selectedIds('s_contains', geometry, collection(point(0, 0), line([0, 0], [2, 0]))), '')
  assert.equal(await selectedIds('s_equals', geometry, box(20, 0, 24, 2)), 'pieces')
  assert.equal(await selectedIds('s_contains', geometry, box(21.5, 0.5, 23, 1)), 'pieces')
  assert.equal(
    await selectedIdsOfNot('s_touches', geometry, box(0, 0, 2, 2)),
    'across east line pieces point square west',
  )
  await assert.rejects(
    selectedIds('s_touches', geometry, mixedCollection),
    /s_touches with a GeometryCollection of several dimensions/,
  )
})

test('spatial relations use the geometry index', async () => {
  const { owner } = getFilterFixtures()
  for (const relation of ['s_intersects', 's_within', 's_touches', 's_equals', 's_contains']) {
    for (const args of [
      [geometry, box(178, 0, 179, 1)],
      [box(178, 0, 179, 1), geometry],
    ]) {
      const condition = cql2ToSql(parseCql2({ op: relation, args }))
      const planNodes = await owner.transaction(async (tx) => {
        await tx.query(sql`set local enable_seqscan = off`)
        return explainStatement(tx, sql`select i.id from items i where i.deleted_at is null and ${condition}`)
      })
      assert.ok(
        planNodes.some(({ index }) => index?.startsWith('items_geometry')),
        `${relation}: ${JSON.stringify(planNodes)}`,
      )
    }
  }
})

test('casei and accenti give the same result in the database and in the server for every character', async () => {
  const characters = Array.from({ length: 0x1_0000 - 0x20 }, (_, index) => index + 0x20)
    .filter((code) => code < 0x3000 || (code > 0xa000 && code < 0xac00) || code > 0xf900)
    .map((code) => String.fromCodePoint(code))
  for (const folding of ['casei', 'accenti'] as const) {
    const folded = { op: folding, args: [{ property: 'letter' }] }
    const condition = cql2ToSql(parseCql2({ op: '=', args: [folded, { property: 'folded' }] }))
    const differing = await getFilterFixtures().services.database.unscoped.query<{ letter: string }>(sql`
      select i.properties ->> 'letter' as letter
      from (select jsonb_build_object('letter', e.letter, 'folded', e.folded) as properties, 0 as metadata_bytes
            from json_to_recordset(${sql.json(characters.map((letter) => ({ letter, folded: foldTextCaseOrAccents(letter, folding) })))}::json)
              as e (letter text, folded text)) as i
      where not ${condition}`)
    assert.deepEqual(differing, [], folding)
  }
})

test('no part of a filter becomes text of the SQL statement', () => {
  const random = randomFilters(99)
  for (let count = 0; count < 300; count++) {
    const filter = random.valid()
    let ast
    try {
      ast = parseCql2(filter)
    } catch {
      continue
    }
    let statement
    try {
      statement = toSqlStatement(cql2ToSql(ast))
    } catch {
      continue
    }
    assert.doesNotMatch(statement.text, /canary|drop table|København|begins|nested|eo:cloud|"Point"|"coordinates"|2024/)
  }
})
