import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../../engine/problem.ts'
import { createRandomLine, createRandomPolygon } from '../../../../../test/cql2/hostile-geometries.ts'
import { parseCql2 } from './parse.ts'

const parseOutcome = (filter: unknown): string => {
  try {
    parseCql2(filter)
    return 'read'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [fault] = error.extra['errors'] as { path: string }[]
    return `${error.status} ${fault?.path}`
  }
}

const a = { property: 'a' }
const geometry = { property: 'geometry' }

test('a malformed filter is 422 and an unsupported function 400, both with the path', () => {
  const rows: readonly (readonly [filter: unknown, outcome: string])[] = [
    [{ op: '=', args: [a, 1] }, 'read'],
    [{ op: 'T_FinishedBY', args: [a, { date: '2024-01-01' }] }, 'read'],
    [true, 'read'],
    [a, 'read'],
    [null, '422 filter'],
    ['a = 1', '422 filter'],
    [{}, '422 filter'],
    [{ op: '+', args: [1, 2] }, '422 filter'],
    [{ op: 1, args: [] }, '422 filter.op'],
    [{ op: '=', args: [a] }, '422 filter.args'],
    [{ op: '=', args: { 0: a, 1: 1 } }, '422 filter.args'],
    [{ op: '=', args: [a, null] }, '422 filter.args.1'],
    [{ op: '=', args: [a, [1]] }, '422 filter.args.1'],
    [{ op: '=', args: [a, geometry, 1] }, '422 filter.args'],
    [{ op: 'and', args: [a, { op: 'not', args: ['text'] }] }, '422 filter.args.1.args.0'],
    [{ op: 'and', args: [] }, '422 filter.args'],
    [{ op: '=', args: [{ property: '' }, 1] }, '422 filter.args.0.property'],
    [{ op: '=', args: [{ property: 'a\u0000' }, 1] }, '422 filter.args.0.property'],
    [{ op: '=', args: [a, '\ud800'] }, '422 filter.args.1'],
    [{ op: '=', args: [a, { date: '2023-02-29' }] }, '422 filter.args.1.date'],
    [{ op: '=', args: [a, { timestamp: '2023-02-01' }] }, '422 filter.args.1.timestamp'],
    [{ op: '=', args: [a, { op: '+', args: [1, 'x'] }] }, '422 filter.args.1.args.1'],
    [{ op: '=', args: [a, { op: 'casei', args: [1] }] }, '422 filter.args.1.args.0'],
    [{ op: 'like', args: [a, a] }, '422 filter.args.1'],
    [{ op: 'like', args: [a, 'ends in \\'] }, '422 filter.args.1'],
    [{ op: 'like', args: [a, 'ends in \\\\'] }, 'read'],
    [{ op: 'between', args: [a, 1] }, '422 filter.args'],
    [{ op: 'in', args: [a, 1] }, '422 filter.args.1'],
    [{ op: 'in', args: [a, [1, { op: 'and', args: [a] }]] }, '422 filter.args.1.1'],
    [{ op: 't_during', args: [a, { interval: ['2024-01-01'] }] }, '422 filter.args.1.interval'],
    [{ op: 't_during', args: [a, { interval: ['2024-01-02', '2024-01-01'] }] }, '422 filter.args.1.interval'],
    [{ op: 't_during', args: [a, { interval: ['..', 'soon'] }] }, '422 filter.args.1.interval.1'],
    [{ op: 'a_equals', args: [a, 1] }, '422 filter.args.1'],
    [{ op: 's_within', args: [a, geometry] }, '422 filter.args.0.property'],
    [{ op: 's_within', args: [geometry, { type: 'Point', coordinates: ['1', 2] }] }, '422 filter.args.1.coordinates'],
    [
      { op: 's_within', args: [geometry, { type: 'Polygon', coordinates: [[1, 2]] }] },
      '422 filter.args.1.coordinates.0.0',
    ],
    [{ op: 's_within', args: [geometry, { type: 'Disc' }] }, '422 filter.args.1.type'],
    [{ op: 's_within', args: [geometry, { bbox: [1, 2, 3] }] }, '422 filter.args.1.bbox'],
    [{ op: 's_within', args: [geometry, { op: 'Buffer', args: [geometry, 1] }] }, '400 filter.args.1.op'],
    [{ op: '>', args: [{ op: 'avg', args: [a] }, 1] }, '400 filter.args.0.op'],
    [{ op: 'a_equals', args: [a, { op: 'split', args: [a] }] }, '400 filter.args.1.op'],
    [{ op: 't_after', args: [{ op: 'now', args: [] }, a] }, '400 filter.args.0.op'],
    [{ op: '=', args: [a, { op: '+', args: [1, { op: 'abs', args: [a] }] }] }, '400 filter.args.1.args.1.op'],
    [{ op: '!=', args: [a, 1] }, '400 filter.op'],
    [{ op: 'constructor', args: [] }, '400 filter.op'],
  ]
  for (const [filter, outcome] of rows) assert.equal(parseOutcome(filter), outcome, JSON.stringify(filter))
})

