import { threadId } from 'node:worker_threads'
import {
  CLAIMED,
  COUNTS,
  EMPTY,
  LOCKS,
  LOCKS_AT,
  OVERDUE,
  READY,
  SEATS,
  SEATS_AT,
  SLOT_SIZES,
  WRITING,
  dataOf,
  ownerOf,
  slotWord,
  stateOf,
} from './block-layout.ts'
import type { BlockCacheHandle, CacheMemory } from './block-layout.ts'
import { claimWay, clearPin, findWay, pinWay, settle, touch, vacateWays } from './block-ways.ts'
import type { WantedBlock } from './block-ways.ts'

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
export interface BlockHit {
  readonly state: 'hit'
  readonly data: Uint8Array
  release(): void
}

/**
 * Room for a block that this thread is to decode. Others wait for it, so it ends by `publish` or
 * `abandon` (whichever comes second does nothing) before the thread does anything else. `data` is not ours afterwards.
 */
export interface BlockFill {
  readonly state: 'fill'
  readonly data: Uint8Array
  publish(): void
  abandon(): void
}

export type BlockCacheStatistics = Readonly<Record<(typeof COUNTS)[number], number>>

export interface BlockCache {
  /** The block, room for it, or null: decode it privately. `bytes` is the length of the decoded block, always the same. */
  acquire(key: BlockKey, bytes: number): BlockHit | BlockFill | null
  /** The block if it is there, without waiting or claiming room. */
  find(key: BlockKey, bytes: number): BlockHit | null
  /** Sums over all threads since the cache was made. */
  statistics(): BlockCacheStatistics
  /** Takes back what a thread held that has ended (`worker.threadId`, noted while it lived). */
  forget(thread: number): void
  /** Leaves the cache in good order; nothing is found afterwards. */
  close(): void
}

/** What one thread knows of the cache. */
interface Opened {
  readonly memory: CacheMemory
  /** -1 where all seats are taken, and after `close`. */
  seat: number
  readonly wait_ms: number
  /** How often this thread holds a slot, by position; it is pinned in shared memory once. */
  readonly held: Map<number, number>
  fills: number
  readonly count: (name: (typeof COUNTS)[number]) => void
}

const LOCK_WAIT_MS = 20
/** Claiming is a matter of microseconds, unless the claimer has died. */
const CLAIM_WAIT_MS = 1
/** A block may go between being seen and being pinned; more often than this it does not. */
const ROUNDS = 8

/**
 * Opens a block cache for this thread. `wait_ms` bounds how long one call waits for another thread that decodes the same
 * block. At most 128 openers at one time; one more finds nothing.
 */
export function openBlockCache(handle: BlockCacheHandle, { wait_ms = 200 }: { wait_ms?: number } = {}): BlockCache {
  const memory: CacheMemory = { ...handle, words: new Int32Array(handle.words) }
  const counts = new Float64Array(handle.counts)
  const seat = takeSeat(memory.words)
  const own = seat * COUNTS.length
  const opened: Opened = {
    memory,
    seat,
    wait_ms,
    held: new Map(),
    fills: 0,
    count: (name) => void (seat >= 0 && counts[own + COUNTS.indexOf(name)]!++),
  }
  return {
    acquire: (key, bytes) => {
      const block = opened.seat < 0 || memory.frames === 0 ? null : wantedBlock(key, bytes)
      const answer = block && acquireBlock(opened, block)
      opened.count(answer === null ? 'bypasses' : answer.state === 'hit' ? 'hits' : 'misses')
      return answer
    },
    find: (key, bytes) => {
      const block = opened.seat < 0 || memory.frames === 0 ? null : wantedBlock(key, bytes)
      const hit = block && holdBlock(opened, findWay(memory, block), block)
      if (hit) opened.count('hits')
      return hit
    },
    statistics: () => sumCounts(counts),
    forget: (thread) => {
      for (let other = 0; other < SEATS; other++) {
        if (Atomics.load(memory.words, SEATS_AT + other) === thread + 1) vacateSeat(memory, other)
      }
    },
    close: () => {
      if (opened.seat >= 0) vacateSeat(memory, opened.seat)
      opened.seat = -1
      opened.held.clear()
    },
  }
}

function acquireBlock(opened: Opened, block: WantedBlock): BlockHit | BlockFill | null {
  const { memory } = opened
  for (let round = 0; round < ROUNDS; round++) {
    const at = findWay(memory, block)
    if (at < 0) {
      const fill = fillBlock(opened, block)
      if (fill !== 'again') return fill
      continue
    }
    const hit = holdBlock(opened, at, block)
    if (hit) return hit
    const word = Atomics.load(memory.words, at)
    if (stateOf(word) === CLAIMED) Atomics.wait(memory.words, at, word, CLAIM_WAIT_MS)
    if (stateOf(word) === OVERDUE) return null
    if (stateOf(word) === WRITING && !waitForBlock(opened, at, word)) return null
  }
  return null
}

