import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedCache } from './bounded-cache.ts'

test('the least recently used entry is evicted when the cache is full', () => {
  const cache = createBoundedCache<string, number>({ max_entries: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3])
})

test('an entry that is written again is the most recent one, with the new value', () => {
  const cache = createBoundedCache<string, number>({ max_entries: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  cache.set('c', 4)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [3, undefined, 4])
})

test('an entry expires by the clock of its cache, even from zero, and reading does not prolong it', () => {
  let now_ms = 0
  const cache = createBoundedCache<string, string>({ max_entries: 10, max_age: { ms: 1000, now_ms: () => now_ms } })
  cache.set('a', 'first')
  now_ms = 1000
  assert.equal(cache.get('a'), 'first')
  now_ms = 1001
  assert.equal(cache.get('a'), undefined)
  cache.set('a', 'second')
  now_ms = 1500
  cache.set('a', 'third')
  now_ms = 2500
  assert.equal(cache.get('a'), 'third', 'writing begins a new life')
})

test('the sizes of all values stay within the maximum', () => {
  const cache = createBoundedCache<string, string>({ max_size: 10, sizeOf: (value) => value.length })
  for (const key of ['a', 'b', 'c']) cache.set(key, key.repeat(4))
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 'bbbb', 'cccc'])
  cache.set('empty', '')
  assert.equal(cache.get('empty'), '', 'an empty value is an entry too')
  cache.set('d', 'd'.repeat(11))
  assert.deepEqual([cache.get('b'), cache.get('c'), cache.get('d')], ['bbbb', 'cccc', undefined])
  cache.set('e', 'e'.repeat(10))
  assert.deepEqual([cache.get('b'), cache.get('c'), cache.get('e')], [undefined, undefined, 'e'.repeat(10)])
})

test('entries are evicted for a value before the value exists', () => {
  const cache = createBoundedCache<string, string>({ max_size: 10, sizeOf: (value) => value.length })
  for (const key of ['a', 'b']) cache.set(key, key.repeat(4))
  cache.evictFor(2)
  assert.deepEqual([cache.get('a'), cache.get('b')], ['aaaa', 'bbbb'])
  cache.get('a')
  cache.evictFor(3)
  assert.deepEqual([cache.get('a'), cache.get('b')], ['aaaa', undefined])
  cache.evictFor(11)
  assert.equal(cache.get('a'), undefined)
})

test('each value that leaves is reported, whatever the reason', () => {
  let now_ms = 0
  const removed: string[] = []
  const cache = createBoundedCache<string, string>({
    max_entries: 2,
    max_age: { ms: 1000, now_ms: () => now_ms },
    onRemove: (value, key) => removed.push(`${key} ${value}`),
  })
  cache.set('a', 'evicted')
  cache.set('b', 'replaced')
  cache.set('c', 'deleted')
  cache.set('b', 'expired')
  cache.delete('c')
  cache.delete('unknown')
  now_ms = 2000
  cache.get('b')
  cache.set('d', 'cleared')
  cache.clear()
  assert.deepEqual(removed, ['a evicted', 'b replaced', 'c deleted', 'b expired', 'd cleared'])
})

test('a cache without a bound is rejected', () => {
  assert.throws(() => createBoundedCache<string, string>({}), TypeError)
})
