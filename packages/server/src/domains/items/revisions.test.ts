import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const domains = join(import.meta.dirname, '..')

// A cached Feature is served until the revision of its item changes.
test('every statement that updates items increments their revision', async () => {
  let statements = 0
  for await (const path of glob('**/store*.ts', { cwd: domains })) {
    if (path.endsWith('.test.ts')) continue
    const text = await readFile(join(domains, path), 'utf8')
    for (const [statement] of text.matchAll(/\bupdate items\b[^`]*/g)) {
      statements += 1
      assert.match(statement, /revision = (\w+\.)?revision \+ 1/, `${path}: ${statement.slice(0, 200)}`)
    }
  }
  assert.ok(statements >= 2)
})
