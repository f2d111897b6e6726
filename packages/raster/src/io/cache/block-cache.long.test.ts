import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import { test } from 'node:test'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { createBlockCache, openBlockCache } from './block-cache.ts'
import type { BlockCache, BlockCacheHandle, BlockReservation, CachedBlock, BlockKey } from './block-cache.ts'

const kib = 1024
const mib = 1_048_576
const blockSizes = [1, 255 * kib, 256 * kib, 256 * kib + 1, 700_001, mib, 2 * mib - 3, 3 * mib, 8 * mib]

const keyOf = (block: number, file = 1, level = 0): BlockKey => ({ file, level, block })

/** Fills a block with values of its key, so that any other thread can tell whether it got the right one, whole. */
function fillBlock(data: Uint8Array, { file, level, block }: BlockKey): void {
  const words = new Uint32Array(data.buffer, data.byteOffset, data.byteLength >> 2)
  words.fill((file * 7919 + level * 104_729 + block) >>> 0)
  data.fill(block & 255, words.byteLength)
}

function checkFilled(data: Uint8Array, key: BlockKey): void {
  const expected = new Uint8Array(8)
  fillBlock(expected, key)
  const last = data.byteLength - 1
  for (let step = 0; step <= 64; step++) {
    const at = Math.floor((last * step) / 64)
    const value = at < ((last + 1) >> 2) << 2 ? expected[at & 3] : key.block & 255
    assert.equal(data[at], value, `byte ${at} of block ${key.block}`)
  }
}

function fill(cache: BlockCache, key: BlockKey, bytes: number): void {
  const slot = cache.acquire(key, bytes)
  assert.equal(slot?.state, 'fill')
  fillBlock(slot!.data, key)
  ;(slot as BlockReservation).publish()
}

function isKept(cache: BlockCache, key: BlockKey, bytes: number): boolean {
  const hit = cache.find(key, bytes)
  if (!hit) return false
  checkFilled(hit.data, key)
  hit.release()
  return true
}

interface Orders {
  readonly handle: BlockCacheHandle
  readonly task: keyof typeof workerTasks
  readonly seed: number
}

