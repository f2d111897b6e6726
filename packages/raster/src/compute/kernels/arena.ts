import { RasterFailure } from '../../failures.ts'
import type { KernelAddress, KernelMemory } from './types.ts'

/** The memory under an arena: bytes that can grow, which replaces `buffer`. */
export interface GrowableBuffer {
  readonly buffer: ArrayBuffer
  /** Grows the memory to at least that many bytes in all; false where there is no memory for them. */
  grow(bytes: number): boolean
}

/** Pointers are 32 bits wide, and no rendered image needs more memory. */
export const max_kernel_memory_bytes = 2 ** 30

const alignment_bytes = 16

/** Hands out the memory from `base` on as an arena; whatever lies before `base` belongs to the kernels themselves. */
export function createMemoryArena(backing: GrowableBuffer, base: KernelAddress): KernelMemory {
  const bottom = roundUp(Math.max(base, alignment_bytes))
  let top = bottom

  function reserve(bytes: number): KernelAddress {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error(`${bytes} bytes of memory cannot be reserved`)
    const at = top
    const end = roundUp(at + bytes)
    if (end > backing.buffer.byteLength && (end > max_kernel_memory_bytes || !backing.grow(end)))
      throw new RasterFailure(
        'budget',
        `the pixels would need ${end} bytes at once, of which ${max_kernel_memory_bytes} are allowed`,
      )
    top = end
    return at
  }

  return {
    get buffer() {
      return backing.buffer
    },
    reserve,
    mark: () => top,
    release: (mark) => {
      if (mark % alignment_bytes !== 0 || mark < bottom || mark > top)
        throw new Error(`${mark} is no mark of this memory`)
      top = mark
    },
  }
}

const roundUp = (bytes: number): number => Math.ceil(bytes / alignment_bytes) * alignment_bytes
