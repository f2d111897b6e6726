/** A pseudo-random number generator (mulberry32), so that a failing run is reproducible. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const propertyNames = [
  'word',
  'a',
  'b',
  'c',
  'flag',
  'switch',
  'day',
  'odd',
  'begins',
  'ends',
  'list',
  'nested.deep.number',
  'id',
  'collection',
  'datetime',
  'eo:cloud_cover',
  'gsd',
  'name',
  'title',
  'created',
  'service:source',
  'project_id',
  'properties.a',
  'geometry',
  'nothing',
  'a.b.c',
  '..',
  'i.id',
  "x'; drop table items; --",
  '"',
  '%',
  '{}',
  '$1',
  '\u{1f6f0}',
]
const texts = [
  '',
  'a',
  'København',
  '50%_off',
  '\\\\',
  'a\\%',
  '2024-02-05',
  '2024-02-05T04:00:00Z',
  "'; drop table canary; --",
  '\u0301',
  'null',
  '1e400',
  '..',
  '\ud83d\ude80',
  'İß',
  '%%%%%%%%%%%%',
  '_%_%_%_%_%_%',
  '00000000-0000-7000-8000-000000000000',
]
const numbers = [0, -0, 1, -1, 0.1, 1e308, -1e308, 5e-324, 1e-308, 1e15, 2 ** 53, 3.5, 1000, 709, -710]
const dates = ['2024-02-29', '0001-01-01', '9999-12-31', '1970-01-01']
const timestamps = [
  '2024-02-05T04:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2024-02-05T04:00:00+05:30',
]
const geometries: unknown[] = [
  { type: 'Point', coordinates: [1, 1] },
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 1],
      [2, 2, 5],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [0, 0],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [10, 10],
      [5, 0],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [0, 0],
        [1e300, -1e300],
      ],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
        [0, 0],
      ],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [] },
  {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [0, 0],
          [9, 0],
          [9, 9],
          [0, 0],
        ],
      ],
      [
        [
          [0, 0],
          [9, 0],
          [9, 9],
          [0, 0],
        ],
      ],
    ],
  },
  {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [1, 1] },
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [3, 3],
        ],
      },
    ],
  },
  {
    type: 'GeometryCollection',
    geometries: [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [9, 0],
            [9, 9],
            [0, 0],
          ],
        ],
      },
    ],
  },
  { type: 'GeometryCollection', geometries: [] },
  { bbox: [-10, -10, 10, 10] },
  { bbox: [170, -10, -170, 10] },
  { bbox: [0, 10, 1, -10] },
  { bbox: [0, 0, -5, 1, 1, 5] },
  { bbox: [180, 0, -180, 0] },
]
const malformedNodes: unknown[] = [
  null,
  [],
  {},
  [[]],
  { op: 'and' },
  { op: 'and', args: [] },
  { op: 5, args: [1] },
  { op: 'nothing', args: [] },
  { args: [1, 2] },
  { property: 5 },
  { property: '' },
  { property: '\u0000' },
  { property: '\ud800' },
  '\u0000',
  '\udfff',
  { date: '2024-02-30' },
  { timestamp: '2024-02-05' },
  { interval: ['..'] },
  { interval: ['2025-01-01', '2024-01-01'] },
  { bbox: [1, 2, 3] },
  { bbox: ['a', 0, 1, 1] },
  { type: 'Point', coordinates: ['a', 'b'] },
  { type: 'Circle', coordinates: [1, 1] },
  { type: 'Point' },
  { type: 'Polygon', coordinates: [[1, 2]] },
  { op: 'like', args: ['a', 'b\\'] },
  { op: '__proto__', args: [1] },
  { op: 'constructor', args: [] },
  { casei: 'x' },
  { function: { name: 'avg', args: [] } },
  { op: 'Buffer', args: [{ property: 'geometry' }] },
]

const comparisons = ['=', '<>', '<', '<=', '>', '>=']
const spatialOperators = [
  'intersects',
  'equals',
  'disjoint',
  'touches',
  'within',
  'overlaps',
  'crosses',
  'contains',
].map((name) => `s_${name}`)
const temporalOperators = [
  'after',
  'before',
  'contains',
  'disjoint',
  'during',
  'equals',
  'finishedBy',
  'finishes',
  'intersects',
  'meets',
  'metBy',
  'overlappedBy',
  'overlaps',
  'startedBy',
  'starts',
].map((name) => `t_${name}`)
const arrayOperators = ['a_equals', 'a_contains', 'a_containedBy', 'a_overlaps']

/**
 * A generator of random filters, deterministic for a seed. In `malformed` filters some nodes are replaced by malformed nodes
 * or by nodes of another type.
 */
export function randomFilters(seed: number) {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const listOf = <T>(create: () => T, max_count: number): T[] =>
    Array.from({ length: 1 + Math.floor(random() * max_count) }, create)
  const op = (name: string, ...args: unknown[]): unknown => ({ op: name, args })
  const property = (): unknown => ({ property: pick(propertyNames) })
  const instant = (): unknown => pick([{ date: pick(dates) }, { timestamp: pick(timestamps) }])

  const number = (depth: number): unknown =>
    depth <= 0 || random() < 0.3
      ? pick([pick(numbers), property()])
      : op(pick(['+', '-', '*', '/', '%', 'div', '^']), number(depth - 1), number(depth - 1))
  const text = (depth: number): unknown =>
    depth <= 0 || random() < 0.5 ? pick([pick(texts), property()]) : op(pick(['casei', 'accenti']), text(depth - 1))
  const value = (depth: number): unknown => pick([number, text, instant, property, () => random() < 0.5])(depth)
  const interval = (): unknown => {
    const end = (): unknown => pick(['..', pick(timestamps), pick(dates), property()])
    return pick([instant(), property(), { interval: [end(), end()] }])
  }
  const geometry = (): unknown => pick([pick(geometries), { property: pick(['geometry', 'geom']) }])
  const list = (): unknown => pick([property(), listOf(() => value(1), 4), [listOf(() => pick(texts), 3), []]])
  const pattern = (): unknown => pick([pick(texts), op('casei', pick(texts)), op('accenti', pick(texts))])

  const predicate = (depth: number): unknown => {
    if (depth > 0 && random() < 0.5) {
      const name = pick(['and', 'or', 'not', '=', '<>', 'isNull', 'in'])
      if (name === 'not' || name === 'isNull') return op(name, predicate(depth - 1))
      if (name === 'in') return op(name, predicate(depth - 1), [true, false, property()])
      return op(name, predicate(depth - 1), predicate(depth - 1))
    }
    return pick<() => unknown>([
      () => op(pick(comparisons), value(3), value(3)),
      () => op('like', text(3), pattern()),
      () => op('between', value(2), value(2), value(2)),
      () =>
        op(
          'in',
          value(2),
          listOf(() => value(1), 5),
        ),
      () => op('isNull', pick([property(), value(2)])),
      () => op(pick(spatialOperators), geometry(), geometry()),
      () => op(pick(temporalOperators), interval(), interval()),
      () => op(pick(arrayOperators), list(), list()),
      property,
    ])()
  }

  const corrupt = (node: unknown): unknown => {
    if (random() < 0.12) return pick([pick(malformedNodes), value(1), geometry(), interval(), list()])
    if (Array.isArray(node)) return node.map(corrupt)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, corrupt(member)]))
  }

  return { valid: (): unknown => predicate(4), malformed: (): unknown => corrupt(predicate(3)) }
}
