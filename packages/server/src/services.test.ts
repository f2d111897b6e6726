import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The names that an expression captures in the source files of the server. */
const listNames = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, name]) => name!)).toSorted()

test('the composition root provides each service that a module defines', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
  const defined = listNames(files, /^export const (\w+) = defineService</gm)
  assert.ok(defined.length > 10)
  assert.deepEqual(listNames(['services.ts'], /provideService\((\w+),/g), defined)
})
