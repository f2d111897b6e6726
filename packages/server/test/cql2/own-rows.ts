const op = (name: string, ...args: unknown[]): unknown => ({ op: name, args })
const p = (property: string): unknown => ({ property })
const casei = (value: unknown): unknown => op('casei', value)
const accenti = (value: unknown): unknown => op('accenti', value)
const both = (value: unknown): unknown => accenti(casei(value))
const timestamp = (text: string): unknown => ({ timestamp: text })
const date = (text: string): unknown => ({ date: text })
const interval = (...ends: unknown[]): unknown => ({ interval: ends })

const comparisons = ['=', '<>', '<', '<=', '>', '>=']

const accents: unknown[] = [
  ...[
    'København',
    'STRASSE',
    'Łódź',
    'chisinau',
    'Zu\u0308rich',
    'ΟΔΟΣ',
    'москва',
    'Đà Nẵng',
    '부산',
    'aero',
    '',
  ].flatMap((word) => [
    op('=', accenti(p('word')), accenti(word)),
    op('=', casei(p('word')), casei(word)),
    op('=', both(p('word')), both(word)),
    op('not', op('=', casei(accenti(p('word'))), casei(accenti(word)))),
  ]),
  ...comparisons.map((name) => op(name, accenti(p('word')), accenti('Sao Q'))),
  ...comparisons.map((name) => op(name, both(p('word')), both(p('other')))),
  ...[
    'Kø%',
    'k_benhavn',
    '%ß%',
    '%ss%',
    'z%',
    '%Î±%',
    '50\\%\\_off',
    '50%off',
    '%\\\\%',
    '%',
    '_',
    '',
    'Д%',
    '부_',
    '%ó%',
  ].flatMap((pattern) => [
    op('like', p('word'), pattern),
    op('like', accenti(p('word')), accenti(pattern)),
    op('like', both(p('word')), both(pattern)),
    op('not', op('like', casei(p('word')), casei(pattern))),
  ]),
  op('in', both(p('word')), ['KØBENHAVN', 'łódź', 'sao paulo', 'nowhere'].map(both)),
  op('not', op('in', accenti(p('word')), ['Zurich', 'Strasse'].map(accenti))),
  op('in', both(p('word')), [both(p('other')), both('lodz')]),
  op('=', accenti(p('a')), accenti('7')),
  op('isNull', casei(p('a'))),
  op('=', casei(p('nested.deep.text')), casei('οδος')),
]

const temporalOperators = [
  't_after',
  't_before',
  't_contains',
  't_disjoint',
  't_during',
  't_equals',
  't_finishedBy',
  't_finishes',
  't_intersects',
  't_meets',
  't_metBy',
  't_overlappedBy',
  't_overlaps',
  't_startedBy',
  't_starts',
]

const times: unknown[] = [
  ...temporalOperators.flatMap((name) => [
    op(name, p('datetime'), timestamp('2024-02-05T04:00:00Z')),
    op(name, p('datetime'), interval('2024-01-03', '2024-02-20T00:00:00Z')),
    op(name, interval(p('begins'), p('ends')), interval('2024-01-05T04:00:00Z', '2024-02-09T08:30:00.250Z')),
    op(name, interval('2024-01-01T00:00:00Z', p('ends')), interval(p('begins'), '..')),
    op(name, p('offset'), interval(p('begins'), p('ends'))),
    op('not', op(name, interval(p('start_datetime'), p('end_datetime')), interval('..', '2024-02-10T12:30:00.250Z'))),
    op(name, p('odd'), date('2024-02-29')),
    op(name, interval(p('begins'), p('ends')), interval(p('begins'), '..')),
  ]),
  ...comparisons.flatMap((name) => [
    op(name, p('datetime'), timestamp('2024-02-05T04:00:00Z')),
    op(name, p('day'), date('2024-02-05')),
    op(name, timestamp('2024-02-05T04:00:00+00:00'), p('begins')),
    op(name, p('offset'), timestamp('2024-02-05T04:30:00+02:00')),
    op(name, p('odd'), date('2024-02-29')),
    op(name, p('datetime'), '2024-02-05T04:00:00Z'),
    op(name, p('end_datetime'), p('ends')),
    op('not', op(name, p('start_datetime'), p('day'))),
  ]),
  op('between', p('begins'), date('2024-02-01'), date('2024-03-01')),
  op('in', p('day'), [date('2024-01-01'), date('2024-02-02')]),
  op('not', op('in', p('datetime'), [timestamp('2024-01-01T00:00:00Z'), '2024-02-02T01:00:00Z'])),
]

