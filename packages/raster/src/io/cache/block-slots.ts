import {
  cache_clock_word_index,
  slot_state_empty,
  cache_frame_bytes,
  slot_key_a_word_index,
  slot_key_b_word_index,
  slot_length_word_index,
  first_pin_word_index,
  pin_word_count,
  slot_state_ready,
  cacheSlotSizes,
  cache_tick_word_index,
  slot_state_writing,
  findFrameWordIndex,
  findSlotWordIndex,
  countSlotsPerFrame,
  decodeSlotState,
  encodeSlotStateWord,
  decodeSlotWriter,
} from './block-layout.ts'

/** A block as the cache names it: two key words, compared in full, and the frames in which it may be. */
export interface WantedCacheBlock {
  readonly a: number
  readonly b: number
  readonly bytes: number
  /** Its place in the list of slot sizes, plus one. */
  readonly size: number
  /** 32 bits, unsigned. */
  readonly hash: number
}

export interface BlockCacheMemory {
  readonly words: Int32Array<SharedArrayBuffer>
  readonly data: SharedArrayBuffer
  readonly frames: number
}

export interface CacheSlot {
  /** Position of the header. */
  readonly at: number
  readonly frame: number
  readonly index: number
}

/*
 * All functions but `clearSlotPin` and `releaseReaderSlots` are called by the thread that holds the lock. A thread may be terminated
 * at any step: a header is `slot_state_empty` while it is changed, and gets its state last, so every step leaves a valid table.
 */

/** The frames in which a block may be. */
const framesOf = ({ frames }: BlockCacheMemory, { size, hash }: WantedCacheBlock): number[] =>
  Array.from({ length: Math.min(cacheSlotSizes[size - 1]!.frames, frames) }, (_, step) => (hash + step) % frames)

const slotsOf = ({ frames, words }: BlockCacheMemory, frame: number): CacheSlot[] => {
  const size = words[findFrameWordIndex(frame)]!
  const count = size === 0 ? 0 : countSlotsPerFrame(size)
  return Array.from({ length: count }, (_, index) => ({ at: findSlotWordIndex(frames, frame, index), frame, index }))
}

/** The slot that holds the block, or is being written with it. */
export function findBlockSlot({ words, ...memory }: BlockCacheMemory, block: WantedCacheBlock): CacheSlot | null {
  for (const frame of framesOf({ words, ...memory }, block)) {
    if (words[findFrameWordIndex(frame)] !== block.size) continue
    for (let index = 0; index < countSlotsPerFrame(block.size); index++) {
      const at = findSlotWordIndex(memory.frames, frame, index)
      const isSame =
        words[at + slot_key_a_word_index] === block.a &&
        words[at + slot_key_b_word_index] === block.b &&
        words[at + slot_length_word_index] === block.bytes
      if (isSame && words[at] !== slot_state_empty) return { at, frame, index }
    }
  }
  return null
}

/** The bytes of a slot, as many as its block has. */
export const getSlotBytes = (
  memory: BlockCacheMemory,
  { frame, index }: CacheSlot,
  block: WantedCacheBlock,
): Uint8Array<SharedArrayBuffer> =>
  new Uint8Array(memory.data, frame * cache_frame_bytes + index * cacheSlotSizes[block.size - 1]!.bytes, block.bytes)

export function pinSlot({ words }: BlockCacheMemory, reader: number, { at }: CacheSlot): void {
  Atomics.or(words, at + first_pin_word_index + (reader >> 5), 1 << (reader & 31))
}

export function clearSlotPin({ words }: BlockCacheMemory, reader: number, at: number): void {
  Atomics.and(words, at + first_pin_word_index + (reader >> 5), ~(1 << (reader & 31)))
}

/** Notes that a block was used. */
export function recordSlotUse({ words }: BlockCacheMemory, { at }: CacheSlot): void {
  words[at + cache_tick_word_index] = Atomics.add(words, cache_clock_word_index, 1) + 1
}

