import { appendSpilledBlock } from './spill-file.ts'
import type { SpillFile } from './spill-file.ts'

/** Blocks that are being packed; they reach their spools in the order they were added. */
export interface CompressedBlockQueue {
  /** Adds a block that will be packed (null: one that is left out); waits while too many are on their way. */
  add(spool: SpillFile, packed: Promise<readonly Uint8Array[]> | null): Promise<void>
  /** Waits until all have been written. */
  finish(): Promise<void>
  /** Waits until nothing works any more, whatever became of it. */
  settle(): Promise<void>
}

/** @param most blocks on their way at once: what bounds memory. */
export function createBlockQueue(most: number): CompressedBlockQueue {
  const waiting: { readonly spool: SpillFile; readonly packed: Promise<readonly Uint8Array[]> | null }[] = []
  const writeFirst = async (): Promise<void> => {
    const { spool, packed } = waiting[0]!
    const block = packed === null ? null : await packed
    waiting.shift()
    await appendSpilledBlock(spool, block)
    block?.forEach(freeLargeBuffer)
  }
  return {
    add: async (spool, packed) => {
      // Awaited when its turn comes; a failure before that must not count as unhandled.
      packed?.catch(() => undefined)
      waiting.push({ spool, packed })
      while (waiting.length >= most) await writeFirst()
    },
    finish: async () => {
      while (waiting.length > 0) await writeFirst()
    },
    settle: async () => {
      await Promise.allSettled(waiting.map(({ packed }) => packed))
    },
  }
}

const min_freed_bytes = 1_048_576

/** Frees the memory of a written piece at once; as garbage it would wait for the collector. Smaller ones may share a pool. */
function freeLargeBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= min_freed_bytes) buffer.transfer(0)
}
