import { threadId } from 'node:worker_threads'
import {
  blockCacheCounterNames,
  slot_state_empty,
  cache_lock_word_index,
  max_cache_readers,
  slot_state_overdue,
  first_reader_word_index,
  slot_state_ready,
  cacheSlotSizes,
  decodeSlotState,
  encodeSlotStateWord,
  slot_state_writing,
  decodeSlotWriter,
} from './block-layout.ts'
import type { BlockCacheHandle } from './block-layout.ts'
import {
  clearSlotPin,
  getSlotBytes,
  findBlockSlot,
  finishSlotWrite,
  pinSlot,
  releaseReaderSlots,
  takeSlotForBlock,
  recordSlotUse,
} from './block-slots.ts'
import type { BlockCacheMemory, CacheSlot, WantedCacheBlock } from './block-slots.ts'

export { createBlockCache } from './block-layout.ts'
export type { BlockCacheHandle } from './block-layout.ts'

/**
 * A block of one file: `file` is the number that the header cache gave it (32 bits), `level` below 1024 (masks have
 * numbers of their own), `block` its place in the level's block table, below 4,194,304.
 */
export interface BlockKey {
  readonly file: number
  readonly level: number
  readonly block: number
}

/** A decoded block that stays where it is until `release`. Not to be written to. */
export interface CachedBlock {
  readonly state: 'hit'
  readonly data: Uint8Array
  release(): void
}

/**
 * Space for a block that this thread is to decode. Others wait for it, so it ends by `publish` or
 * `abandon` (whichever comes second does nothing) before the thread does anything else. `data` is not ours afterwards.
 */
export interface BlockReservation {
  readonly state: 'fill'
  readonly data: Uint8Array
  publish(): void
  abandon(): void
}

export type BlockCacheStatistics = Readonly<Record<(typeof blockCacheCounterNames)[number], number>>

export interface BlockCache {
  /** The block, space for it, or null: decode it privately. `bytes` is the length of the decoded block, always the same. */
  acquire(key: BlockKey, bytes: number): CachedBlock | BlockReservation | null
  /** The block if it is there, without waiting or taking space. */
  find(key: BlockKey, bytes: number): CachedBlock | null
  /** Sums over all threads since the cache was made. */
  statistics(): BlockCacheStatistics
  /** Releases the blocks that a thread held which has ended (its `worker.threadId`, read while it ran). */
  forget(thread: number): void
  /** Leaves the cache in good order; nothing is found afterwards. */
  close(): void
}

/** The state of one thread that has opened the cache. */
interface Opened {
  readonly memory: BlockCacheMemory
  /** -1 if there are too many readers, and after `close`. */
  reader: number
  readonly wait_ms: number
  /** Number of holds of this thread on each slot, by position; a slot is pinned in shared memory once. */
  readonly held: Map<number, number>
  fills: number
  readonly count: (name: (typeof blockCacheCounterNames)[number]) => void
}

/** The lock is held for microseconds, unless its holder was terminated. */
const lock_wait_ms = 20
/** Blocks may go while this thread waits; more often than this they do not. */
const max_rounds = 8

/**
 * Opens a block cache for this thread. `wait_ms` bounds how long one call waits for another thread that decodes the same
 * block. At most 128 readers at one time; one more finds nothing.
 */
export function openBlockCache(handle: BlockCacheHandle, { wait_ms = 200 }: { wait_ms?: number } = {}): BlockCache {
  const memory: BlockCacheMemory = { words: new Int32Array(handle.words), data: handle.data, frames: handle.frames }
  const counts = new Float64Array(handle.counts)
  const reader = enter(memory.words)
  const opened: Opened = {
    memory,
    reader,
    wait_ms,
    held: new Map(),
    fills: 0,
    count: (name) =>
      void (reader >= 0 && counts[reader * blockCacheCounterNames.length + blockCacheCounterNames.indexOf(name)]!++),
  }
  const wanted = (key: BlockKey, bytes: number): WantedCacheBlock | null =>
    opened.reader < 0 || memory.frames === 0 ? null : wantedBlock(key, bytes)
  return {
    acquire: (key, bytes) => {
      const block = wanted(key, bytes)
      const result = block && acquireBlock(opened, block)
      opened.count(result === null ? 'bypasses' : result.state === 'hit' ? 'hits' : 'misses')
      return result
    },
    find: (key, bytes) => {
      const block = wanted(key, bytes)
      const hit = block && withLock(opened, () => holdIfReady(opened, findBlockSlot(memory, block), block))
      if (hit) opened.count('hits')
      return hit
    },
    statistics: () => sumCounts(counts),
    forget: (thread) => {
      for (let other = 0; other < max_cache_readers; other++)
        if (Atomics.load(memory.words, first_reader_word_index + other) === thread + 1) leave(memory, other)
    },
    close: () => {
      if (opened.reader >= 0) leave(memory, opened.reader)
      opened.reader = -1
      opened.held.clear()
    },
  }
}

function acquireBlock(opened: Opened, block: WantedCacheBlock): CachedBlock | BlockReservation | null {
  const { memory } = opened
  for (let round = 0; round < max_rounds; round++) {
    const result = withLock(opened, () => {
      const slot = findBlockSlot(memory, block)
      if (slot) return holdIfReady(opened, slot, block) ?? slot
      const taken = takeSlotForBlock(memory, opened.reader, block)
      if (taken?.evicted) opened.count('evictions')
      return taken && startFill(opened, taken.slot, block)
    })
    if (result === null || 'state' in result) return result
    if (!waitForBlock(opened, result.at)) return null
  }
  return null
}