/** True where a slot is empty, or has a block that nobody reads. */
function isFree(words: Int32Array, at: number): boolean {
  const state = decodeSlotState(Atomics.load(words, at))
  if (state !== slot_state_empty && state !== slot_state_ready) return false
  for (let word = 0; word < pin_word_count; word++)
    if (Atomics.load(words, at + first_pin_word_index + word) !== 0) return false
  return true
}

/**
 * Takes a slot for a block that is in none and marks it as being written; null if all are in use. An empty slot is taken
 * first, then a frame without a size, then what was not used for the longest time: one block, or a frame of another size.
 */
export function takeSlotForBlock(
  memory: BlockCacheMemory,
  reader: number,
  block: WantedCacheBlock,
): { readonly slot: CacheSlot; readonly evicted: boolean } | null {
  const { words } = memory
  const frames = framesOf(memory, block)
  const same = frames
    .filter((frame) => words[findFrameWordIndex(frame)] === block.size)
    .flatMap((frame) => slotsOf(memory, frame))
  const empty = same.find(({ at }) => Atomics.load(words, at) === slot_state_empty && isFree(words, at))
  if (empty) return { slot: write(memory, reader, empty, block), evicted: false }
  const unused = frames.find((frame) => words[findFrameWordIndex(frame)] === 0)
  if (unused !== undefined) return { slot: write(memory, reader, resize(memory, unused, block), block), evicted: false }
  // The clock turns over: only differences count.
  const ageOf = ({ at }: CacheSlot): number => (words[cache_clock_word_index]! - words[at + cache_tick_word_index]!) | 0
  const blocks = same.filter(({ at }) => isFree(words, at)).map((slot) => ({ age: ageOf(slot), take: () => slot }))
  const others = frames
    .filter((frame) => words[findFrameWordIndex(frame)] !== block.size)
    .map((frame) => ({ frame, slots: slotsOf(memory, frame) }))
    .filter(({ slots }) => slots.every(({ at }) => isFree(words, at)))
    .map(({ frame, slots }) => ({ age: Math.min(...slots.map(ageOf)), take: () => resize(memory, frame, block) }))
  const [oldest] = [...blocks, ...others].sort((one, other) => other.age - one.age)
  return oldest ? { slot: write(memory, reader, oldest.take(), block), evicted: true } : null
}

/** Gives a frame, of which no slot is used, the size of the block; its first slot. */
function resize(memory: BlockCacheMemory, frame: number, block: WantedCacheBlock): CacheSlot {
  for (const { at } of slotsOf(memory, frame)) Atomics.store(memory.words, at, slot_state_empty)
  Atomics.store(memory.words, findFrameWordIndex(frame), block.size)
  return { at: findSlotWordIndex(memory.frames, frame, 0), frame, index: 0 }
}

function write(memory: BlockCacheMemory, reader: number, slot: CacheSlot, block: WantedCacheBlock): CacheSlot {
  const { words } = memory
  Atomics.store(words, slot.at, slot_state_empty)
  words[slot.at + slot_key_a_word_index] = block.a
  words[slot.at + slot_key_b_word_index] = block.b
  words[slot.at + slot_length_word_index] = block.bytes
  recordSlotUse(memory, slot)
  Atomics.store(words, slot.at, encodeSlotStateWord(slot_state_writing, reader))
  return slot
}

/** Takes back all that a reader holds: its pins, and the slots that it was writing. */
export function releaseReaderSlots(memory: BlockCacheMemory, reader: number): void {
  for (let frame = 0; frame < memory.frames; frame++)
    for (const { at } of slotsOf(memory, frame)) {
      clearSlotPin(memory, reader, at)
      const word = Atomics.load(memory.words, at)
      if (decodeSlotState(word) >= slot_state_writing && decodeSlotWriter(word) === reader)
        finishSlotWrite(memory, at, slot_state_empty)
    }
}

/** Ends the writing of a slot and wakes the threads that wait for it. */
export function finishSlotWrite(
  { words }: BlockCacheMemory,
  at: number,
  state: typeof slot_state_ready | typeof slot_state_empty,
): void {
  Atomics.store(words, at, state)
  Atomics.notify(words, at)
}