/** The tasks of the other threads. */
const workerTasks = {
  /** Random blocks, each checked in full size; says how many it decoded. */
  exercise({ handle, seed }: Orders): unknown {
    const cache = openBlockCache(handle)
    const random = randomNumbers(seed)
    parentPort!.postMessage('begins')
    const held: [hit: CachedBlock, key: BlockKey][] = []
    const seen = { hit: 0, fill: 0, bypass: 0 }
    for (let round = 0; round < 3000; round++) {
      const block = random(48)
      const key = keyOf(block, 4_294_967_295 - (block % 3), block % 5)
      const answer = cache.acquire(key, blockSizes[block % 8]!)
      seen[answer?.state ?? 'bypass']++
      if (answer?.state === 'hit') {
        checkFilled(answer.data, key)
        held.push([answer, key])
      } else if (answer && random(20) === 0) answer.abandon()
      else if (answer) {
        fillBlock(answer.data, key)
        answer.publish()
      }
      if (held.length > 2 || random(3) === 0) {
        const [hit, of] = held.splice(random(held.length), 1)[0] ?? []
        if (hit) checkFilled(hit.data, of!)
        hit?.release()
      }
    }
    for (const [hit] of held) hit.release()
    cache.close()
    return seen
  },
  /** Every block of a list once, as all the other threads do at the same time. */
  everyBlock({ handle }: Orders): unknown {
    const cache = openBlockCache(handle, { wait_ms: 5000 })
    let decoded = 0
    for (let block = 0; block < 300; block++) {
      const answer = cache.acquire(keyOf(block), 200 * kib)
      if (answer?.state === 'fill') {
        decoded++
        fillBlock(answer.data, keyOf(block))
        answer.publish()
      } else if (answer) {
        checkFilled(answer.data, keyOf(block))
        answer.release()
      }
    }
    return decoded
  },
  /** Begins to write one block, holds another, and never ends either. */
  stall({ handle }: Orders): void {
    const cache = openBlockCache(handle)
    assert.ok(cache.find(keyOf(2), mib))
    assert.equal(cache.acquire(keyOf(1), mib)?.state, 'fill')
    parentPort!.postMessage('stalled')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
} satisfies Record<string, (orders: Orders) => unknown>

if (!isMainThread) parentPort!.postMessage(workerTasks[(workerData as Orders).task](workerData as Orders))

/** Repeatable pseudo-random whole numbers below a bound (a linear congruence). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function startWorker(handle: BlockCacheHandle, task: Orders['task'], seed = 1): Worker {
  return new Worker(new URL(import.meta.url), { workerData: { handle, task, seed } satisfies Orders })
}

async function answerOf<Answer>(worker: Worker): Promise<Answer> {
  const [answer] = (await once(worker, 'message')) as [Answer]
  return answer
}

/**
 * The first two messages. One listener takes both: a worker that has ended before the first one was read delivers them in one
 * turn, in which no promise is resolved.
 */
async function twoAnswersOf<First, Second>(worker: Worker): Promise<[First, Second]> {
  const answers: unknown[] = []
  for await (const [answer] of on(worker, 'message') as AsyncIterable<[unknown]>) {
    answers.push(answer)
    if (answers.length === 2) break
  }
  return answers as [First, Second]
}

/** Lets a worker die some time after it said that it has begun; answers which thread that was. */
async function killWorker(worker: Worker, message: string, after_ms = 0): Promise<number> {
  const thread = worker.threadId
  assert.equal(await answerOf(worker), message)
  await new Promise((resolve) => setTimeout(resolve, after_ms))
  await worker.terminate()
  return thread
}

if (isMainThread) {
  test('a block of any size is found again as it was written', () => {
    const cache = openBlockCache(createBlockCache({ bytes: 64 * mib }))
    for (const [block, bytes] of blockSizes.entries()) fill(cache, keyOf(block), bytes)
    for (const [block, bytes] of blockSizes.entries()) assert.ok(isKept(cache, keyOf(block), bytes), `${bytes} bytes`)
    const { hits, misses, bypasses, evictions } = cache.statistics()
    assert.deepEqual({ hits, misses, bypasses, evictions }, { hits: 9, misses: 9, bypasses: 0, evictions: 0 })
  })

  test('a key is compared in full: file, level, block and length', () => {
    const cache = openBlockCache(createBlockCache({ bytes: 16 * mib }))
    fill(cache, { file: 4_294_967_295, level: 1023, block: 4_194_303 }, 1000)
    assert.ok(isKept(cache, { file: 4_294_967_295, level: 1023, block: 4_194_303 }, 1000))
    assert.ok(!cache.find({ file: 4_294_967_294, level: 1023, block: 4_194_303 }, 1000))
    assert.ok(!cache.find({ file: 4_294_967_295, level: 1022, block: 4_194_303 }, 1000))
    assert.ok(!cache.find({ file: 4_294_967_295, level: 1023, block: 4_194_302 }, 1000))
    assert.ok(!cache.find({ file: 4_294_967_295, level: 1023, block: 4_194_303 }, 1001))
  })

  test('a block that does not fit is decoded privately', () => {
    const cache = openBlockCache(createBlockCache({ bytes: 16 * mib }))
    assert.equal(cache.acquire(keyOf(1), 8 * mib + 1), null)
    assert.equal(cache.acquire(keyOf(1), 0), null)
    assert.equal(cache.acquire(keyOf(1), 1.5), null)
    assert.equal(cache.acquire(keyOf(-1), 1), null)
    assert.equal(cache.acquire(keyOf(4_194_304), 1), null)
    assert.equal(cache.acquire(keyOf(1, 4_294_967_296), 1), null)
    assert.equal(cache.acquire(keyOf(1, 1, 1024), 1), null)
    assert.equal(cache.statistics().bypasses, 7)
    assert.equal(openBlockCache(createBlockCache({ bytes: 8 * mib - 1 })).acquire(keyOf(1), 1), null)
  })

  test('the longest unused block goes first', () => {
    const cache = openBlockCache(createBlockCache({ bytes: 8 * mib }))
    for (let block = 0; block < 8; block++) fill(cache, keyOf(block), mib)
    assert.ok(isKept(cache, keyOf(0), mib))
    fill(cache, keyOf(8), mib)
    fill(cache, keyOf(9), mib)
    const kept = Array.from({ length: 10 }, (_, block) => isKept(cache, keyOf(block), mib))
    assert.deepEqual(kept, [true, false, false, true, true, true, true, true, true, true])
    assert.equal(cache.statistics().evictions, 2)
  })

  test('a whole cache of one size gives way to another size', () => {
    const cache = openBlockCache(createBlockCache({ bytes: 32 * mib }))
    for (let block = 0; block < 32; block++) fill(cache, keyOf(block), mib)
    for (let block = 100; block < 108; block++) fill(cache, keyOf(block), 4 * mib)
    for (let block = 100; block < 108; block++) assert.ok(isKept(cache, keyOf(block), 4 * mib))
    for (let block = 0; block < 32; block++) assert.ok(!cache.find(keyOf(block), mib))
    for (let block = 0; block < 8; block++) fill(cache, keyOf(block, 2), mib)
    const left = [100, 101, 102, 103, 104, 105, 106, 107].filter((block) => isKept(cache, keyOf(block), 4 * mib))
    assert.ok(left.length >= 4, `${left.length} of 8 blocks of the other size are left`)
  })

  test('a block that is read stays, and when all are read no slot is free', () => {
    const cache = openBlockCache(createBlockCache({ bytes: 8 * mib }))
    for (let block = 0; block < 8; block++) fill(cache, keyOf(block), mib)
    const held = Array.from({ length: 8 }, (_, block) => cache.find(keyOf(block), mib)!)
    const again = cache.find(keyOf(3), mib)!
    assert.equal(cache.acquire(keyOf(8), mib), null)
    assert.equal(cache.acquire(keyOf(9), 2 * mib), null)
    held[3]!.release()
    held[3]!.release()
    assert.equal(cache.acquire(keyOf(8), mib), null, 'block 3 is held twice')
    again.release()
    fill(cache, keyOf(8), mib)
    for (const [block, hit] of held.entries()) if (block !== 3) checkFilled(hit.data, keyOf(block))
    assert.ok(!cache.find(keyOf(3), mib))
  })

  test('an abandoned block is decoded by the next reader; its own thread does not wait for itself', () => {
    const cache = openBlockCache(createBlockCache({ bytes: 8 * mib }))
    const first = cache.acquire(keyOf(1), mib) as BlockReservation
    assert.equal(cache.acquire(keyOf(1), mib), null)
    first.abandon()
    first.publish()
    assert.equal(cache.find(keyOf(1), mib), null)
    fill(cache, keyOf(1), mib)
    assert.ok(isKept(cache, keyOf(1), mib))
  })

  test('a reader that closes the cache leaves no block locked', () => {
    const handle = createBlockCache({ bytes: 8 * mib })
    const other = openBlockCache(handle, { wait_ms: 0 })
    const leaving = openBlockCache(handle)
    for (let block = 0; block < 7; block++) fill(leaving, keyOf(block), mib)
    for (let block = 0; block < 7; block++) leaving.find(keyOf(block), mib)
    const late = leaving.acquire(keyOf(7), mib) as BlockReservation
    assert.equal(other.acquire(keyOf(7), mib), null)
    leaving.close()
    late.publish()
    assert.equal(leaving.acquire(keyOf(0), mib), null)
    for (let block = 10; block < 18; block++) fill(other, keyOf(block), mib)
    for (let block = 10; block < 18; block++) assert.ok(isKept(other, keyOf(block), mib))
  })

  test('128 readers may open a cache, one more finds nothing until another closes it', () => {
    const handle = createBlockCache({ bytes: 8 * mib })
    const caches = Array.from({ length: 129 }, () => openBlockCache(handle))
    fill(caches[127]!, keyOf(1), 10)
    const hits = caches.slice(0, 128).map((cache) => cache.find(keyOf(1), 10)!)
    assert.equal(caches[128]!.acquire(keyOf(1), 10), null)
    for (const hit of hits) hit.release()
    caches[77]!.close()
    assert.ok(isKept(openBlockCache(handle), keyOf(1), 10))
  })

  test('several threads fill and read at random and never see a wrong byte', async () => {
    for (const bytes of [16 * mib, 64 * mib]) {
      const handle = createBlockCache({ bytes })
      const workers = [1, 2, 3].map((seed) => startWorker(handle, 'exercise', seed))
      const seen = await Promise.all(
        workers.map(async (worker) => {
          const [begin, counts] = await twoAnswersOf<string, Record<string, number>>(worker)
          assert.equal(begin, 'begins')
          return counts
        }),
      )
      const sum = (name: string) => seen.reduce((total, each) => total + each[name]!, 0)
      assert.equal(sum('hit') + sum('fill') + sum('bypass'), 9000)
      assert.ok(sum('hit') > 500 && sum('fill') > 100, JSON.stringify(seen))
      const { hits, misses, bypasses } = openBlockCache(handle).statistics()
      assert.deepEqual([hits, misses, bypasses], [sum('hit'), sum('fill'), sum('bypass')])
    }
  })

  test('no block is decoded twice, however many threads request it at once', async () => {
    const handle = createBlockCache({ bytes: 128 * mib })
    const decoded = await Promise.all(
      [1, 2, 3].map((seed) => answerOf<number>(startWorker(handle, 'everyBlock', seed))),
    )
    assert.equal(
      decoded.reduce((sum, each) => sum + each, 0),
      300,
    )
  })

  test('a worker that dies while writing delays the others once, and is forgotten', async () => {
    const handle = createBlockCache({ bytes: 8 * mib })
    const cache = openBlockCache(handle, { wait_ms: 30 })
    fill(cache, keyOf(2), mib)
    const thread = await killWorker(startWorker(handle, 'stall'), 'stalled')
    assert.equal(cache.acquire(keyOf(1), mib), null)
    assert.equal(cache.acquire(keyOf(1), mib), null)
    assert.equal(cache.statistics().waits, 1)
    for (let block = 10; block < 30; block++) fill(cache, keyOf(block), mib)
    assert.ok(isKept(cache, keyOf(2), mib), 'the dead worker still reads it')

    cache.forget(thread)
    fill(cache, keyOf(1), mib)
    assert.ok(isKept(cache, keyOf(1), mib))
    for (let block = 30; block < 38; block++) fill(cache, keyOf(block), mib)
    for (let block = 30; block < 38; block++) assert.ok(isKept(cache, keyOf(block), mib))
    assert.ok(!cache.find(keyOf(2), mib))
  })

  test('workers that die at any moment leave a whole cache', async () => {
    const handle = createBlockCache({ bytes: 16 * mib })
    const cache = openBlockCache(handle, { wait_ms: 0 })
    for (let round = 1; round <= 4; round++) {
      const [one, other] = [startWorker(handle, 'exercise', round), startWorker(handle, 'exercise', -round)]
      const dead = await Promise.all([killWorker(one, 'begins', round * 7), killWorker(other, 'begins', round * 5)])
      for (const thread of dead) cache.forget(thread)
      for (const [size, bytes] of blockSizes.entries()) {
        for (let block = bytes < mib ? 0 : 190; block < 200; block++) fill(cache, keyOf(block, round, size), bytes)
      }
      const last = [keyOf(198, round, 8), keyOf(199, round, 8)]
      assert.ok(last.every((key) => isKept(cache, key, 8 * mib)))
    }
  })
}
