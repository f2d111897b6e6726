import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, toStatement } from '../../../platform/database/sql.ts'
import { createPreparationPolicy } from './store.prepared-statements.ts'

const statements = Array.from({ length: 3000 }, (_, index) => sql.join(Array.from({ length: index + 1 }, () => sql`1`)))

test('a repeated statement text is prepared, whatever its values, up to a maximum number', () => {
  const prepareWhenFrequent = createPreparationPolicy()
  const isPrepared = (statement: typeof sql.empty): boolean =>
    toStatement(prepareWhenFrequent(statement)).prepared !== false
  const prepared = [1, 2, 3, 4, 5].map((value) => isPrepared(sql`select ${value}::int`))
  assert.deepEqual(prepared, [false, false, false, true, true])
  const firstStatements = statements.slice(0, 300)
  for (let times = 0; times < 4; times++) for (const statement of firstStatements) prepareWhenFrequent(statement)
  assert.equal(firstStatements.filter(isPrepared).length, 199)
  for (const statement of statements) prepareWhenFrequent(statement)
  assert.ok(isPrepared(sql`select ${9}::int`), 'a prepared statement stays prepared')
  assert.equal(toStatement(prepareWhenFrequent(sql`select ${9}::int`, sql.generic)).prepared, 'generic')
})
