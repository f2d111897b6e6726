import {
  CHANGING,
  CLAIMED,
  CLOCK,
  EMPTY,
  FRAME_TICK,
  KEY_A,
  KEY_B,
  LENGTH,
  OVERDUE,
  PINS,
  PIN_WORDS,
  READY,
  SLOT_SIZES,
  TICK,
  WRITING,
  frameAt,
  frameOf,
  frameWord,
  ownerOf,
  sizeOf,
  sizeOfFrame,
  slotAt,
  slotWord,
  slotsOf,
  stateOf,
} from './block-layout.ts'
import type { CacheMemory } from './block-layout.ts'

/** What is looked for: two key words that are compared in full, and where it may lie. */
export interface WantedBlock {
  readonly a: number
  readonly b: number
  readonly bytes: number
  /** Its place in the list of slot sizes, plus one. */
  readonly size: number
  /** 32 bits, unsigned. */
  readonly hash: number
}

/*
 * The rules by which threads share a slot:
 * - Only a compare-exchange of its first word from `empty` or `ready` to `claimed` gives it to an owner, who alone
 *   changes it then (others may turn `writing` into `overdue`, which says the same).
 * - A reader sets its pin, then looks whether the slot is `ready` with the right key; an owner claims a `ready` slot, then
 *   looks for pins. One of both sees the other, and steps back.
 * - The size is part of the word, so a thread that does not know yet that the frame has changed claims nothing; and who
 *   claimed a slot looks whether its frame has that size. A frame changes only while one thread owns all of its slots.
 */

/**
 * The positions of the slots in which the block may lie, of frames that have its size at this moment. A frame that is
 * being changed keeps its size until all of its slots are claimed, and may yet stay as it is.
 */
function waysOf(memory: CacheMemory, { size, hash }: WantedBlock): number[] {
  const ways: number[] = []
  for (const frame of framesOf(memory, size, hash)) {
    const word = Atomics.load(memory.words, frameAt(frame))
    if (sizeOfFrame(word) === size) ways.push(...waysIn(memory, frame, size, hash))
  }
  return ways
}

function framesOf({ frames }: CacheMemory, size: number, hash: number): number[] {
  const reach = Math.min(SLOT_SIZES[size - 1]!.frames, frames)
  return Array.from({ length: reach }, (_, step) => (hash + step) % frames)
}

function waysIn({ frames }: CacheMemory, frame: number, size: number, hash: number): number[] {
  const { slots, ways } = SLOT_SIZES[size - 1]!
  const first = ((hash >>> 24) % (slots / ways)) * ways
  return Array.from({ length: ways }, (_, way) => slotAt(frames, frame, first + way))
}

/**
 * The position of the slot that holds the block, or will once it is written; -1 for none. A slot that is being claimed
 * still counts: its owner may step back.
 */
export function findWay(memory: CacheMemory, block: WantedBlock): number {
  return waysOf(memory, block).find((at) => holdsBlock(memory, at, block)) ?? -1
}

function holdsBlock({ words }: CacheMemory, at: number, block: WantedBlock): boolean {
  const word = Atomics.load(words, at)
  return (
    stateOf(word) !== EMPTY &&
    sizeOf(word) === block.size &&
    Atomics.load(words, at + KEY_A) === block.a &&
    Atomics.load(words, at + KEY_B) === block.b &&
    Atomics.load(words, at + LENGTH) === block.bytes
  )
}

/** Pins a slot for a seat; false where it does not hold the block (any more). */
export function pinWay(memory: CacheMemory, seat: number, at: number, block: WantedBlock): boolean {
  const { words } = memory
  const ready = slotWord(READY, block.size)
  if (Atomics.load(words, at) !== ready) return false
  Atomics.or(words, at + PINS + (seat >> 5), 1 << (seat & 31))
  if (Atomics.load(words, at) === ready && holdsBlock(memory, at, block)) {
    touch(memory, at)
    return true
  }
  clearPin(memory, seat, at)
  return false
}

export function clearPin({ words }: CacheMemory, seat: number, at: number): void {
  Atomics.and(words, at + PINS + (seat >> 5), ~(1 << (seat & 31)))
}

function isPinned({ words }: CacheMemory, at: number): boolean {
  for (let word = 0; word < PIN_WORDS; word++) if (Atomics.load(words, at + PINS + word) !== 0) return true
  return false
}

/** Notes that a block was asked for. */
export function touch(memory: CacheMemory, at: number): void {
  const now = (Atomics.add(memory.words, CLOCK, 1) + 1) | 0
  Atomics.store(memory.words, at + TICK, now)
  Atomics.store(memory.words, frameAt(frameOf(memory, at)) + FRAME_TICK, now)
}

export interface ClaimedWay {
  readonly at: number
  /** True where another block (or a frame of others) had to go. */
  readonly evicted: boolean
}

/**
 * Claims a slot for a block that is nowhere yet and marks it as being written; null where all of them are in use. The
 * caller holds the lock of the block's hash, so that no other thread claims a second slot for the same block.
 */
export function claimWay(memory: CacheMemory, seat: number, block: WantedBlock): ClaimedWay | null {
  const { words } = memory
  const frames = framesOf(memory, block.size, block.hash)
  const empty = waysOf(memory, block).filter((at) => stateOf(Atomics.load(words, at)) === EMPTY)
  for (const at of empty)
    if (takeSlot(memory, seat, at, block.size) !== null) return writeKey(memory, seat, at, block, false)
  for (const frame of frames.filter((frame) => Atomics.load(words, frameAt(frame)) === frameWord(0))) {
    const at = takeFrame(memory, seat, frame, block)
    if (at !== null) return writeKey(memory, seat, at, block, false)
  }
  for (const { take } of byAge(memory, seat, frames, block)) {
    const at = take()
    if (at !== null) return writeKey(memory, seat, at, block, true)
  }
  return null
}

