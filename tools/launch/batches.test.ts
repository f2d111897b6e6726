import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { writeBatches } from './batches.mjs'

function folderWith(context: TestContext, texts: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-batches-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  return folder
}

test('every file is in one batch, and there are enough batches for all processes', (context) => {
  const root = folderWith(context)
  for (const [files, processes, batches] of [
    [1, 4, 1],
    [7, 4, 4],
    [100, 2, 9],
  ] as const) {
    const names = Array.from({ length: files }, (_, index) => `file-${index}.test.ts`)
    const written = writeBatches(names, root, processes)
    assert.equal(written.length, batches)
    const inside = written.flatMap((path) => readFileSync(path, 'utf8').match(/file-\d+\.test\.ts/g) ?? [])
    assert.deepEqual(inside.toSorted(), names.toSorted())
  }
})

const said = `console.log(name, 'loaded')
before(() => console.log(name, 'begins'))
after(() => console.log(name, 'ends'))
test('it', () => console.log(name, 'works'))`
const file = (name: string): string =>
  `import { after, before, test } from 'node:test'\nconst name = '${name}'\n${said}`

/** The names by which this very run is known to a runner would make the other one a part of it. */
const { NODE_TEST_CONTEXT: _context, ...environment } = process.env

function run(root: string, files: readonly string[]): { status: number | null; lines: string[] } {
  const [batch] = writeBatches(files, root, 1)
  const ran = spawnSync(process.execPath, ['--test', batch!], { encoding: 'utf8', env: environment })
  return { status: ran.status, lines: ran.stdout.split('\n').map((line) => line.trim()) }
}

test('the files of a batch run one after the other, each between its own hooks', (context) => {
  const root = folderWith(context, { 'one.test.mjs': file('one'), 'two.test.mjs': file('two') })
  const { status, lines } = run(root, ['one.test.mjs', 'two.test.mjs'])
  assert.equal(status, 0)
  const told = lines.filter((line) => /^(one|two) /.test(line))
  const life = ['loaded', 'begins', 'works', 'ends']
  assert.deepEqual(told, [...life.map((word) => `one ${word}`), ...life.map((word) => `two ${word}`)])
})

test('a file that fails, or does not even load, fails the run and nothing else', (context) => {
  const texts = {
    'fails.test.mjs': `import { test } from 'node:test'\ntest('it', () => { throw new Error('no') })`,
    'unread.test.mjs': `throw new Error('no')`,
    'good.test.mjs': file('good'),
  }
  const root = folderWith(context, texts)
  for (const bad of ['fails.test.mjs', 'unread.test.mjs']) {
    const { status, lines } = run(root, [bad, 'good.test.mjs'])
    assert.equal(status, 1)
    assert.ok(lines.includes('good works'))
    assert.ok(lines.some((line) => line.startsWith(`✖ ${bad}`)))
  }
})
