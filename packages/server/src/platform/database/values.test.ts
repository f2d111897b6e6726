import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseFailure } from './failures.ts'
import { getColumnDecoder, encodeSqlParameter } from './values.ts'

test('every kind of parameter has one text encoding', () => {
  const rows: readonly (readonly [unknown, string | null])[] = [
    [null, null],
    [undefined, null],
    ['it\'s "quoted"', 'it\'s "quoted"'],
    [1.5, '1.5'],
    [-0, '0'],
    [9007199254740993n, '9007199254740993'],
    [true, 'true'],
    [new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)), '2026-01-02T03:04:05.006Z'],
    [new Uint8Array([0, 255]), '\\x00ff'],
    [[], '{}'],
    [['a', null, 'NULL', 'b,"c"\\'], '{"a",NULL,"NULL","b,\\"c\\"\\\\"}'],
    [[[1, 2], [3]], '{{"1","2"},{"3"}}'],
  ]
  for (const [value, text] of rows) assert.equal(encodeSqlParameter(value), text)
})

test('a value that is not a valid parameter fails with bad-parameter', () => {
  for (const value of [{ a: 1 }, () => 1, Symbol('a'), new Date(Number.NaN), [{ a: 1 }]]) {
    assert.throws(
      () => encodeSqlParameter(value),
      (error) => error instanceof DatabaseFailure && error.failure === 'bad-parameter',
    )
  }
})

test('text is decoded by its type', () => {
  const rows: readonly (readonly [type: number, text: string, value: unknown])[] = [
    [16, 't', true],
    [17, '\\x00ff', new Uint8Array([0, 255])],
    [20, '5', 5],
    [20, '9007199254740993', 9007199254740993n],
    [20, '-9007199254740993', -9007199254740993n],
    [23, '-7', -7],
    [701, 'NaN', Number.NaN],
    [1082, '2026-01-02', '2026-01-02'],
    [1184, '2026-01-02 03:04:05.006+00', new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6))],
    [1184, '2026-01-02 03:04:05+05', new Date(Date.UTC(2026, 0, 1, 22, 4, 5))],
    [1184, '2026-01-02 03:04:05+05:30', new Date(Date.UTC(2026, 0, 1, 21, 34, 5))],
    [1700, '1.10', '1.10'],
    [3802, '{"a":[1]}', { a: [1] }],
    [1009, '{a,"b,c",NULL,"NULL","d\\"e\\\\"}', ['a', 'b,c', null, 'NULL', 'd"e\\']],
    [1016, '{1,9007199254740993}', [1, 9007199254740993n]],
    [
      1007,
      '{{1,2},{3,4}}',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [1007, '{}', []],
    [3807, '{"{\\"a\\": 1}"}', [{ a: 1 }]],
    [999_999, 'POINT', 'POINT'],
  ]
  for (const [type, text, value] of rows) assert.deepEqual(getColumnDecoder(type)(text), value)
})
