import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, toSqlStatement } from './sql.ts'

test('values become bound parameters, never SQL text', () => {
  const injection = `'; drop table items; --`
  assert.deepEqual(toSqlStatement(sql`select * from items where name = ${injection} and size > ${3}`), {
    text: 'select * from items where name = $1 and size > $2',
    values: [injection, 3],
    prepared: false,
  })
})

test('nested fragments are spliced in with their values, in order', () => {
  const filter = sql.join([sql`a = ${1}`, sql`b = ${2}`], sql` and `)
  const statement = sql`select ${sql.identifier('name', ['name', 'size'])} from t where ${filter} limit ${3}`
  assert.deepEqual(toSqlStatement(statement), {
    text: 'select "name" from t where a = $1 and b = $2 limit $3',
    values: [1, 2, 3],
    prepared: false,
  })
  assert.equal(toSqlStatement(sql.prepared(sql`select 1`)).prepared, true)
  assert.deepEqual(toSqlStatement(sql`select 1${sql.empty}`), { text: 'select 1', values: [], prepared: false })
})

test('an identifier must be in the allowed list', () => {
  assert.throws(() => sql.identifier('name"; drop table t', ['name'] as const), /not one of the names/)
})

test('an integer becomes SQL text, and other values are rejected', () => {
  assert.deepEqual(toSqlStatement(sql`limit ${sql.integer(11)}`), { text: 'limit 11', values: [], prepared: false })
  for (const value of [1.5, NaN, Infinity, '1; drop table t' as never]) {
    assert.throws(() => sql.integer(value), /is not an integer/)
  }
})

test('json values are bound as text, so that a list is not taken for an array', () => {
  assert.deepEqual(toSqlStatement(sql`select ${sql.json([1, 'a'])}, ${sql.json(undefined)}`).values, [
    '[1,"a"]',
    'null',
  ])
})

test('a time that occurs several times as timestamptz is one parameter', () => {
  const [from, to] = [new Date('2026-01-01T10:00:00Z'), new Date('2026-01-01T10:00:00Z')]
  const began = (time: Date) => sql`began > ${time}::timestamptz`
  assert.deepEqual(
    toSqlStatement(sql`${began(from)} and ${began(to)} or ${began(from)} and ${from}::timestamptz < ended`),
    {
      text: 'began > $1::timestamptz and began > $2::timestamptz or began > $1::timestamptz and $1::timestamptz < ended',
      values: [from, to],
      prepared: false,
    },
  )
})

test('a time with another cast is a parameter of its own, so that its type is not that of the first one', () => {
  const at = new Date('2026-01-01T10:00:00Z')
  const { text, values } = toSqlStatement(sql`select ${at}::date, ${at}::timestamptz, ${at}, ${at}::timestamptz`)
  assert.equal(text, 'select $1::date, $2::timestamptz, $3, $2::timestamptz')
  assert.deepEqual(values, [at, at, at])
})
