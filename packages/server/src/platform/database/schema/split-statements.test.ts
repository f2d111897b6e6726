import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModule, parseSync } from 'libpg-query'
import { migrationsDir, readMigrations } from '../migrate.ts'
import { splitStatements } from './split-statements.ts'

test('semicolons in comments, texts, names and bodies end no statement', () => {
  const statements = [
    "select ';', e'\\';', 'it''s;' -- one; two\n",
    '/* a; b */ create table "a;b" (c text)',
    'do $$ begin perform 1; end $$',
    "create function f() returns text language sql as $body$ select '$$;'; $body$",
  ]
  assert.deepEqual(
    splitStatements(`${statements.join(';')}; -- the end; really\n`).map((text) => text.trim()),
    statements.map((text) => text.trim()),
  )
  assert.deepEqual(splitStatements(' -- nothing;\n/* ; */ ; ;'), [])
})

test('each migration has the statements that the parser of PostgreSQL finds in it', async () => {
  await loadModule()
  let count = 0
  for (const { name, text } of await readMigrations(migrationsDir)) {
    const statements = splitStatements(text)
    assert.equal(statements.length, parseSync(text).stmts?.length, name)
    for (const statement of statements) assert.equal(parseSync(statement).stmts?.length, 1, name)
    count += statements.length
  }
  assert.ok(count > 700)
})
