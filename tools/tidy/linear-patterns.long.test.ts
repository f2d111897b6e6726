import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findSlowPatterns } from './linear-patterns.ts'

const root = join(import.meta.dirname, '../..')

const stopwatch = (work: () => void): number => {
  const started = performance.now()
  work()
  return performance.now() - started
}

test('findSlowPatterns reports expressions with quadratic or worse running time', () => {
  for (const pattern of [String.raw`/\/[^?]*\?/g`, String.raw`/\beyJ[\w-]{8,}\./`, '/(a|a)*$/', String.raw`/\s+$/`]) {
    assert.equal(findSlowPatterns(`const x = ${pattern}`, stopwatch).length, 1, pattern)
  }
  assert.deepEqual(findSlowPatterns(String.raw`const x = /^\s*\d+$/.test('/ /') // /\s+$/`, stopwatch), [])
})

test('all regular expressions of product code run in linear time', () => {
  const files = globSync('{packages,apps}/*/src/**/*.{ts,mts,mjs,js}', { cwd: root })
  const written = files.filter((file) => !file.endsWith('.test.ts'))
  assert.ok(written.length > 500)
  const slow = written.flatMap((file) =>
    findSlowPatterns(readFileSync(join(root, file), 'utf8'), stopwatch).map(
      ({ line, pattern, repeated, ms }) =>
        `${file}:${line} ${pattern} with ${JSON.stringify(repeated)}: ${Math.round(ms)} ms`,
    ),
  )
  assert.deepEqual(slow, [])
})
