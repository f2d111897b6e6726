import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCountingSource } from './counting.ts'
import { createHeaderCachingSource } from './cached-header.ts'
import { openLocalFileSource } from './local-file.ts'
import { createMemorySource } from './memory.ts'
import { createRangedSource } from './ranged.ts'

const content = Uint8Array.from({ length: 1000 }, (_, index) => index & 255)

test('the head is read once, at the first read of the beginning', async () => {
  for (const size of [1000, undefined]) {
    const under = createCountingSource(
      createRangedSource('blob', size, async (offset, length) => content.subarray(offset, offset + length)),
    )
    const source = createHeaderCachingSource(under, 100)
    const check = async (offset: number, length: number) =>
      assert.deepEqual(await source.read(offset, length), content.subarray(offset, offset + length))
    await check(500, 10)
    await check(0, 8)
    await check(0, 100)
    await check(99, 1)
    assert.deepEqual(under.count, { reads: 2, bytes: 110 })
    await check(99, 2)
    await check(0, 101)
    await check(990, 100)
    assert.equal(under.count.reads, 5)
  }
})

test('a longer first read leaves only the head behind, a shorter file is known whole', async () => {
  const under = createCountingSource(createMemorySource(content, 'memory'))
  const source = createHeaderCachingSource(under, 100)
  assert.equal((await source.read(0, 300)).length, 300)
  assert.equal((await source.read(0, 100)).buffer.byteLength, 100)
  const short = createHeaderCachingSource(under, 5000)
  await short.read(0, 10)
  assert.equal((await short.read(900, 5000)).length, 100)
  assert.equal((await short.read(2000, 10)).length, 0)
  assert.equal(under.count.reads, 2)
})

test('a file that is read without waiting needs no head', () => {
  const source = openLocalFileSource(import.meta.filename, 'here', undefined)
  assert.equal(createHeaderCachingSource(source), source)
})