/** Waits until another thread has done with a slot; false where that thread is not to be waited for (any more). */
function waitForBlock({ memory: { words }, seat, wait_ms, fills, count }: Opened, at: number, word: number): boolean {
  // Two threads that each wait for what the other writes would never end: who writes does not wait.
  if (wait_ms === 0 || fills > 0 || ownerOf(word) === seat) return false
  count('waits')
  if (Atomics.wait(words, at, word, wait_ms) !== 'timed-out') return true
  if (Atomics.compareExchange(words, at, word, (word & ~7) | OVERDUE) === word) Atomics.notify(words, at)
  return false
}

/** Room for a block that is nowhere; `again` where another thread was faster. */
function fillBlock(opened: Opened, block: WantedBlock): BlockFill | null | 'again' {
  const { memory, seat } = opened
  const lock = LOCKS_AT + ((block.hash >>> 8) % LOCKS)
  if (!takeLock(opened, lock)) return null
  const claimed = findWay(memory, block) >= 0 ? 'again' : claimWay(memory, seat, block)
  Atomics.store(memory.words, lock, 0)
  Atomics.notify(memory.words, lock, 1)
  if (claimed === 'again' || claimed === null) return claimed
  if (claimed.evicted) opened.count('evictions')
  return fillOf(opened, claimed.at, block)
}

function takeLock({ memory: { words }, seat, wait_ms }: Opened, lock: number): boolean {
  const deadline = Math.min(LOCK_WAIT_MS, wait_ms)
  for (let round = 0; round < ROUNDS; round++) {
    const holder = Atomics.compareExchange(words, lock, 0, seat + 1)
    if (holder === 0) return true
    if (deadline > 0 && Atomics.wait(words, lock, holder, deadline) === 'timed-out') return false
  }
  return false
}

function fillOf(opened: Opened, at: number, block: WantedBlock): BlockFill {
  const { memory, seat } = opened
  const data = dataOf(memory, at, block.size, block.bytes)
  let open = true
  opened.fills++
  const end = (state: number): void => {
    if (!open) return
    open = false
    opened.fills--
    // After `close` the slot is no longer ours.
    if (opened.seat === seat) settle(memory, at, slotWord(state, block.size))
  }
  return {
    state: 'fill',
    data,
    publish: () => end(READY),
    abandon: () => end(EMPTY),
  }
}

function holdBlock(opened: Opened, at: number, block: WantedBlock): BlockHit | null {
  const { memory, seat, held } = opened
  const times = held.get(at) ?? 0
  // What this thread holds cannot have changed, and its pin must not be risked by trying again.
  if (times > 0) touch(memory, at)
  else if (at < 0 || !pinWay(memory, seat, at, block)) return null
  held.set(at, times + 1)
  return hitOf(opened, at, dataOf(memory, at, block.size, block.bytes))
}

function hitOf(opened: Opened, at: number, data: Uint8Array): BlockHit {
  let open = true
  return {
    state: 'hit',
    data,
    release: () => {
      if (open) letGo(opened, at)
      open = false
    },
  }
}

function letGo({ memory, seat, held }: Opened, at: number): void {
  const left = (held.get(at) ?? 0) - 1
  if (left > 0) held.set(at, left)
  else if (held.delete(at)) clearPin(memory, seat, at)
}

const MOST_LEVELS = 1024
const MOST_BLOCKS = 4_194_304
const MOST_FILES = 4_294_967_296

/** The block as the cache names it; null for one that it does not keep. */
function wantedBlock({ file, level, block }: BlockKey, bytes: number): WantedBlock | null {
  const size = SLOT_SIZES.findIndex((size) => bytes <= size.bytes) + 1
  const named = isBelow(file, MOST_FILES) && isBelow(level, MOST_LEVELS) && isBelow(block, MOST_BLOCKS)
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

function takeSeat(words: Int32Array): number {
  for (let seat = 0; seat < SEATS; seat++) {
    if (Atomics.compareExchange(words, SEATS_AT + seat, 0, threadId + 1) === 0) return seat
  }
  return -1
}

function vacateSeat(memory: CacheMemory, seat: number): void {
  vacateWays(memory, seat)
  for (let lock = LOCKS_AT; lock < LOCKS_AT + LOCKS; lock++) {
    if (Atomics.compareExchange(memory.words, lock, seat + 1, 0) === seat + 1) Atomics.notify(memory.words, lock)
  }
  Atomics.store(memory.words, SEATS_AT + seat, 0)
}

function sumCounts(counts: Float64Array): BlockCacheStatistics {
  const sums = COUNTS.map((name, place) => {
    let sum = 0
    for (let at = place; at < counts.length; at += COUNTS.length) sum += counts[at]!
    return [name, sum] as const
  })
  return Object.fromEntries(sums) as Record<(typeof COUNTS)[number], number>
}
