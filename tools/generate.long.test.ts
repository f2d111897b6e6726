import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('every printed file is as fresh as what it is printed from', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'generate.ts'), '--check'], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.equal(status, 0)
})
