import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, statementOf } from '../../platform/database/sql.ts'
import { createStatementKeeper } from './store.usual-forms.ts'

const forms = Array.from({ length: 3000 }, (_, index) => sql.join(Array.from({ length: index + 1 }, () => sql`1`)))

test('a repeated statement text is prepared, whatever its values, up to a maximum number', () => {
  const keptWhenUsual = createStatementKeeper()
  const isKept = (statement: typeof sql.empty): boolean => statementOf(keptWhenUsual(statement)).kept !== false
  const asked = [1, 2, 3, 4, 5].map((value) => isKept(sql`select ${value}::int`))
  assert.deepEqual(asked, [false, false, false, true, true])
  const few = forms.slice(0, 300)
  for (let times = 0; times < 4; times++) for (const form of few) keptWhenUsual(form)
  assert.equal(few.filter(isKept).length, 199)
  for (const form of forms) keptWhenUsual(form)
  assert.ok(isKept(sql`select ${9}::int`), 'a prepared statement stays prepared')
  assert.equal(statementOf(keptWhenUsual(sql`select ${9}::int`, sql.generic)).kept, 'generic')
})
