import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import zlib from 'node:zlib'
import { smallBundle, stockBundle, trimArchive } from './bundle.ts'

const names = (archive: Buffer): string[] => {
  const found: string[] = []
  for (let at = 0; archive[at] !== 0 && at < archive.length;) {
    const text = archive.toString('latin1', at, at + 512)
    found.push(text.slice(0, 100).split('\0')[0]!)
    at += 512 + Math.ceil(Number.parseInt(text.slice(124, 136), 8) / 512) * 512
  }
  return found
}

test('the trimmed bundle contains only the files that the server needs', () => {
  const stock = zlib.gunzipSync(fs.readFileSync(fileURLToPath(stockBundle())))
  const small = trimArchive(stock)
  assert.ok(small.length < stock.length / 2)
  assert.deepEqual(
    names(small)
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
  assert.throws(() => trimArchive(Buffer.alloc(0)), /lacks a file/)
  assert.throws(() => trimArchive(Buffer.alloc(1024, 'x')), /has no size/)
})

test('the packaged bundle is used if the trimmed one cannot be written', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'swath-bundle-'))
  try {
    const blocked = path.join(home, 'file')
    fs.writeFileSync(blocked, '')
    const faults: unknown[] = []
    assert.equal(
      smallBundle(path.join(blocked, 'cache'), (fault) => faults.push(fault)),
      stockBundle(),
    )
    assert.equal(faults.length, 1)
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})
