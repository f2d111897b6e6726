import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../engine/problem.ts'
import { parseCql2Text } from './parse.ts'

/** As cql2-rs 0.6 converts them. */
const expressions: readonly (readonly [text: string, json: unknown])[] = [
  [
    "eo:cloud_cover<=10 AND platform='sentinel-2a'",
    {
      op: 'and',
      args: [
        { op: '<=', args: [{ property: 'eo:cloud_cover' }, 10] },
        { op: '=', args: [{ property: 'platform' }, 'sentinel-2a'] },
      ],
    },
  ],
  ['"eo:cloud_cover" between 0 and 20', { op: 'between', args: [{ property: 'eo:cloud_cover' }, 0, 20] }],
  [
    "collection = 'a' or collection='b' and gsd > 3",
    {
      op: 'or',
      args: [
        { op: '=', args: [{ property: 'collection' }, 'a'] },
        {
          op: 'and',
          args: [
            { op: '=', args: [{ property: 'collection' }, 'b'] },
            { op: '>', args: [{ property: 'gsd' }, 3] },
          ],
        },
      ],
    },
  ],
  [
    'not a = 1 and b = 2',
    {
      op: 'and',
      args: [
        { op: 'not', args: [{ op: '=', args: [{ property: 'a' }, 1] }] },
        { op: '=', args: [{ property: 'b' }, 2] },
      ],
    },
  ],
  [
    'a*b+c/d-e > 0',
    {
      op: '>',
      args: [
        {
          op: '-',
          args: [
            {
              op: '+',
              args: [
                { op: '*', args: [{ property: 'a' }, { property: 'b' }] },
                { op: '/', args: [{ property: 'c' }, { property: 'd' }] },
              ],
            },
            { property: 'e' },
          ],
        },
        0,
      ],
    },
  ],
  ['a = -1', { op: '=', args: [{ property: 'a' }, -1] }],
  ['a = -1.5e3', { op: '=', args: [{ property: 'a' }, -1500] }],
  ['2^3^2 = x', { op: '=', args: [{ op: '^', args: [{ op: '^', args: [2, 3] }, 2] }, { property: 'x' }] }],
  ["title like '%O''Neil%'", { op: 'like', args: [{ property: 'title' }, "%O'Neil%"] }],
  ["id in ('a','b')", { op: 'in', args: [{ property: 'id' }, ['a', 'b']] }],
  ["id not in ('a')", { op: 'not', args: [{ op: 'in', args: [{ property: 'id' }, ['a']] }] }],
  [
    "datetime > timestamp('2024-01-01T00:00:00Z')",
    { op: '>', args: [{ property: 'datetime' }, { timestamp: '2024-01-01T00:00:00Z' }] },
  ],
  ["datetime >= date('2024-01-01')", { op: '>=', args: [{ property: 'datetime' }, { date: '2024-01-01' }] }],
  [
    "t_during(datetime, interval('2024-01-01','..'))",
    { op: 't_during', args: [{ property: 'datetime' }, { interval: ['2024-01-01', '..'] }] },
  ],
  [
    's_intersects(geometry, bbox(1,2,3,4))',
    { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [1, 2, 3, 4] }] },
  ],
  [
    's_within(geometry, POLYGON((0 0,1 0,1 1,0 0),(0.1 0.1,0.2 0.1,0.2 0.2,0.1 0.1)))',
    {
      op: 's_within',
      args: [
        { property: 'geometry' },
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
            [
              [0.1, 0.1],
              [0.2, 0.1],
              [0.2, 0.2],
              [0.1, 0.1],
            ],
          ],
        },
      ],
    },
  ],
  [
    'S_INTERSECTS(geometry, MULTIPOINT((1 2),(3 4)))',
    {
      op: 's_intersects',
      args: [
        { property: 'geometry' },
        {
          type: 'MultiPoint',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    },
  ],
  ["a_contains(keywords, ('x'))", { op: 'a_contains', args: [{ property: 'keywords' }, ['x']] }],
  [
    "casei(title) = casei('ABC')",
    {
      op: '=',
      args: [
        { op: 'casei', args: [{ property: 'title' }] },
        { op: 'casei', args: ['ABC'] },
      ],
    },
  ],
  [
    "accenti(casei(title)) like accenti('É%')",
    {
      op: 'like',
      args: [
        { op: 'accenti', args: [{ op: 'casei', args: [{ property: 'title' }] }] },
        { op: 'accenti', args: ['É%'] },
      ],
    },
  ],
  [
    'a is null and b is not null',
    {
      op: 'and',
      args: [
        { op: 'isNull', args: [{ property: 'a' }] },
        { op: 'not', args: [{ op: 'isNull', args: [{ property: 'b' }] }] },
      ],
    },
  ],
  ['(a=1)', { op: '=', args: [{ property: 'a' }, 1] }],
  [
    '((a=1 or b=2) and c=3) or d=4',
    {
      op: 'or',
      args: [
        {
          op: 'and',
          args: [
            {
              op: 'or',
              args: [
                { op: '=', args: [{ property: 'a' }, 1] },
                { op: '=', args: [{ property: 'b' }, 2] },
              ],
            },
            { op: '=', args: [{ property: 'c' }, 3] },
          ],
        },
        { op: '=', args: [{ property: 'd' }, 4] },
      ],
    },
  ],
  ['not (not (a=1))', { op: 'not', args: [{ op: 'not', args: [{ op: '=', args: [{ property: 'a' }, 1] }] }] }],
  ['proj:epsg = 32633', { op: '=', args: [{ property: 'proj:epsg' }, 32633] }],
  [
    'a - b - c = 0',
    {
      op: '=',
      args: [{ op: '-', args: [{ op: '-', args: [{ property: 'a' }, { property: 'b' }] }, { property: 'c' }] }, 0],
    },
  ],
  ['a div 2 = 1', { op: '=', args: [{ op: 'div', args: [{ property: 'a' }, 2] }, 1] }],
  ['a % 2 = 0', { op: '=', args: [{ op: '%', args: [{ property: 'a' }, 2] }, 0] }],
  [
    'x = true and y <> false',
    {
      op: 'and',
      args: [
        { op: '=', args: [{ property: 'x' }, true] },
        { op: '<>', args: [{ property: 'y' }, false] },
      ],
    },
  ],
  [
    's_contains(geometry, POINT(-1 -2))',
    { op: 's_contains', args: [{ property: 'geometry' }, { type: 'Point', coordinates: [-1, -2] }] },
  ],
]

test('expressions are converted as by cql2-rs', () => {
  for (const [text, json] of expressions) assert.deepEqual(parseCql2Text(text), json, text)
})

test('text that is not CQL2 is refused with what is expected', () => {
  const table: readonly (readonly [text: string, message: RegExp])[] = [
    ['', /where a value is expected, it ends/],
    ['a =', /where a value is expected, it ends/],
    ['a = 1 b', /where the end is expected, it has "b"/],
    ['(a = 1', /where "\)" is expected, it ends/],
    ["a = 'x", /nothing begins with "'x"/],
    ['a not 1', /where LIKE, BETWEEN or IN is expected/],
    ['a is 1', /where "NULL" is expected/],
    ['a between 1 or 2', /where "AND" is expected/],
    ['s_within(geometry, POINT(a b))', /where a number is expected/],
    ['s_within(geometry, GEOMETRYCOLLECTION(a))', /where a geometry is expected/],
    [`${'('.repeat(31)}a`, /nested deeper than 30 levels/],
    [`${'not '.repeat(100_000)}a`, /nested deeper than 30 levels/],
    [`a = ${'-'.repeat(100_000)}1`, /nested deeper than 30 levels/],
    [`a = ${'1-'.repeat(100_000)}1`, /nested deeper than 30 levels/],
    [`a = ${'1*'.repeat(31)}1`, /nested deeper than 30 levels/],
    [`s_within(a, ${'GEOMETRYCOLLECTION('.repeat(100_000)}`, /nested deeper than 30 levels/],
  ]
  for (const [text, message] of table)
    assert.throws(
      () => parseCql2Text(text),
      (error) => error instanceof Problem && error.problem === 'validation' && message.test(error.message),
      text.slice(0, 40),
    )
})
