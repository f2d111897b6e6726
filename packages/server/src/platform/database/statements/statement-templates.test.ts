import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, toSqlStatement, type Sql } from '../sql.ts'
import { createStatementTextCache } from './statement-texts.ts'

const isNamed = (name: string): Sql => sql`name = ${name}`
const isOwner = (user: string): Sql => sql`owner = ${user}`

interface Values {
  readonly id: string
  readonly before: Date | null
  readonly condition: Sql
}

const createSelect = ({ id, before, condition }: Values): Sql =>
  sql.prepared(sql`
    select ${id}::uuid where id = ${id} and ${condition}
    ${before ? sql`and made < ${before}` : sql.empty}`)

const select = (values: Values): Sql => sql.template('select', { ...values }, createSelect)

test('a template has one parameter for each value, wherever it occurs', () => {
  const createStatement = createStatementTextCache()
  const statement = createStatement(select({ id: 'a', before: null, condition: isNamed('b') }))
  assert.match(statement.text, /select \$1::uuid where id = \$1 and name = \$2/)
  assert.deepEqual(statement.values, ['a', 'b'])
  assert.equal(statement.prepared, true)
})

test('a template is composed once for all values, and anew if one is null or another fragment', () => {
  const createStatement = createStatementTextCache()
  let composed = 0
  const count = (values: Values): Sql =>
    sql.template('select', { ...values }, (parameters) => {
      composed += 1
      return createSelect(parameters)
    })
  const [from, to] = [new Date(0), new Date(1)]
  const variants: readonly (readonly [Values, composed: number, bound: readonly unknown[]])[] = [
    [{ id: 'a', before: null, condition: isNamed('b') }, 1, ['a', 'b']],
    [{ id: 'c', before: null, condition: isNamed('d') }, 1, ['c', 'd']],
    [{ id: 'a', before: from, condition: isNamed('b') }, 2, ['a', 'b', from]],
    [{ id: 'a', before: to, condition: isNamed('e') }, 2, ['a', 'e', to]],
    [{ id: 'a', before: null, condition: isNamed('f') }, 2, ['a', 'f']],
    [{ id: 'a', before: null, condition: isOwner('u') }, 3, ['a', 'u']],
  ]
  for (const [values, count_composed, bound] of variants) {
    const statement = createStatement(count(values))
    assert.equal(composed, count_composed)
    assert.deepEqual(statement.values, bound)
    assert.equal(statement.text.includes('owner'), values.condition.strings[0] === 'owner = ')
    assert.equal(statement.text.includes('made <'), values.before !== null)
  }
})

test('a template that binds a value of one caller is refused, and so are fragments of fragments', () => {
  const createStatement = createStatementTextCache()
  const [id, other] = ['a', 'b']
  const bindsOther = sql.template('binds', { id }, (values) => sql`select ${values.id}, ${other}`)
  assert.throws(() => createStatement(bindsOther), /template binds binds what is not one of its parameters/)
  const nested = sql.template(
    'nested',
    { condition: sql`not (${isNamed(id)})` },
    ({ condition }) => sql`select ${condition}`,
  )
  assert.throws(() => createStatement(nested), /condition has fragments/)
})

test('a caller that supports only fragments composes the statement of a template from its values', () => {
  const values = { id: 'a', before: null, condition: isNamed('b') }
  assert.deepEqual(toSqlStatement(select(values)).values, ['a', 'a', 'b'])
})
