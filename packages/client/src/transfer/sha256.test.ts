import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createPortableSha256, createSha256 } from './sha256.ts'

test('the digest is that of the whole, however the bytes are cut', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 70_001]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 255)
    const expected = createHash('sha256').update(bytes).digest('hex')
    for (const piece_bytes of [1, 7, 64, 4096]) {
      if (length / piece_bytes > 2000) continue
      for (const hash of [createSha256(), createPortableSha256()]) {
        for (let at = 0; at < length; at += piece_bytes) hash.update(bytes.subarray(at, at + piece_bytes))
        assert.equal(hash.digest(), expected, `${length} bytes by ${piece_bytes}`)
      }
    }
  }
})
