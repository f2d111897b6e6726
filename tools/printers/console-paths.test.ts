import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printConsolePaths, readConsoleRoutes } from './console-paths.ts'

test('the places of the console are those of its router, each once', () => {
  const text = printConsolePaths()
  for (const place of ['admin', 'analyse', 'explore', 'orders', 'view'])
    assert.equal(text.split(`  '${place}',\n`).length, 2, place)
  assert.doesNotMatch(text, /\$/)
})

test('a screen whose path cannot be read is refused', () => {
  assert.deepEqual(readConsoleRoutes("const a = createScreenRoute(\n  '/watch/rules',\n  b)"), ['/watch/rules'])
  assert.throws(() => readConsoleRoutes('const a = createScreenRoute(path, b)'), /1 screens/)
})
