import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { claimNext, createTestQueue } from './test-queue.mjs'

function folderWith(context: TestContext, texts: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-queue-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  return folder
}

test('createTestQueue sorts files by size and creates at most one process per file', (context) => {
  const root = folderWith(context, {
    'small.test.mjs': '1',
    'large.test.mjs': '1'.repeat(99),
    'middle.test.mjs': '123',
  })
  for (const [files, processes, programs] of [
    [['small', 'large', 'middle'], 2, 2],
    [['small'], 4, 1],
  ] as const) {
    const queue = createTestQueue(
      files.map((name) => `${name}.test.mjs`),
      root,
      processes,
    )
    context.after(queue.remove)
    assert.equal(queue.programs.length, programs)
    const queued = JSON.parse(readFileSync(join(dirname(queue.programs[0]!), 'queue.json'), 'utf8')) as {
      file: string
    }[]
    const order = files.length === 1 ? ['small'] : ['large', 'middle', 'small']
    assert.deepEqual(
      queued.map(({ file }) => file),
      order.map((name) => `${name}.test.mjs`),
    )
  }
})

test('createTestQueue sorts long tests before larger short ones', (context) => {
  const root = folderWith(context, { 'large.test.ts': '1'.repeat(99), 'small.long.test.ts': '1' })
  const { programs, remove } = createTestQueue(['large.test.ts', 'small.long.test.ts'], root, 2)
  context.after(remove)
  const queued = JSON.parse(readFileSync(join(dirname(programs[0]!), 'queue.json'), 'utf8')) as { file: string }[]
  assert.deepEqual(
    queued.map(({ file }) => file),
    ['small.long.test.ts', 'large.test.ts'],
  )
})

test('claimNext returns each index once, in order, and then null', (context) => {
  const folder = folderWith(context)
  assert.deepEqual(
    Array.from({ length: 4 }, () => claimNext(folder, 3)),
    [0, 1, 2, null],
  )
})

const testSource = `console.log(name, 'loaded')
before(() => console.log(name, 'begins'))
after(() => console.log(name, 'ends'))
test('it', () => console.log(name, 'works'))`
const file = (name: string): string =>
  `import { after, before, test } from 'node:test'\nconst name = '${name}'\n${testSource}`

/** NODE_TEST_CONTEXT would make the inner runner report to the outer one. */
const { NODE_TEST_CONTEXT: _context, ...environment } = process.env

function run(root: string, files: readonly string[]): { status: number | null; lines: string[] } {
  const { programs, remove } = createTestQueue(files, root, 1)
  const result = spawnSync(process.execPath, ['--test', ...programs], { encoding: 'utf8', env: environment })
  remove()
  return { status: result.status, lines: result.stdout.split('\n').map((line) => line.trim()) }
}

test('a process runs its files one after the other, each with its own hooks', (context) => {
  const root = folderWith(context, { 'one.test.mjs': file('one'), 'two.test.mjs': file('two') })
  const { status, lines } = run(root, ['one.test.mjs', 'two.test.mjs'])
  assert.equal(status, 0)
  const hookLines = lines.filter((line) => /^(one|two) /.test(line))
  const hookNames = ['loaded', 'begins', 'works', 'ends']
  assert.deepEqual(hookLines, [...hookNames.map((word) => `one ${word}`), ...hookNames.map((word) => `two ${word}`)])
})

test('a file that fails or cannot be loaded fails the run, and the other files still run', (context) => {
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
