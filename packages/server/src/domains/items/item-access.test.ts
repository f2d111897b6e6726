import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const sources = join(import.meta.dirname, '..', '..')

/** Statements that write the tables that `findRenderableItem` reads. */
const writes = /\b(?:insert into|update|delete from) (?:items|assets|projects|project_members|memberships)\b/g

const declaration = /^(?:export )?(?:async )?(?:function|const) /gm

/** Statements that change no cached data: new items are not cached, and names and limits are not read. */
const harmless: ReadonlySet<string> = new Set([
  'domains/items/store.ts: insert into items',
  'domains/projects/store.ts: insert into projects',
  'domains/projects/store.ts: update projects',
  'domains/organizations/store.members.ts: update memberships',
])

test('each statement that changes what decides about the tiles of an item publishes it', async () => {
  const found: string[] = []
  const silent: string[] = []
  for await (const path of glob('**/*.ts', { cwd: sources })) {
    if (path.endsWith('.test.ts')) continue
    const text = await readFile(join(sources, path), 'utf8')
    for (const { 0: statement, index } of text.matchAll(writes)) {
      const before = text.slice(0, index)
      const { index: begin = 0 } = [...before.matchAll(declaration)].at(-1) ?? {}
      const name = `${path}: ${statement}`
      found.push(name)
      if (!before.slice(begin).includes('publishItemAccessChange(')) silent.push(name)
    }
  }
  assert.ok(found.length >= 13, found.join('\n'))
  assert.deepEqual(new Set(silent), harmless)
})
