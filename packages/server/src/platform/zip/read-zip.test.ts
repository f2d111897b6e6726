import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildZip, type TestZipEntry } from '../../../test/zip-files.ts'
import { ZipFailure, type ZipFailureKind } from './zip-failure.ts'
import { default_zip_limits, readArchiveEntry, openZipArchive, readZipEntries, type ZipLimits } from './read-zip.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-archives-'))
})
after(() => rm(folder, { recursive: true }))

let count = 0
async function writeArchive(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${count++}.zip`)
  await writeFile(path, bytes)
  return path
}

async function readAll(bytes: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for await (const entry of readZipEntries(await writeArchive(bytes), { ...default_zip_limits, ...limits })) {
    contents[entry.name] = (await readArchiveEntry(entry)).toString()
  }
  return contents
}

const failsWith = (kind: ZipFailureKind, pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ZipFailure, String(error))
  assert.equal(error.kind, kind, error.message)
  assert.match(error.message, pattern)
  return true
}

test('entries are returned in directory order, without folders and operating-system metadata files', async () => {
  const bytes = buildZip([
    { name: 'fields/', data: '', mode: 0o040755 },
    { name: 'fields/a.geojson', data: 'one' },
    { name: './fields/Größe 2024-01-01T10:00.txt', data: 'two', stored: true, mode: 0o100644 },
    { name: '__MACOSX/fields/._a.geojson', data: 'x' },
    { name: 'fields\\.DS_Store', data: 'x' },
    { name: 'fields=2E=2E/%2e%2e/b', data: 'plain letters' },
    { name: 'c\\d', data: '' },
  ])
  assert.deepEqual(await readAll(bytes), {
    'fields/a.geojson': 'one',
    'fields/Größe 2024-01-01T10:00.txt': 'two',
    'fields=2E=2E/%2e%2e/b': 'plain letters',
    'c/d': '',
  })
})

test('entries of an open archive can be read in any order and more than once', async () => {
  const archive = await openZipArchive(
    await writeArchive(
      buildZip([
        { name: 'a', data: '1' },
        { name: 'b', data: '22' },
      ]),
    ),
  )
  const [a, b] = archive.entries
  assert.deepEqual([a!.size, b!.size], [1, 2])
  for (const [entry, text] of [
    [b, '22'],
    [a, '1'],
    [b, '22'],
  ] as const) {
    assert.equal((await readArchiveEntry(entry!)).toString(), text)
  }
  archive.close()
})

test('names that leave the archive, contain hidden characters or collide are rejected', async () => {
  const plain = 'is packed'
  const names = [
    '../a',
    'a/../../b',
    '..\\a',
    '/etc/passwd',
    '\\\\server\\share',
    `${'C'}:\\a`,
    'c:a',
    'a\0.tif',
    'a\nb',
  ]
  for (const name of [...names, 'a\u202efig.exe', '', '.', 'x'.repeat(300), 'd/'.repeat(40) + 'x']) {
    await assert.rejects(
      readAll(buildZip([{ name, data: plain }])),
      failsWith('unsafe', /Create the archive again/),
      name,
    )
  }
  for (const [first, second] of [
    ['a', 'a'],
    ['A.shp', 'a.SHP'],
    ['é', 'e\u0301'],
    ['a', './a'],
  ] as const) {
    const duplicates = buildZip([
      { name: first, data: '' },
      { name: second, data: '' },
    ])
    await assert.rejects(readAll(duplicates), failsWith('unsafe', /twice/))
  }
})

test('links, devices, encrypted entries, unsupported compression and nested archives are rejected', async () => {
  const cases: [Partial<TestZipEntry>, ZipFailureKind, RegExp][] = [
    [{ mode: 0o120777 }, 'unsafe', /link/],
    [{ mode: 0o020666 }, 'unsafe', /device/],
    [{ flags: 1 }, 'unsupported', /without a password/],
    [{ flags: 0x41 }, 'damaged', /directory/],
    [{ method: 12 }, 'unsupported', /method 12/],
    [{ name: 'more/inner.ZIP' }, 'unsafe', /inside the archive/],
    [{ name: 'inner.tar.gz' }, 'unsafe', /inside the archive/],
  ]
  for (const [change, kind, pattern] of cases) {
    await assert.rejects(readAll(buildZip([{ name: 'a', data: 'x', ...change }])), failsWith(kind, pattern))
  }
})

test('archives that exceed the limits on files, bytes or compression ratio are rejected before anything is unpacked', async () => {
  const three = buildZip([1, 2, 3].map((n) => ({ name: `${n}`, data: 'x'.repeat(100) })))
  await assert.rejects(readAll(three, { max_entries: 2 }), failsWith('too_large', /3 files and folders; at most 2/))
  await assert.rejects(readAll(three, { max_entry_bytes: 99 }), failsWith('too_large', /"1" has more than 99 bytes/))
  await assert.rejects(readAll(three, { max_total_bytes: 299 }), failsWith('too_large', /more than 299 bytes/))
  assert.equal(
    Object.keys(
      await readAll(three, { max_entries: 3, max_entry_bytes: 100, max_total_bytes: 300, max_compression_ratio: 1 }),
    ).length,
    3,
  )
  const bomb = buildZip([{ name: 'zeros', data: new Uint8Array(4 << 20) }])
  assert.ok(bomb.length < 5000)
  await assert.rejects(
    readAll(bomb, { max_compression_ratio: 200 }),
    failsWith('too_large', /compression ratio above 1:200/),
  )
})

test('a wrong size or checksum fails the stream without yielding more bytes than declared', async () => {
  const data = 'x'.repeat(1 << 20)
  await assert.rejects(readAll(buildZip([{ name: 'a', data, size: 1000 }])), failsWith('damaged', /wrong size/))
  await assert.rejects(
    readAll(buildZip([{ name: 'a', data, size: (1 << 20) + 5 }])),
    failsWith('damaged', /wrong size/),
  )
  await assert.rejects(readAll(buildZip([{ name: 'a', data, crc: 7 }])), failsWith('damaged', /checksum/))
  await assert.rejects(
    readAll(buildZip([{ name: 'a', data, stored: true, size: 7 }])),
    failsWith('damaged', /directory/),
  )
  const damaged = buildZip([{ name: 'a', data: Buffer.from(Array.from({ length: 999 }, (_, i) => (i * i) % 251)) }])
  damaged.fill(0xff, 40, 60)
  await assert.rejects(readAll(damaged), failsWith('damaged', /cannot be unpacked/))
})

test('entries that overlap each other or the central directory are rejected', async () => {
  const shared = Array.from({ length: 50 }, (_, n) => ({
    name: `${n}`,
    data: 'x',
    ...(n > 0 ? { sharedWith: 0 } : {}),
  }))
  await assert.rejects(readAll(buildZip(shared)), failsWith('damaged', /overlap/))
  const longer = buildZip([{ name: 'a', data: 'x', stored: true }])
  const directory = longer.indexOf('PK\x01\x02')
  longer.writeUInt32LE(50, directory + 20)
  longer.writeUInt32LE(50, directory + 24)
  await assert.rejects(readAll(longer), failsWith('damaged', /overlap/))
})

test('a file that is not a ZIP, or a truncated or corrupted ZIP, fails with ZipFailure', async () => {
  const complete = buildZip([{ name: 'a', data: 'some text' }], 'with a comment')
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('PK'),
    Buffer.from('hello'.repeat(100)),
    complete.subarray(0, 60),
  ]) {
    await assert.rejects(readAll(bytes), failsWith('not_archive', /not a ZIP archive/))
  }
  await assert.rejects(readAll(complete.subarray(20)), ZipFailure)
  for (let position = 0; position < complete.length; position++) {
    const broken = Buffer.from(complete)
    broken[position]! ^= 0xff
    await readAll(broken).catch((error: unknown) =>
      assert.ok(error instanceof ZipFailure, `${position}: ${String(error)}`),
    )
  }
})
