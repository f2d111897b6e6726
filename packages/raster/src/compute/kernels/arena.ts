import { RasterFailure } from '../../failures.ts'
import type { Address, KernelMemory } from './types.ts'

/** The memory under an arena: bytes that can grow, which replaces `buffer`. */
export interface GrowableBuffer {
  readonly buffer: ArrayBuffer
  /** Makes room for at least that many bytes in all; false where there is no memory for them. */
  grow(bytes: number): boolean
}

/** Addresses are 32 bits wide, and no picture that is drawn needs more. */
export const MEMORY_LIMIT = 2 ** 30

const ALIGNMENT = 16

/** Hands out the memory from `base` on as an arena; whatever lies before `base` belongs to the kernels themselves. */
export function createArena(backing: GrowableBuffer, base: Address): KernelMemory {
  const bottom = roundUp(Math.max(base, ALIGNMENT))
  let top = bottom

  function reserve(bytes: number): Address {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error(`${bytes} bytes cannot be reserved`)
    const at = top
    const end = roundUp(at + bytes)
    if (end > backing.buffer.byteLength && (end > MEMORY_LIMIT || !backing.grow(end)))
      throw new RasterFailure(
        'budget',
        `the pixels would need ${end} bytes at once, of which ${MEMORY_LIMIT} are allowed`,
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
      if (mark % ALIGNMENT !== 0 || mark < bottom || mark > top) throw new Error(`${mark} is no mark of this memory`)
      top = mark
    },
  }
}

const roundUp = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
