import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('every generated file is up to date', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'generate.ts'), '--check'], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.equal(status, 0)
})
