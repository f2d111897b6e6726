const op = (name: string, ...args: unknown[]): unknown => ({ op: name, args })
const propertyRef = (property: string): unknown => ({ property })
const casei = (value: unknown): unknown => op('casei', value)
const accenti = (value: unknown): unknown => op('accenti', value)
const caseiAccenti = (value: unknown): unknown => accenti(casei(value))
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
    op('=', accenti(propertyRef('word')), accenti(word)),
    op('=', casei(propertyRef('word')), casei(word)),
    op('=', caseiAccenti(propertyRef('word')), caseiAccenti(word)),
    op('not', op('=', casei(accenti(propertyRef('word'))), casei(accenti(word)))),
  ]),
  ...comparisons.map((name) => op(name, accenti(propertyRef('word')), accenti('Sao Q'))),
  ...comparisons.map((name) => op(name, caseiAccenti(propertyRef('word')), caseiAccenti(propertyRef('other')))),
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
    op('like', propertyRef('word'), pattern),
    op('like', accenti(propertyRef('word')), accenti(pattern)),
    op('like', caseiAccenti(propertyRef('word')), caseiAccenti(pattern)),
    op('not', op('like', casei(propertyRef('word')), casei(pattern))),
  ]),
  op('in', caseiAccenti(propertyRef('word')), ['KØBENHAVN', 'łódź', 'sao paulo', 'nowhere'].map(caseiAccenti)),
  op('not', op('in', accenti(propertyRef('word')), ['Zurich', 'Strasse'].map(accenti))),
  op('in', caseiAccenti(propertyRef('word')), [caseiAccenti(propertyRef('other')), caseiAccenti('lodz')]),
  op('=', accenti(propertyRef('a')), accenti('7')),
  op('isNull', casei(propertyRef('a'))),
  op('=', casei(propertyRef('nested.deep.text')), casei('οδος')),
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
    op(name, propertyRef('datetime'), timestamp('2024-02-05T04:00:00Z')),
    op(name, propertyRef('datetime'), interval('2024-01-03', '2024-02-20T00:00:00Z')),
    op(
      name,
      interval(propertyRef('begins'), propertyRef('ends')),
      interval('2024-01-05T04:00:00Z', '2024-02-09T08:30:00.250Z'),
    ),
    op(name, interval('2024-01-01T00:00:00Z', propertyRef('ends')), interval(propertyRef('begins'), '..')),
    op(name, propertyRef('offset'), interval(propertyRef('begins'), propertyRef('ends'))),
    op(
      'not',
      op(
        name,
        interval(propertyRef('start_datetime'), propertyRef('end_datetime')),
        interval('..', '2024-02-10T12:30:00.250Z'),
      ),
    ),
    op(name, propertyRef('odd'), date('2024-02-29')),
    op(name, interval(propertyRef('begins'), propertyRef('ends')), interval(propertyRef('begins'), '..')),
  ]),
  ...comparisons.flatMap((name) => [
    op(name, propertyRef('datetime'), timestamp('2024-02-05T04:00:00Z')),
    op(name, propertyRef('day'), date('2024-02-05')),
    op(name, timestamp('2024-02-05T04:00:00+00:00'), propertyRef('begins')),
    op(name, propertyRef('offset'), timestamp('2024-02-05T04:30:00+02:00')),
    op(name, propertyRef('odd'), date('2024-02-29')),
    op(name, propertyRef('datetime'), '2024-02-05T04:00:00Z'),
    op(name, propertyRef('end_datetime'), propertyRef('ends')),
    op('not', op(name, propertyRef('start_datetime'), propertyRef('day'))),
  ]),
  op('between', propertyRef('begins'), date('2024-02-01'), date('2024-03-01')),
  op('in', propertyRef('day'), [date('2024-01-01'), date('2024-02-02')]),
  op('not', op('in', propertyRef('datetime'), [timestamp('2024-01-01T00:00:00Z'), '2024-02-02T01:00:00Z'])),
]