interface Victim {
  readonly tick: number
  readonly take: () => number | null
}

/** What may go, the longest unused first: blocks of the same size, and whole frames of another. */
function byAge(memory: CacheMemory, seat: number, frames: readonly number[], block: WantedBlock): Victim[] {
  const { words } = memory
  const blocks = waysOf(memory, block).map((at): Victim => ({
    tick: Atomics.load(words, at + TICK),
    take: () => (takeSlot(memory, seat, at, block.size) === null ? null : at),
  }))
  const others = frames
    .filter((frame) => Atomics.load(words, frameAt(frame)) !== frameWord(block.size))
    .map((frame): Victim => ({
      tick: Atomics.load(words, frameAt(frame) + FRAME_TICK),
      take: () => takeFrame(memory, seat, frame, block),
    }))
  // The clock turns over: only differences count.
  const now = Atomics.load(words, CLOCK)
  return [...blocks, ...others].sort((one, other) => ((now - other.tick) | 0) - ((now - one.tick) | 0))
}

/** Claims an empty slot or one that nobody reads; answers the word that it had, or null. */
function takeSlot(memory: CacheMemory, seat: number, at: number, size: number): number | null {
  const { words } = memory
  const word = Atomics.load(words, at)
  if (!isFree(memory, at, size, word)) return null
  if (Atomics.compareExchange(words, at, word, slotWord(CLAIMED, size, seat)) !== word) return null
  const frame = Atomics.load(words, frameAt(frameOf(memory, at)))
  if (!isPinned(memory, at) && sizeOfFrame(frame) === size) return word
  Atomics.store(words, at, word)
  return null
}

function isFree(memory: CacheMemory, at: number, size: number, word: number): boolean {
  return (word === slotWord(EMPTY, size) || word === slotWord(READY, size)) && !isPinned(memory, at)
}

/** Gives a frame the size of the block if nobody uses it, and claims one of its slots. */
function takeFrame(memory: CacheMemory, seat: number, frame: number, block: WantedBlock): number | null {
  const { words } = memory
  const place = frameAt(frame)
  const before = Atomics.load(words, place)
  const size = sizeOfFrame(before)
  if ((before & CHANGING) !== 0 || size === block.size) return null
  if (!slotsInUse(memory, frame, size).every((at) => isFree(memory, at, size, Atomics.load(words, at)))) return null
  if (Atomics.compareExchange(words, place, before, frameWord(size, CHANGING, seat)) !== before) return null
  if (!emptyFrame(memory, seat, frame, size)) {
    Atomics.store(words, place, before)
    return null
  }
  // From here on the frame has no size: whoever dies now leaves a frame that can be cleared.
  Atomics.store(words, place, frameWord(0, CHANGING, seat))
  const { slots } = SLOT_SIZES[block.size - 1]!
  for (const [slot, at] of slotsOf(memory, frame).entries()) {
    Atomics.store(words, at, slot < slots ? slotWord(EMPTY, block.size) : 0)
  }
  Atomics.store(words, place, frameWord(block.size))
  return (
    waysIn(memory, frame, block.size, block.hash).find((at) => takeSlot(memory, seat, at, block.size) !== null) ?? null
  )
}

const slotsInUse = (memory: CacheMemory, frame: number, size: number): number[] =>
  slotsOf(memory, frame).slice(0, SLOT_SIZES[size - 1]?.slots ?? 0)

/** Claims every slot of a frame, or none. */
function emptyFrame(memory: CacheMemory, seat: number, frame: number, size: number): boolean {
  const taken: [at: number, word: number][] = []
  for (const at of slotsInUse(memory, frame, size)) {
    const word = takeSlot(memory, seat, at, size)
    if (word === null) {
      for (const [other, before] of taken) Atomics.store(memory.words, other, before)
      return false
    }
    taken.push([at, word])
  }
  return true
}

function writeKey(memory: CacheMemory, seat: number, at: number, block: WantedBlock, evicted: boolean): ClaimedWay {
  const { words } = memory
  Atomics.store(words, at + KEY_A, block.a)
  Atomics.store(words, at + KEY_B, block.b)
  Atomics.store(words, at + LENGTH, block.bytes)
  touch(memory, at)
  Atomics.store(words, at, slotWord(WRITING, block.size, seat))
  return { at, evicted }
}

/** Takes everything back that a seat holds: its pins, the slots that it was writing, the frames that it was changing. */
export function vacateWays(memory: CacheMemory, seat: number): void {
  const { words } = memory
  for (let frame = 0; frame < memory.frames; frame++) {
    const place = frameAt(frame)
    const ofFrame = Atomics.load(words, place)
    const changing = (ofFrame & CHANGING) !== 0 && ownerOf(ofFrame) === seat
    const sizeless = changing && sizeOfFrame(ofFrame) === 0
    for (const at of slotsOf(memory, frame)) {
      clearPin(memory, seat, at)
      const word = Atomics.load(words, at)
      const owned = [CLAIMED, WRITING, OVERDUE].includes(stateOf(word)) && ownerOf(word) === seat
      // While a frame has no size, a slot that looked empty could be claimed by a thread that remembers the old one.
      if (sizeless) Atomics.store(words, at, 0)
      else if (owned) settle(memory, at, slotWord(EMPTY, sizeOf(word)))
    }
    if (changing) Atomics.store(words, place, frameWord(sizeOfFrame(ofFrame)))
  }
}

/** Ends the writing of a slot with its new first word and wakes whoever waits for it. */
export function settle({ words }: CacheMemory, at: number, word: number): void {
  Atomics.store(words, at, word)
  Atomics.notify(words, at)
}
