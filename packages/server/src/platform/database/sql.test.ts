import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, toStatement } from './sql.ts'

test('values become bound parameters, never SQL text', () => {
  const injection = `'; drop table items; --`
  assert.deepEqual(toStatement(sql`select * from items where name = ${injection} and size > ${3}`), {
    text: 'select * from items where name = $1 and size > $2',
    values: [injection, 3],
    prepared: false,
  })
})

test('nested fragments are spliced in with their values, in order', () => {
  const filter = sql.join([sql`a = ${1}`, sql`b = ${2}`], sql` and `)
  const statement = sql`select ${sql.identifier('name', ['name', 'size'])} from t where ${filter} limit ${3}`
  assert.deepEqual(toStatement(statement), {
    text: 'select "name" from t where a = $1 and b = $2 limit $3',
    values: [1, 2, 3],
    prepared: false,
  })
  assert.equal(toStatement(sql.prepared(sql`select 1`)).prepared, true)
  assert.deepEqual(toStatement(sql`select 1${sql.empty}`), { text: 'select 1', values: [], prepared: false })
})

test('an identifier must be in the allowed list', () => {
  assert.throws(() => sql.identifier('name"; drop table t', ['name'] as const), /not one of the names/)
})

test('an integer becomes SQL text, and other values are rejected', () => {
  assert.deepEqual(toStatement(sql`limit ${sql.integer(11)}`), { text: 'limit 11', values: [], prepared: false })
  for (const value of [1.5, NaN, Infinity, '1; drop table t' as never]) {
    assert.throws(() => sql.integer(value), /is not an integer/)
  }
})

test('json values are bound as text, so that a list is not taken for an array', () => {
  assert.deepEqual(toStatement(sql`select ${sql.json([1, 'a'])}, ${sql.json(undefined)}`).values, ['[1,"a"]', 'null'])
})
