import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sha256OfMultihash } from './checksum.ts'
import { parseContentRange, planRanges } from './ranges.ts'

test('planned ranges cover the rest of a file in order, without gaps, none longer than asked for', () => {
  const size = fc.integer({ min: 0, max: 2 ** 40 })
  fc.assert(
    fc.property(
      size,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 500 }),
      (size_bytes, share, count) => {
        const start = Math.floor(size_bytes * share)
        const range_bytes = Math.max(1, Math.ceil((size_bytes - start) / count))
        const ranges = planRanges(start, size_bytes, range_bytes)
        let at = start
        for (const range of ranges) {
          assert.equal(range.start, at)
          assert.ok(range.end > range.start && range.end - range.start <= range_bytes)
          at = range.end
        }
        assert.equal(at, size_bytes)
      },
    ),
  )
})

test('a Content-Range tells range and size, or neither', () => {
  assert.deepEqual(parseContentRange('bytes 2-4/10'), { range: { start: 2, end: 5 }, size_bytes: 10 })
  assert.deepEqual(parseContentRange('bytes 2-4/*'), { range: { start: 2, end: 5 }, size_bytes: null })
  assert.deepEqual(parseContentRange('bytes */10'), { range: null, size_bytes: 10 })
  for (const other of [null, '', 'bytes', 'items 1-2/3', 'bytes 1-/3', 'bytes -1-2/3'])
    assert.deepEqual(parseContentRange(other), { range: null, size_bytes: null })
})

test('only a multihash of SHA-256 is one', () => {
  const hash = 'ab'.repeat(32)
  assert.equal(sha256OfMultihash(`1220${hash.toUpperCase()}`), hash)
  for (const other of [null, undefined, '', hash, `1114${hash}`, `1220${hash}00`, `1220${hash.slice(2)}`])
    assert.equal(sha256OfMultihash(other), null)
})
