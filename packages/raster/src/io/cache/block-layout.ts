import { RasterFailure } from '../../failures.ts'

/**
 * The shared memory of the block cache. Its data is cut into frames of 8 MiB; a frame has slots of one size, and changes
 * its size when blocks of another are needed more. Every slot has a header of 16 words, one line of the processor's cache.
 *
 * Threads share the cache because it halves the cost of a tile: 16.2 ms of CPU instead of 30.5 without a cache (12 neighbouring tiles of zoom 13 of the
 * scene of `bench -- raster`, nearest, PNG, least of five rounds); a cache of each thread alone would need its memory once for
 * each thread, or find less. A lock-free protocol (512 lines) gave way to one lock, under which a block is looked up and pinned;
 * it is decoded outside of it.
 */
export const cache_frame_bytes = 8_388_608

/**
 * From small to large; a block goes into the first size that holds it. `frames`: how many frames may hold the same
 * block.
 */
export const cacheSlotSizes: readonly { readonly bytes: number; readonly frames: number }[] = [
  { bytes: 262_144, frames: 4 },
  { bytes: 1_048_576, frames: 4 },
  { bytes: 2_097_152, frames: 4 },
  { bytes: 4_194_304, frames: 4 },
  { bytes: 8_388_608, frames: 8 },
]

export const countSlotsPerFrame = (size: number): number => cache_frame_bytes / cacheSlotSizes[size - 1]!.bytes
const maxSlots = countSlotsPerFrame(1)
/** Threads that may have the cache open at one time: one bit of the pins each. */
export const max_cache_readers = 128

// Words before the frames: the lock (0, or the reader that holds it plus one), the clock, and the readers' threads plus one.
export const cache_lock_word_index = 0
export const cache_clock_word_index = 1
export const first_reader_word_index = 16
const first_frame_word = first_reader_word_index + max_cache_readers
const slot_words = 16

/** Words of a slot's header, after its state. */
export const slot_key_a_word_index = 1
export const slot_key_b_word_index = 2
export const slot_length_word_index = 3
export const cache_tick_word_index = 4
export const first_pin_word_index = 5
export const pin_word_count = max_cache_readers / 32

/** States of a slot; a slot that is written has its writer in the upper bits. `slot_state_overdue`: nobody waits for it any more. */
export const slot_state_empty = 0
export const slot_state_ready = 1
export const slot_state_writing = 2
export const slot_state_overdue = 3
export const encodeSlotStateWord = (state: number, reader: number): number => state | (reader << 8)
export const decodeSlotState = (word: number): number => word & 255
export const decodeSlotWriter = (word: number): number => word >> 8

/** The counters of each reader, in float64 numbers of its own. */
export const blockCacheCounterNames = ['hits', 'misses', 'bypasses', 'waits', 'evictions'] as const

/** The handle by which other threads open the cache: pass it by `workerData` or a message. */
export interface BlockCacheHandle {
  readonly words: SharedArrayBuffer
  readonly counts: SharedArrayBuffer
  readonly data: SharedArrayBuffer
  readonly frames: number
}

/**
 * Allocates a block cache. `bytes` is rounded down to whole frames of 8 MiB (below that the cache holds nothing); the
 * headers are added, 2 KiB a frame. The system commits memory when it is first written. Throws `budget` if the memory
 * cannot be allocated.
 */
export function createBlockCache({ bytes }: { readonly bytes: number }): BlockCacheHandle {
  const frames = Math.max(0, Math.floor(bytes / cache_frame_bytes))
  try {
    return {
      words: new SharedArrayBuffer(findSlotWordIndex(frames, frames, 0) * Int32Array.BYTES_PER_ELEMENT),
      counts: new SharedArrayBuffer(max_cache_readers * blockCacheCounterNames.length * Float64Array.BYTES_PER_ELEMENT),
      data: new SharedArrayBuffer(frames * cache_frame_bytes),
      frames,
    }
  } catch (cause) {
    throw new RasterFailure('budget', `there is no memory for a cache of ${bytes} bytes of pixels`, { cause })
  }
}

/** The position of a frame's word: its slot size, counted from 1, or 0 while it has none. */
export const findFrameWordIndex = (frame: number): number => first_frame_word + frame

/** The position of a slot's first word. */
export const findSlotWordIndex = (frames: number, frame: number, slot: number): number =>
  (Math.ceil(findFrameWordIndex(frames) / slot_words) + frame * maxSlots + slot) * slot_words
