import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, toSqlStatement } from '../sql.ts'
import { splitIntoBatches, buildValuesList, prepareByListLength } from './values-list.ts'

const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test('each row becomes an element of the list, with parameters of its own', () => {
  const list = buildValuesList(['a', 'b'], (name) => sql`(${'org'}, ${name}, 0)`)
  const { text, values } = toSqlStatement(sql`insert into accounts values ${list} returning ${1}`)
  assert.equal(text, 'insert into accounts values ($1, $2, 0), ($3, $4, 0) returning $5')
  assert.deepEqual(values, ['org', 'a', 'org', 'b', 1])
})

test('a list with more parameters than the protocol can number is refused', () => {
  const pair = (value: number) => sql`(${value}, ${value})`
  assert.equal(toSqlStatement(buildValuesList(rows(32_767), pair)).values.length, 65_534)
  assert.throws(() => buildValuesList(rows(32_768), pair), /65536 parameters/)
})

test('batches keep the order of the rows, and no rows are no batch', () => {
  assert.deepEqual([...splitIntoBatches(rows(5), 2)], [[0, 1], [2, 3], [4]])
  assert.deepEqual([...splitIntoBatches([])], [])
  assert.deepEqual(
    [...splitIntoBatches(rows(1_001))].map((batch) => batch.length),
    [500, 500, 1],
  )
})

test('a short list is prepared, a longer one when it is frequent, a long one never', () => {
  const preparations = [1, 2, 3, 16, 17].map(
    (count) => toSqlStatement(prepareByListLength(sql`select 1`, count)).prepared,
  )
  assert.deepEqual(preparations, [true, true, 'when-frequent', 'when-frequent', false])
})
