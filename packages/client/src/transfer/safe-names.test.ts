import assert from 'node:assert/strict'
import { basename, join, relative, resolve, sep, win32 } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { assignSafeNames, toSafeName } from './safe-names.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        '..',
        '/',
        '\\',
        '.',
        ' ',
        ':',
        'CON',
        'com1',
        'a',
        '\0',
        '\u202e',
        '\ud800',
        '.part',
        '~',
        'ß',
        'e\u0301',
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
)

test('no text of a server leaves the folder, and every system takes the name', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const name = toSafeName(text)
      assert.equal(toSafeName(name), name)
      assert.equal(basename(name), name)
      assert.equal(win32.basename(name), name)
      const root = resolve('/data/folder')
      assert.equal(relative(root, resolve(join(root, name))).split(sep).length, 1)
      assert.ok(resolve(join(root, name)).startsWith(`${root}${sep}`))
      assert.ok(name !== '' && Buffer.byteLength(name) <= 200)
      assert.doesNotMatch(name, /^\.|[. ]$|[<>:"/\\|?*\p{Cc}]|\.part$|\.part\.json$/u)
      assert.ok(name.isWellFormed())
    }),
    { numRuns: 2000 },
  )
})

test('names are changed no more than they must be', () => {
  const names: readonly [string, string][] = [
    ['Harbour, 3 March.tif', 'Harbour, 3 March.tif'],
    ['Zürich 東京 🛰️.tif', 'Zürich 東京 🛰️.tif'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['a\\b:c', 'a_b_c'],
    ['..', '_'],
    ['', '_'],
    ['nul.tif', 'nul_tif'],
    ['null.tif', 'null.tif'],
    ['a\u202efit.exe', 'a_fit.exe'],
    ['scene.tif.part', 'scene.tif_part'],
    ['name. ', 'name'],
    [`${'x'.repeat(300)}.tif`, `${'x'.repeat(196)}.tif`],
  ]
  assert.deepEqual(
    names.map(([text]) => toSafeName(text)),
    names.map(([, safe]) => safe),
  )
})

test('things of equal names get names of their own, and a newer one does not change the older', () => {
  const things = fc.uniqueArray(fc.record({ id: fc.uuid(), name: hostile }), {
    selector: ({ id }) => id,
    maxLength: 30,
  })
  fc.assert(
    fc.property(things, (all) => {
      const names = assignSafeNames(all, ({ name }) => name)
      assert.equal(new Set([...names.values()].map((name) => name.toUpperCase().toLowerCase())).size, all.length)
      for (const name of names.values()) assert.equal(toSafeName(name), name)
      const older = all.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, -1)
      for (const [id, name] of assignSafeNames(older, ({ name: text }) => text)) assert.equal(names.get(id), name)
    }),
  )
  const twins = ['b', 'a', 'c'].map((id) => ({ id, name: id === 'c' ? 'SCENE.tif' : 'scene.tif' }))
  assert.deepEqual(Object.fromEntries(assignSafeNames(twins, ({ name }) => name)), {
    a: 'scene.tif',
    b: 'scene~b.tif',
    c: 'SCENE~c.tif',
  })
})
