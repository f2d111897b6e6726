import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import zlib from 'node:zlib'
import { ensureTrimmedPostgisBundle, getPackagedPostgisBundleUrl, trimPostgisBundle } from './bundle.ts'

const names = (archive: Buffer): string[] => {
  const entryNames: string[] = []
  for (let offset = 0; archive[offset] !== 0 && offset < archive.length;) {
    const text = archive.toString('latin1', offset, offset + 512)
    entryNames.push(text.slice(0, 100).split('\0')[0]!)
    offset += 512 + Math.ceil(Number.parseInt(text.slice(124, 136), 8) / 512) * 512
  }
  return entryNames
}

test('the trimmed bundle contains only the files that the server needs', () => {
  const packaged = zlib.gunzipSync(fs.readFileSync(fileURLToPath(getPackagedPostgisBundleUrl())))
  const trimmed = trimPostgisBundle(packaged)
  assert.ok(trimmed.length < packaged.length / 2)
  assert.deepEqual(
    names(trimmed)
      .map((name) => name.replace(/--\d+\.\d+\.\d+\./, '--V.'))
      .sort(),
    [
      'lib/postgresql/postgis-3.so',
      'share/postgresql/extension/postgis--V.sql',
      'share/postgresql/extension/postgis.control',
      'share/proj/proj.db',
      'share/proj/proj.ini',
    ],
  )
})

test('an archive with another layout is rejected', () => {
  assert.throws(() => trimPostgisBundle(Buffer.alloc(0)), /lacks a file/)
  assert.throws(() => trimPostgisBundle(Buffer.alloc(1024, 'x')), /has no size/)
})

test('the packaged bundle is used if the trimmed one cannot be written', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'swath-bundle-'))
  try {
    const blocked = path.join(folder, 'file')
    fs.writeFileSync(blocked, '')
    const errors: unknown[] = []
    assert.equal(
      ensureTrimmedPostgisBundle(path.join(blocked, 'cache'), (error) => errors.push(error)),
      getPackagedPostgisBundleUrl(),
    )
    assert.equal(errors.length, 1)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