const pairs: readonly (readonly [unknown, unknown])[] = [
  [propertyRef('a'), propertyRef('b')],
  [propertyRef('word'), propertyRef('other')],
  [propertyRef('flag'), propertyRef('switch')],
  [propertyRef('c'), propertyRef('eo:cloud_cover')],
  [propertyRef('gsd'), propertyRef('properties.b')],
  [propertyRef('begins'), propertyRef('ends')],
  [propertyRef('nested.deep.number'), propertyRef('c')],
  [propertyRef('id'), propertyRef('word')],
  [propertyRef('a'), propertyRef('list')],
  [7, propertyRef('a')],
  ['a', 3],
  [true, propertyRef('flag')],
]

const properties: unknown[] = [
  ...pairs.flatMap(([left, right]) =>
    comparisons.flatMap((name) => [op(name, left, right), op('not', op(name, right, left))]),
  ),
  op('between', propertyRef('c'), propertyRef('b'), propertyRef('eo:cloud_cover')),
  op('not', op('between', propertyRef('a'), propertyRef('b'), 10)),
  op('in', propertyRef('a'), [propertyRef('b'), 1, '7', true]),
  op('not', op('in', propertyRef('a'), [propertyRef('b'), propertyRef('c')])),
  op('not', op('in', propertyRef('a'), [1, 'x'])),
  op('in', 2, [propertyRef('a'), propertyRef('b')]),
  op('=', op('>', propertyRef('a'), propertyRef('b')), propertyRef('switch')),
  op('<>', op('isNull', propertyRef('a')), op('isNull', propertyRef('b'))),
  op('in', op('like', propertyRef('word'), '%a%'), [propertyRef('switch'), propertyRef('flag')]),
  op('and', propertyRef('switch'), op('not', propertyRef('flag'))),
  op('or', propertyRef('flag'), propertyRef('a')),
  op('isNull', propertyRef('list')),
  op('isNull', propertyRef('nested.deep.nothing')),
]

const arithmetic: unknown[] = [
  ...['+', '-', '*', '/', '%', 'div', '^'].flatMap((name) => [
    ...comparisons.map((sign) => op(sign, op(name, propertyRef('c'), 4), 20)),
    op('=', op(name, propertyRef('a'), propertyRef('b')), propertyRef('c')),
    op('not', op('<', op(name, propertyRef('a'), propertyRef('b')), 1)),
    op('>', op(name, propertyRef('eo:cloud_cover'), 8), op('+', propertyRef('gsd'), 1)),
    op('isNull', op(name, propertyRef('a'), propertyRef('b'))),
    op('isNull', op(name, propertyRef('b'), 0)),
    op('in', op(name, propertyRef('c'), 2), [2, 4, propertyRef('a'), 0.5]),
    op('between', op(name, propertyRef('a'), 2), op('-', propertyRef('b'), 2), op('*', propertyRef('b'), 3)),
  ]),
  op('=', op('-', op('*', op('+', propertyRef('c'), 1), 2), op('div', propertyRef('c'), 3)), 34),
  op('>', op('^', op('^', 10, 100), propertyRef('c')), 5),
  op('isNull', op('^', 10, op('*', propertyRef('c'), 100))),
]

/** Longer than lists compared member by member, and than the argument list of a PostgreSQL function. */
const longList: readonly number[] = Array.from({ length: 150 }, (_, index) => index)

const lists: unknown[] = ['a_equals', 'a_contains', 'a_containedBy', 'a_overlaps'].flatMap((name) => [
  ...[
    [1, 2, 3],
    [],
    ['b'],
    [1, true, 'a', 'b', null].filter((member) => member !== null),
    [[1]],
    [[2, 3], [1]],
    longList,
    [propertyRef('c'), ...longList],
  ].flatMap((list) => [op(name, propertyRef('list'), list), op('not', op(name, list, propertyRef('list')))]),
  op(name, propertyRef('list'), propertyRef('list')),
  op(name, [propertyRef('c'), 2], [2, propertyRef('b')]),
  op(name, propertyRef('list'), propertyRef('word')),
])

export const ownFilters: Readonly<Record<string, readonly unknown[]>> = {
  accents,
  times,
  properties,
  arithmetic,
  lists,
}