test('a literal is folded by the parser, and repeated wildcards are merged', () => {
  const fold = (text: string): unknown => ({ op: 'casei', args: [{ op: 'accenti', args: [text] }] })
  assert.deepEqual(parseCql2({ op: 'like', args: [a, fold('ÀØSS%%%\\%%_%')] }), {
    is: 'like',
    value: { is: 'property', name: 'a' },
    pattern: 'aoss%\\%%_%',
  })
})

test('a bbox that crosses the antimeridian becomes two boxes, and elevations are dropped', () => {
  const parseBboxGeometry = (bbox: number[]): unknown => {
    const ast = parseCql2({ op: 's_intersects', args: [geometry, { bbox }] })
    return ast.is === 'spatial' && ast.right.is === 'shape' ? ast.right.shape : ast
  }
  const box = (west: number, east: number) => [
    [
      [west, 0],
      [east, 0],
      [east, 5],
      [west, 5],
      [west, 0],
    ],
  ]
  assert.deepEqual(parseBboxGeometry([170, 0, -9, -170, 5, 9]), {
    type: 'MultiPolygon',
    coordinates: [box(170, 180), box(-180, -170)],
  })
  assert.deepEqual(parseBboxGeometry([170, 0, -180, 5]), { type: 'MultiPolygon', coordinates: [box(170, 180)] })
  assert.deepEqual(parseBboxGeometry([1, 2, 1, 2]), { type: 'Point', coordinates: [1, 2] })
  assert.equal(parseBboxGeometry([0, 5, 1, 0]), null)
})

test('a filter beyond the cost limit is budget-exceeded with the path where it exceeds it', () => {
  const repeatedOr = (count: number, part: unknown): unknown => ({
    op: 'or',
    args: Array.from({ length: count }, () => part),
  })
  const folded = (of: unknown): unknown => ({ op: 'casei', args: [{ op: 'accenti', args: [of] }] })
  const like = (of: unknown, pattern: unknown): unknown => ({ op: 'like', args: [of, pattern] })
  const costly: readonly (readonly [allowed: unknown, refused: unknown])[] = [
    [repeatedOr(10, like(folded(a), folded('Sand%'))), repeatedOr(120, like(folded(a), folded('Sand%')))],
    [
      repeatedOr(100, like(folded({ property: 'title' }), 'sand%')),
      repeatedOr(10, { op: 'between', args: [folded(a), 'a', 'b'] }),
    ],
    [repeatedOr(100, like(a, '%sand%')), repeatedOr(5, like(a, 'a'.repeat(1000)))],
    [
      repeatedOr(100, { op: '=', args: [a, folded('é'.repeat(10))] }),
      repeatedOr(100, { op: '=', args: [a, folded('é'.repeat(10_000))] }),
    ],
    [repeatedOr(100, { op: 'a_overlaps', args: [a, [1]] }), repeatedOr(200, { op: 'a_overlaps', args: [a, [1]] })],
  ]
  for (const [allowed, refused] of costly) {
    assert.doesNotThrow(() => parseCql2(allowed))
    assert.throws(
      () => parseCql2(refused),
      (error) =>
        error instanceof Problem &&
        error.problem === 'budget-exceeded' &&
        /"path":"filter\.args\.\d+/.test(JSON.stringify(error.extra)),
      JSON.stringify(refused).slice(0, 100),
    )
  }
})

test('literal lines that cross too often are refused, and such polygons are unknown as all invalid ones', () => {
  const relation = (shape: object): unknown => ({ op: 's_crosses', args: [geometry, shape] })
  assert.equal(parseOutcome(relation(createRandomLine(20))), 'read')
  for (const shape of [createRandomLine(1000), { type: 'GeometryCollection', geometries: [createRandomLine(1000)] }])
    assert.equal(parseOutcome(relation(shape)), '422 filter.args.1')
  assert.deepEqual(parseCql2(relation(createRandomPolygon(1000))), {
    ...parseCql2(relation({ type: 'Polygon', coordinates: [] })),
  })
})
