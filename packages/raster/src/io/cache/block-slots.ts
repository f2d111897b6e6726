import {
  clock_word,
  slot_empty,
  frame_bytes,
  key_a_word,
  key_b_word,
  length_word,
  first_pin_word,
  pin_words,
  slot_ready,
  slotSizes,
  tick_word,
  slot_writing,
  frameAt,
  slotAt,
  slotsPerFrame,
  stateOf,
  stateWord,
  writerOf,
} from './block-layout.ts'

/** A block as the cache names it: two key words, compared in full, and the frames in which it may be. */
export interface WantedBlock {
  readonly a: number
  readonly b: number
  readonly bytes: number
  /** Its place in the list of slot sizes, plus one. */
  readonly size: number
  /** 32 bits, unsigned. */
  readonly hash: number
}

export interface CacheMemory {
  readonly words: Int32Array<SharedArrayBuffer>
  readonly data: SharedArrayBuffer
  readonly frames: number
}

export interface Slot {
  /** Position of the header. */
  readonly at: number
  readonly frame: number
  readonly index: number
}

/*
 * All functions but `clearPin` and `releaseReader` are called by the thread that holds the lock. A thread may be terminated
 * at any step: a header is `slot_empty` while it is changed, and gets its state last, so every step leaves a valid table.
 */

/** The frames in which a block may be. */
const framesOf = ({ frames }: CacheMemory, { size, hash }: WantedBlock): number[] =>
  Array.from({ length: Math.min(slotSizes[size - 1]!.frames, frames) }, (_, step) => (hash + step) % frames)

const slotsOf = ({ frames, words }: CacheMemory, frame: number): Slot[] => {
  const size = words[frameAt(frame)]!
  const count = size === 0 ? 0 : slotsPerFrame(size)
  return Array.from({ length: count }, (_, index) => ({ at: slotAt(frames, frame, index), frame, index }))
}

/** The slot that holds the block, or is being written with it. */
export function findSlot({ words, ...memory }: CacheMemory, block: WantedBlock): Slot | null {
  for (const frame of framesOf({ words, ...memory }, block)) {
    if (words[frameAt(frame)] !== block.size) continue
    for (let index = 0; index < slotsPerFrame(block.size); index++) {
      const at = slotAt(memory.frames, frame, index)
      const isSame =
        words[at + key_a_word] === block.a &&
        words[at + key_b_word] === block.b &&
        words[at + length_word] === block.bytes
      if (isSame && words[at] !== slot_empty) return { at, frame, index }
    }
  }
  return null
}

/** The bytes of a slot, as many as its block has. */
export const dataOf = (
  memory: CacheMemory,
  { frame, index }: Slot,
  block: WantedBlock,
): Uint8Array<SharedArrayBuffer> =>
  new Uint8Array(memory.data, frame * frame_bytes + index * slotSizes[block.size - 1]!.bytes, block.bytes)

export function pin({ words }: CacheMemory, reader: number, { at }: Slot): void {
  Atomics.or(words, at + first_pin_word + (reader >> 5), 1 << (reader & 31))
}

export function clearPin({ words }: CacheMemory, reader: number, at: number): void {
  Atomics.and(words, at + first_pin_word + (reader >> 5), ~(1 << (reader & 31)))
}

/** Notes that a block was used. */
export function touch({ words }: CacheMemory, { at }: Slot): void {
  words[at + tick_word] = Atomics.add(words, clock_word, 1) + 1
}

/** True where a slot is empty, or has a block that nobody reads. */
function isFree(words: Int32Array, at: number): boolean {
  const state = stateOf(Atomics.load(words, at))
  if (state !== slot_empty && state !== slot_ready) return false
  for (let word = 0; word < pin_words; word++) if (Atomics.load(words, at + first_pin_word + word) !== 0) return false
  return true
}

/**
 * Takes a slot for a block that is in none and marks it as being written; null if all are in use. An empty slot is taken
 * first, then a frame without a size, then what was not used for the longest time: one block, or a frame of another size.
 */
export function takeSlot(
  memory: CacheMemory,
  reader: number,
  block: WantedBlock,
): { readonly slot: Slot; readonly evicted: boolean } | null {
  const { words } = memory
  const frames = framesOf(memory, block)
  const same = frames.filter((frame) => words[frameAt(frame)] === block.size).flatMap((frame) => slotsOf(memory, frame))
  const empty = same.find(({ at }) => Atomics.load(words, at) === slot_empty && isFree(words, at))
  if (empty) return { slot: write(memory, reader, empty, block), evicted: false }
  const unused = frames.find((frame) => words[frameAt(frame)] === 0)
  if (unused !== undefined) return { slot: write(memory, reader, resize(memory, unused, block), block), evicted: false }
  // The clock turns over: only differences count.
  const ageOf = ({ at }: Slot): number => (words[clock_word]! - words[at + tick_word]!) | 0
  const blocks = same.filter(({ at }) => isFree(words, at)).map((slot) => ({ age: ageOf(slot), take: () => slot }))
  const others = frames
    .filter((frame) => words[frameAt(frame)] !== block.size)
    .map((frame) => ({ frame, slots: slotsOf(memory, frame) }))
    .filter(({ slots }) => slots.every(({ at }) => isFree(words, at)))
    .map(({ frame, slots }) => ({ age: Math.min(...slots.map(ageOf)), take: () => resize(memory, frame, block) }))
  const [oldest] = [...blocks, ...others].sort((one, other) => other.age - one.age)
  return oldest ? { slot: write(memory, reader, oldest.take(), block), evicted: true } : null
}

/** Gives a frame, of which no slot is used, the size of the block; its first slot. */
function resize(memory: CacheMemory, frame: number, block: WantedBlock): Slot {
  for (const { at } of slotsOf(memory, frame)) Atomics.store(memory.words, at, slot_empty)
  Atomics.store(memory.words, frameAt(frame), block.size)
  return { at: slotAt(memory.frames, frame, 0), frame, index: 0 }
}

function write(memory: CacheMemory, reader: number, slot: Slot, block: WantedBlock): Slot {
  const { words } = memory
  Atomics.store(words, slot.at, slot_empty)
  words[slot.at + key_a_word] = block.a
  words[slot.at + key_b_word] = block.b
  words[slot.at + length_word] = block.bytes
  touch(memory, slot)
  Atomics.store(words, slot.at, stateWord(slot_writing, reader))
  return slot
}

/** Takes back all that a reader holds: its pins, and the slots that it was writing. */
export function releaseReader(memory: CacheMemory, reader: number): void {
  for (let frame = 0; frame < memory.frames; frame++)
    for (const { at } of slotsOf(memory, frame)) {
      clearPin(memory, reader, at)
      const word = Atomics.load(memory.words, at)
      if (stateOf(word) >= slot_writing && writerOf(word) === reader) finishSlot(memory, at, slot_empty)
    }
}

/** Ends the writing of a slot and wakes the threads that wait for it. */
export function finishSlot({ words }: CacheMemory, at: number, state: typeof slot_ready | typeof slot_empty): void {
  Atomics.store(words, at, state)
  Atomics.notify(words, at)
}