/** Runs a few steps that no other thread may see half done; null if the lock cannot be had. */
function withLock<Result>({ memory: { words }, reader, wait_ms }: Opened, steps: () => Result): Result | null {
  for (let round = 0; round < max_rounds; round++) {
    const holder = Atomics.compareExchange(words, cache_lock_word_index, 0, reader + 1)
    if (holder === 0) {
      try {
        return steps()
      } finally {
        unlock(words, reader)
      }
    }
    if (
      Atomics.wait(words, cache_lock_word_index, holder, Math.max(1, Math.min(lock_wait_ms, wait_ms))) === 'timed-out'
    )
      return null
  }
  return null
}

function unlock(words: Int32Array, reader: number): void {
  if (Atomics.compareExchange(words, cache_lock_word_index, reader + 1, 0) === reader + 1)
    Atomics.notify(words, cache_lock_word_index, 1)
}

/** Waits until another thread has finished a slot; false if that thread is not to be waited for (any more). */
function waitForBlock({ memory: { words }, reader, wait_ms, fills, count }: Opened, at: number): boolean {
  const word = Atomics.load(words, at)
  if (decodeSlotState(word) === slot_state_overdue) return false
  if (decodeSlotState(word) !== slot_state_writing) return true
  // Two threads that each wait for a block that the other writes would deadlock: a thread that writes does not wait.
  if (wait_ms === 0 || fills > 0 || decodeSlotWriter(word) === reader) return false
  count('waits')
  if (Atomics.wait(words, at, word, wait_ms) !== 'timed-out') return true
  const overdue = encodeSlotStateWord(slot_state_overdue, decodeSlotWriter(word))
  if (Atomics.compareExchange(words, at, word, overdue) === word) Atomics.notify(words, at)
  return false
}

function startFill(opened: Opened, slot: CacheSlot, block: WantedCacheBlock): BlockReservation {
  const { memory, reader } = opened
  let open = true
  opened.fills++
  const end = (state: typeof slot_state_ready | typeof slot_state_empty): void => {
    if (!open) return
    open = false
    opened.fills--
    // After `close` the slot belongs to this thread no more.
    if (opened.reader === reader) finishSlotWrite(memory, slot.at, state)
  }
  return {
    state: 'fill',
    data: getSlotBytes(memory, slot, block),
    publish: () => end(slot_state_ready),
    abandon: () => end(slot_state_empty),
  }
}

function holdIfReady(opened: Opened, slot: CacheSlot | null, block: WantedCacheBlock): CachedBlock | null {
  const { memory, reader, held } = opened
  if (!slot || Atomics.load(memory.words, slot.at) !== slot_state_ready) return null
  pinSlot(memory, reader, slot)
  recordSlotUse(memory, slot)
  held.set(slot.at, (held.get(slot.at) ?? 0) + 1)
  let open = true
  const release = (): void => {
    if (open) releaseSlot(opened, slot.at)
    open = false
  }
  return { state: 'hit', data: getSlotBytes(memory, slot, block), release }
}

function releaseSlot({ memory, reader, held }: Opened, at: number): void {
  const left = (held.get(at) ?? 0) - 1
  if (left > 0) held.set(at, left)
  else if (held.delete(at)) clearSlotPin(memory, reader, at)
}

/** Bits of a key; `file` has a word of its own. */
const max_levels = 1024
const max_blocks = 4_194_304
const max_files = 4_294_967_296

/** The block as the cache names it; null for one that it does not keep. */
function wantedBlock({ file, level, block }: BlockKey, bytes: number): WantedCacheBlock | null {
  const size = cacheSlotSizes.findIndex((size) => bytes <= size.bytes) + 1
  const named = isBelow(file, max_files) && isBelow(level, max_levels) && isBelow(block, max_blocks)
  if (size === 0 || !named || !Number.isInteger(bytes) || bytes < 1) return null
  const a = file | 0
  const b = (level << 22) | block
  return { a, b, bytes, size, hash: mix(a, b) }
}

const isBelow = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end

// The finalizer of MurmurHash3 (Appleby, public domain), once for each key word.
function mix(a: number, b: number): number {
  return stir(stir(a) ^ b) >>> 0
}

function stir(value: number): number {
  const one = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const two = Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return two ^ (two >>> 16)
}

/** A number for this thread, unless all are taken. */
function enter(words: Int32Array): number {
  for (let reader = 0; reader < max_cache_readers; reader++)
    if (Atomics.compareExchange(words, first_reader_word_index + reader, 0, threadId + 1) === 0) return reader
  return -1
}

function leave(memory: BlockCacheMemory, reader: number): void {
  releaseReaderSlots(memory, reader)
  unlock(memory.words, reader)
  Atomics.store(memory.words, first_reader_word_index + reader, 0)
}

function sumCounts(counts: Float64Array): BlockCacheStatistics {
  const sums = blockCacheCounterNames.map((name, place) => {
    let sum = 0
    for (let at = place; at < counts.length; at += blockCacheCounterNames.length) sum += counts[at]!
    return [name, sum] as const
  })
  return Object.fromEntries(sums) as Record<(typeof blockCacheCounterNames)[number], number>
}
