import { RasterFailure } from '../../failures.ts'

/**
 * How the shared memory of the block cache is laid out. Its data is cut into frames of 8 MiB; a frame holds slots of one
 * size and changes its size when blocks of another are asked for more. Every slot has a header of 16 words.
 */
export const FRAME_BYTES = 8_388_608

interface SlotSize {
  readonly bytes: number
  /** Slots in one frame. */
  readonly slots: number
  /** Slots of one frame in which a block may lie, and how many frames have such. */
  readonly ways: number
  readonly frames: number
}

/** From small to large; a block goes into the first size that holds it. */
export const SLOT_SIZES: readonly SlotSize[] = [
  { bytes: 262_144, slots: 32, ways: 8, frames: 4 },
  { bytes: 1_048_576, slots: 8, ways: 8, frames: 4 },
  { bytes: 2_097_152, slots: 4, ways: 4, frames: 4 },
  { bytes: 4_194_304, slots: 2, ways: 2, frames: 4 },
  { bytes: 8_388_608, slots: 1, ways: 1, frames: 8 },
]

const MOST_SLOTS = 32
/** Openers at one time: one bit of the pins each. */
export const SEATS = 128
export const LOCKS = 256

// Words before the frames: the clock, who sits where, and the locks under which ways are claimed.
export const CLOCK = 0
export const SEATS_AT = 16
export const LOCKS_AT = SEATS_AT + SEATS
const FRAMES_AT = LOCKS_AT + LOCKS
const FRAME_WORDS = 2
const SLOT_WORDS = 16

/** Words of a slot's header, behind its first one, which holds state, size and owner together. */
export const KEY_A = 1
export const KEY_B = 2
export const LENGTH = 3
export const TICK = 4
export const PINS = 5
export const PIN_WORDS = SEATS / 32

/** The word of a frame's header behind its first one: when one of its blocks was last asked for. */
export const FRAME_TICK = 1

/** `claimed`: being emptied by its owner; `overdue`: being written for so long that nobody waits for it any more. */
export const EMPTY = 0
export const CLAIMED = 1
export const WRITING = 2
export const OVERDUE = 3
export const READY = 4

/** In the first word of a frame: its owner is giving it another size. */
export const CHANGING = 8

/** State, size (its place in the list of sizes plus one; 0 for none) and owner of a slot in one word. */
export const slotWord = (state: number, size: number, seat = 0): number => state | (size << 3) | (seat << 8)
export const stateOf = (word: number): number => word & 7
export const sizeOf = (word: number): number => (word >> 3) & 7

/** The first word of a frame; `flag` is 0 or CHANGING. */
export const frameWord = (size: number, flag = 0, seat = 0): number => size | flag | (seat << 8)
export const sizeOfFrame = (word: number): number => word & 7
export const ownerOf = (word: number): number => word >> 8

/** What other threads need in order to open the cache: pass it by `workerData` or a message. */
export interface BlockCacheHandle {
  readonly words: SharedArrayBuffer
  readonly counts: SharedArrayBuffer
  readonly data: SharedArrayBuffer
  readonly frames: number
}

export interface CacheMemory {
  readonly words: Int32Array<SharedArrayBuffer>
  readonly data: SharedArrayBuffer
  readonly frames: number
}

/** What each seat counts, in float64 numbers of its own. */
export const COUNTS = ['hits', 'misses', 'bypasses', 'waits', 'evictions'] as const

/**
 * Makes the memory of a block cache. `bytes` is rounded down to whole frames of 8 MiB (below that the cache holds nothing);
 * the headers come on top, 2 KiB a frame. The system hands memory out as it is first written to. Ends with a `budget`
 * failure where so much memory cannot be had.
 */
export function createBlockCache({ bytes }: { readonly bytes: number }): BlockCacheHandle {
  const frames = Math.max(0, Math.floor(bytes / FRAME_BYTES))
  try {
    return {
      words: new SharedArrayBuffer(slotAt(frames, frames, 0) * Int32Array.BYTES_PER_ELEMENT),
      counts: new SharedArrayBuffer(SEATS * COUNTS.length * Float64Array.BYTES_PER_ELEMENT),
      data: new SharedArrayBuffer(frames * FRAME_BYTES),
      frames,
    }
  } catch (cause) {
    throw new RasterFailure('budget', `there is no memory for a block cache of ${bytes} bytes`, { cause })
  }
}

/** The position of a frame's first word. */
export const frameAt = (frame: number): number => FRAMES_AT + frame * FRAME_WORDS

const firstSlotAt = (frames: number): number => Math.ceil(frameAt(frames) / SLOT_WORDS) * SLOT_WORDS

/** The position of a slot's first word; a header fills one line of the processor's cache. */
export const slotAt = (frames: number, frame: number, slot: number): number =>
  firstSlotAt(frames) + (frame * MOST_SLOTS + slot) * SLOT_WORDS

/** Every slot header of a frame, in use or not. */
export const slotsOf = ({ frames }: CacheMemory, frame: number): number[] =>
  Array.from({ length: MOST_SLOTS }, (_, slot) => slotAt(frames, frame, slot))

/** The frame that a slot belongs to, by the position of its first word. */
export const frameOf = ({ frames }: CacheMemory, at: number): number =>
  Math.floor((at - firstSlotAt(frames)) / SLOT_WORDS / MOST_SLOTS)

/** The bytes of a slot of that size, as many as its block has. */
export function dataOf(memory: CacheMemory, at: number, size: number, length: number): Uint8Array<SharedArrayBuffer> {
  const slot = ((at - firstSlotAt(memory.frames)) / SLOT_WORDS) % MOST_SLOTS
  return new Uint8Array(memory.data, frameOf(memory, at) * FRAME_BYTES + slot * SLOT_SIZES[size - 1]!.bytes, length)
}
