import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import { createMemorySource } from '../source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster } from '../../types.ts'
import { createRasterHeaderCache } from './header-cache.ts'

const bytes = readFileSync(new URL('../../../../../fixtures/rasters/scenes/elkton-red.tif', import.meta.url))
const openFixture = (): Promise<Raster> => openRaster(createMemorySource(bytes, 'elkton-red'))

const cancelled = (error: unknown) => error instanceof RasterFailure && error.kind === 'cancelled'

test('a raster is opened once, by any number of callers', async () => {
  const cache = createRasterHeaderCache()
  let opened = 0
  const open = (): Promise<Raster> => {
    opened++
    return openFixture()
  }
  const answers = await Promise.all([1, 2, 3].map(() => cache.get({ id: 'a', etag: '1' }, open)))
  answers.push(await cache.get({ id: 'a', etag: '1' }, open))
  assert.equal(opened, 1)
  assert.ok(answers.every((answer) => answer === answers[0]))
  const others = [await cache.get({ id: 'a', etag: '2' }, open), await cache.get({ id: 'a' }, open)]
  assert.equal(new Set([answers[0]!, ...others].map((raster) => raster.fileId)).size, 3)
  assert.equal(cache.entries, 3)
})

test('numbers of files are never used twice, whatever was dropped in between', async () => {
  const seen = new Set<number>()
  for (const cache of [createRasterHeaderCache({ entries: 1 }), createRasterHeaderCache({ entries: 1 })]) {
    for (const id of ['a', 'b', 'a', 'b']) seen.add((await cache.get({ id }, openFixture)).fileId!)
    cache.delete({ id: 'b' })
    seen.add((await cache.get({ id: 'b' }, openFixture)).fileId!)
    assert.equal(cache.entries, 1)
  }
  assert.equal(seen.size, 10)
})

test('an opening that failed is tried again', async () => {
  const cache = createRasterHeaderCache()
  const fail = async (): Promise<Raster> => {
    throw new RasterFailure('source', 'not now')
  }
  const failures = await Promise.allSettled([1, 2].map(() => cache.get({ id: 'a' }, fail)))
  assert.ok(failures.every((each) => each.status === 'rejected' && each.reason.message === 'not now'))
  await assert.rejects(
    cache.get({ id: 'a' }, () => {
      throw new RasterFailure('damaged', 'at once')
    }),
    /at once/,
  )
  assert.equal(cache.entries, 0)
  assert.ok(await cache.get({ id: 'a' }, openFixture))
})

test('one caller gives up for itself; when all have, the opening ends', async () => {
  const cache = createRasterHeaderCache()
  const signals: AbortSignal[] = []
  const gates: (() => void)[] = []
  const open = async (signal: AbortSignal): Promise<Raster> => {
    signals.push(signal)
    await new Promise<void>((resolve) => gates.push(resolve))
    return openFixture()
  }
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
  const one = cache.get({ id: 'a' }, open, first.signal)
  const two = cache.get({ id: 'a' }, open, second.signal)
  await assert.rejects(cache.get({ id: 'a' }, open, AbortSignal.abort()), cancelled)
  first.abort()
  await assert.rejects(one, cancelled)
  assert.equal(signals[0]!.aborted, false)

  second.abort()
  await assert.rejects(two, cancelled)
  assert.equal(signals[0]!.aborted, true)

  // A later request opens the file anew, and the cancelled one leaves nothing behind.
  const three = cache.get({ id: 'a' }, open, third.signal)
  await new Promise(setImmediate)
  assert.equal(signals.length, 2)
  for (const gate of gates) gate()
  const raster = await three
  assert.equal(cache.entries, 1)
  assert.equal(await cache.get({ id: 'a' }, open), raster)
})

test('entries and bytes are bounded, the longest unused goes first', async () => {
  const one = createRasterHeaderCache()
  await one.get({ id: 'a' }, openFixture)
  const cache = createRasterHeaderCache({ entries: 10, bytes: one.bytes * 3 })
  const [a] = [await cache.get({ id: 'a' }, openFixture), await cache.get({ id: 'b' }, openFixture)]
  await cache.get({ id: 'c' }, openFixture)
  assert.equal(await cache.get({ id: 'a' }, openFixture), a)
  await cache.get({ id: 'd' }, openFixture)
  assert.equal(cache.entries, 3)
  assert.ok(cache.bytes <= one.bytes * 3)
  assert.equal(await cache.get({ id: 'a' }, openFixture), a)
  const tight = createRasterHeaderCache({ bytes: 100 })
  assert.ok(await tight.get({ id: 'a' }, openFixture))
  assert.equal(tight.entries, 0)
})
