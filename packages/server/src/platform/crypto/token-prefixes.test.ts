import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '../..')

/** The embedded payment processor imitates the ids of Stripe, whose client secrets the log knows. */
const imitation = 'platform/integrations/payments/embedded/'

test('no other file issues a random token with a prefix of its own', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('platform/crypto/') && !file.startsWith(imitation),
  )
  const issuing = files.filter((file) => /`\w+_\$\{random\w+\(/.test(readFileSync(join(source, file), 'utf8')))
  assert.deepEqual(issuing, [])
  assert.ok(files.length > 500, `${files.length} files`)
})
