import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { bundlePaths, ensureBundles } from './bundle.mjs'
import { root } from './node.mjs'

function emptyFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bundle-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Runs a line of module code in a process with these flags and returns its output. */
function runNode(flags: readonly string[], line: string): string {
  const done = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', line], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(done.status, 0, done.stderr)
  return done.stdout.trim()
}

test('a process with the flags loads the bundles, which export the same names as the packages', () => {
  const flags = ensureBundles(root)
  const resolved = runNode(
    flags,
    "console.log(Object.keys(bundles).map((name) => import.meta.resolve(name)).join('\\n'))".replace(
      'bundles',
      JSON.stringify(bundlePaths(root)),
    ),
  )
  assert.match(
    resolved,
    /\/bundled\/\S+\/typebox\.mjs\n\S+\/typebox-compile\.mjs\n\S+\/typebox-format\.mjs\n\S+\/typebox-value\.mjs$/,
  )
  const names =
    "for (const name of ['typebox', 'typebox/compile', 'typebox/format', 'typebox/value']) console.log(Object.keys(await import(name)).join())"
  assert.equal(runNode(flags, names), runNode([], names))
})

test('ensureBundles returns no flags when the packages cannot be bundled', (context) => {
  const folder = emptyFolder(context)
  assert.deepEqual(ensureBundles(folder), [])
  mkdirSync(join(folder, 'node_modules', 'typebox'), { recursive: true })
  writeFileSync(join(folder, 'node_modules', 'typebox', 'package.json'), '{"version":"1.0.0"}')
  assert.deepEqual(ensureBundles(folder), [])
})
