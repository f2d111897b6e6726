import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, toSqlStatement, type Sql } from '../sql.ts'
import { createStatementTextCache } from './statement-texts.ts'

const size = (value: unknown): Sql => sql`size > ${value}`
const named = (name: Sql | string): Sql => sql`name = ${name}`
/** Statements of different shapes, some with the same fragments in another arrangement. */
const shapes: readonly ((value: unknown) => Sql)[] = [
  (value) => sql`select ${value} where ${size(value)}`,
  (value) => sql`select ${size(value)} where ${value}`,
  (value) => sql`select ${sql.join([size(value), size(1)], sql` and `)} where ${named('x')}`,
  (value) => sql`select ${sql.join([size(value), size(1), size(2)], sql` and `)} where ${named('x')}`,
  (value) => sql`select ${sql.join([size(value), size(1)], sql` or `)} where ${named(sql`a`)}`,
  (value) => sql`select ${named(sql.identifier('b', ['a', 'b']))} limit ${sql.integer(1)} offset ${value}`,
  (value) => sql`select ${named(sql.identifier('a', ['a', 'b']))} limit ${sql.integer(1)} offset ${value}`,
  (value) => sql`select ${named(sql.identifier('a', ['a', 'b']))} limit ${sql.integer(11)} offset ${value}`,
  (value) => sql`select 1${sql.empty} where ${sql.json(value)}`,
  () => sql.join([]),
]

test('statements are those that are composed anew, in any order, and with too few nodes', () => {
  for (const max_nodes of [20_000, 1, 2, 9, 15]) {
    const createStatement = createStatementTextCache(max_nodes)
    for (const round of [1, 2, 3])
      for (const shape of shapes)
        for (const prepare of [sql.prepared, sql.generic, sql.preparedWhenFrequent, (fragment: Sql) => fragment]) {
          const fragment = prepare(shape(`value ${round}`))
          assert.deepEqual(createStatement(fragment), toSqlStatement(fragment))
        }
  }
})

test('statements in which the same time occurs are those that are composed anew', () => {
  const createStatement = createStatementTextCache()
  const between = (from: Date, to: Date): Sql =>
    sql.prepared(sql`select ${from}::timestamptz, ${sql`${to}::timestamptz`}, ${from}::timestamptz, ${to}::date`)
  const [one, other] = [new Date('2026-01-01'), new Date('2026-01-02')]
  for (const fragment of [between(one, other), between(one, one), between(other, one)])
    assert.deepEqual(createStatement(fragment), toSqlStatement(fragment))
})

test('a text is made once for all values of a shape', () => {
  const createStatement = createStatementTextCache()
  const make = (value: unknown): Sql => {
    let reads = 0
    const strings = new Proxy(['select ', ''], {
      get: (list, key, receiver) => {
        if (key === '0' && ++reads > 1) throw new Error('composed again')
        return Reflect.get(list, key, receiver) as unknown
      },
    })
    return sql.prepared(sql(strings as unknown as TemplateStringsArray, value))
  }
  const [one, other] = [make(1), make(2)]
  assert.equal(createStatement(one).text, 'select $1')
  assert.deepEqual(createStatement(one).values, [1])
  assert.equal(createStatement(other).text, 'select $1')
})
