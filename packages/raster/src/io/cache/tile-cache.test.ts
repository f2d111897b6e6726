import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTileCache } from './tile-cache.ts'

const tileOf = (bytes: number) => ({ bytes: new Uint8Array(bytes).fill(bytes & 255), mediaType: 'image/png' })

test('tiles are cached up to a sum of bytes, and the least recently used is removed first', () => {
  const cache = createTileCache({ bytes: 4000 })
  for (const name of ['a', 'b', 'c']) cache.set(name, tileOf(1000))
  assert.deepEqual(cache.get('a'), tileOf(1000))
  cache.set('d', tileOf(1000))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => cache.get(name) !== undefined),
    [true, false, true, true],
  )
  assert.ok(cache.bytes > 3000 && cache.bytes <= 4000)
})

test('a tile replaces an earlier one; one that is larger than the cache is not cached', () => {
  const cache = createTileCache({ bytes: 4000 })
  cache.set('a', tileOf(3000))
  cache.set('a', tileOf(100))
  assert.equal(cache.entries, 1)
  assert.ok(cache.bytes < 500)
  cache.set('b', tileOf(100))
  cache.set('a', tileOf(4001))
  assert.equal(cache.get('a'), undefined)
  assert.deepEqual(cache.get('b'), tileOf(100))
  assert.equal(createTileCache({ bytes: 0 }).set('a', tileOf(1)), undefined)
})

test('a tile that was cut out of a larger buffer does not retain the buffer', () => {
  const cache = createTileCache({ bytes: 4000 })
  cache.set('a', { bytes: new Uint8Array(1_000_000).subarray(5, 105), mediaType: 'image/jpeg' })
  assert.equal(cache.get('a')!.bytes.buffer.byteLength, 100)
})