const pairs: readonly (readonly [unknown, unknown])[] = [
  [p('a'), p('b')],
  [p('word'), p('other')],
  [p('flag'), p('switch')],
  [p('c'), p('eo:cloud_cover')],
  [p('gsd'), p('properties.b')],
  [p('begins'), p('ends')],
  [p('nested.deep.number'), p('c')],
  [p('id'), p('word')],
  [p('a'), p('list')],
  [7, p('a')],
  ['a', 3],
  [true, p('flag')],
]

const properties: unknown[] = [
  ...pairs.flatMap(([left, right]) =>
    comparisons.flatMap((name) => [op(name, left, right), op('not', op(name, right, left))]),
  ),
  op('between', p('c'), p('b'), p('eo:cloud_cover')),
  op('not', op('between', p('a'), p('b'), 10)),
  op('in', p('a'), [p('b'), 1, '7', true]),
  op('not', op('in', p('a'), [p('b'), p('c')])),
  op('not', op('in', p('a'), [1, 'x'])),
  op('in', 2, [p('a'), p('b')]),
  op('=', op('>', p('a'), p('b')), p('switch')),
  op('<>', op('isNull', p('a')), op('isNull', p('b'))),
  op('in', op('like', p('word'), '%a%'), [p('switch'), p('flag')]),
  op('and', p('switch'), op('not', p('flag'))),
  op('or', p('flag'), p('a')),
  op('isNull', p('list')),
  op('isNull', p('nested.deep.nothing')),
]

const arithmetic: unknown[] = [
  ...['+', '-', '*', '/', '%', 'div', '^'].flatMap((name) => [
    ...comparisons.map((sign) => op(sign, op(name, p('c'), 4), 20)),
    op('=', op(name, p('a'), p('b')), p('c')),
    op('not', op('<', op(name, p('a'), p('b')), 1)),
    op('>', op(name, p('eo:cloud_cover'), 8), op('+', p('gsd'), 1)),
    op('isNull', op(name, p('a'), p('b'))),
    op('isNull', op(name, p('b'), 0)),
    op('in', op(name, p('c'), 2), [2, 4, p('a'), 0.5]),
    op('between', op(name, p('a'), 2), op('-', p('b'), 2), op('*', p('b'), 3)),
  ]),
  op('=', op('-', op('*', op('+', p('c'), 1), 2), op('div', p('c'), 3)), 34),
  op('>', op('^', op('^', 10, 100), p('c')), 5),
  op('isNull', op('^', 10, op('*', p('c'), 100))),
]

/** Longer than lists compared member by member, and than the argument list of a PostgreSQL function. */
const long: readonly number[] = Array.from({ length: 150 }, (_, index) => index)

const lists: unknown[] = ['a_equals', 'a_contains', 'a_containedBy', 'a_overlaps'].flatMap((name) => [
  ...[
    [1, 2, 3],
    [],
    ['b'],
    [1, true, 'a', 'b', null].filter((member) => member !== null),
    [[1]],
    [[2, 3], [1]],
    long,
    [p('c'), ...long],
  ].flatMap((list) => [op(name, p('list'), list), op('not', op(name, list, p('list')))]),
  op(name, p('list'), p('list')),
  op(name, [p('c'), 2], [2, p('b')]),
  op(name, p('list'), p('word')),
])

export const ownRows: Readonly<Record<string, readonly unknown[]>> = { accents, times, properties, arithmetic, lists }
