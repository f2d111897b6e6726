import assert from 'node:assert/strict'
import { mkdtempSync, readlinkSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'
import { openFileSource, createOnDemandFileSource } from './file.ts'
import { openLocalFileSource } from './local-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'sources-'))
after(() => rmSync(folder, { recursive: true }))

const content = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) & 255)

function write(name: string, bytes: Uint8Array = content): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const failsBy = (kind: string, says?: RegExp) => (error: unknown) =>
  error instanceof RasterFailure && error.kind === kind && (says?.test(error.message) ?? true)

const openings: Readonly<Record<string, (path: string) => Promise<RasterByteSource>>> = {
  fileSource: openFileSource,
  pathSource: (path) => createOnDemandFileSource(path),
  localSource: async (path) => openLocalFileSource(path, path, content.length),
}

for (const [name, open] of Object.entries(openings)) {
  test(`${name} reads what is there and less at the end`, async () => {
    const source = await open(write(name))
    assert.equal(source.size, 1000)
    assert.equal(source.path, join(folder, name))
    assert.deepEqual([...(await source.read(10, 5))], [...content.subarray(10, 15)])
    assert.deepEqual([...(await source.read(990, 50))], [...content.subarray(990)])
    assert.equal((await source.read(1000, 5)).length, 0)
    assert.equal((await source.read(5_000_000_000, 5)).length, 0)
    await assert.rejects(source.read(-1, 5), failsBy('damaged'))
    await assert.rejects(source.read(2 ** 53, 5), failsBy('damaged'))
    await assert.rejects(source.read(0.5, 5), failsBy('damaged'))
    await assert.rejects(source.read(0, 5, AbortSignal.abort()), failsBy('cancelled'))
    await source.close()
  })
}

test('without waiting, also into shared memory', async () => {
  const path = write('shared')
  for (const source of [await openFileSource(path), openLocalFileSource(path, 'a', undefined)]) {
    const into = new Uint8Array(new SharedArrayBuffer(20), 2, 10)
    assert.equal(source.readSync!(995, into), 5)
    assert.deepEqual([...into], [...content.subarray(995), 0, 0, 0, 0, 0])
    assert.equal(source.readSync!(2000, into), 0)
    assert.throws(() => source.readSync!(-1, into), failsBy('damaged'))
    await source.close()
  }
})

test('a file that cannot be opened is a named failure', async () => {
  for (const path of [join(folder, 'absent'), folder]) {
    await assert.rejects(openFileSource(path), failsBy('source'))
    await assert.rejects(createOnDemandFileSource(path), failsBy('source'))
    assert.throws(() => openLocalFileSource(path, path, 5).readSync!(0, new Uint8Array(5)), failsBy('source'))
  }
})

test('a file that another one replaced is not read', async () => {
  const path = write('replaced')
  const held = await openFileSource(path)
  const kept = await createOnDemandFileSource(path)
  const known = openLocalFileSource(path, path, kept.size, kept.etag)
  assert.equal(held.etag, kept.etag)
  assert.equal(known.readSync!(0, new Uint8Array(10)), 10)
  renameSync(write('other', content.toReversed()), path)

  await assert.rejects(kept.read(0, 10), failsBy('source', /replaced/))
  const later = openLocalFileSource(path, path, kept.size, kept.etag)
  assert.throws(() => later.readSync!(0, new Uint8Array(10)), failsBy('source', /replaced/))
  assert.throws(
    () => openLocalFileSource(path, path, 999).readSync!(0, new Uint8Array(10)),
    failsBy('source', /replaced/),
  )
  // A source that was open continues to read the replaced file.
  for (const source of [held, known]) assert.deepEqual([...(await source.read(0, 9))], [...content.subarray(0, 9)])
  // And whoever expects nothing reads the new one.
  const fresh = openLocalFileSource(path, path, undefined)
  assert.deepEqual([...(await fresh.read(0, 9))], [...content.toReversed().subarray(0, 9)])
  await held.close()
})

test('a file that was written to in place is another one', async () => {
  const path = write('changed')
  const kept = await createOnDemandFileSource(path)
  utimesSync(path, 1, 1)
  await assert.rejects(kept.read(0, 10), failsBy('source', /replaced/))
  assert.notEqual((await createOnDemandFileSource(path)).etag, kept.etag)
})

/** Number of open files below the folder of this test; only Linux lists them. */
function openHere(): number | null {
  if (process.platform !== 'linux') return null
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith(folder)).length
}

test('a thread keeps 64 files open, and opens again what it had to close', () => {
  const paths = Array.from({ length: 80 }, (_, index) =>
    write(
      `many-${index}`,
      content.map((byte) => byte ^ index),
    ),
  )
  const sources = paths.map((path) => openLocalFileSource(path, path, 1000))
  const into = new Uint8Array(4)
  for (let round = 0; round < 2; round++) {
    for (const [index, source] of sources.entries()) {
      assert.equal(source.readSync!(8, into), 4)
      assert.deepEqual(
        [...into],
        [...content.subarray(8, 12)].map((byte) => byte ^ index),
      )
    }
  }
  const open = openHere()
  assert.ok(open === null || open === 64, `${open} are open`)
})
