import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { RasterFailure } from '../../failures.ts'

/**
 * Compressed blocks of one level, waiting in a file of their own until the sizes of all levels are known. They lie
 * there as the finished file will hold them: length in four bytes, data, the last four data bytes again.
 */
export interface SpillFile {
  readonly path: string
  readonly file: FileHandle
  /** Data bytes of every block in the order written; 0 for one that is left out. */
  readonly counts: number[]
  size: number
}

const framing_bytes = 8

/** Creates an empty spill file; it replaces one that an interrupted run left under the name. */
export async function openSpillFile(path: string): Promise<SpillFile> {
  return { path, file: await open(path, 'w+'), counts: [], size: 0 }
}

/** Appends one block, in pieces; null for one that is left out. */
export async function appendSpilledBlock(spool: SpillFile, pieces: readonly Uint8Array[] | null): Promise<void> {
  if (pieces === null) {
    spool.counts.push(0)
    return
  }
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const leader = Buffer.alloc(framing_bytes / 2)
  leader.writeUInt32LE(length, 0)
  const { bytesWritten } = await spool.file.writev([leader, ...pieces, lastBytes(pieces)])
  if (bytesWritten !== length + framing_bytes)
    throw new RasterFailure('write', 'the disk took only a part of the image')
  spool.counts.push(length)
  spool.size += length + framing_bytes
}

/** The last four bytes, which may lie in several pieces. */
function lastBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const last = pieces.at(-1)!
  return last.length >= 4
    ? last.subarray(-4)
    : Buffer.concat(pieces.slice(-5).map((piece) => piece.subarray(-4))).subarray(-4)
}

/** Positions of the data (not the leader) of every block, when the spool's first byte comes to lie at `start`; 0 for none. */
export function computeBlockOffsets(spool: SpillFile, start: number): number[] {
  const offsets: number[] = []
  let at = start
  for (const count of spool.counts) {
    offsets.push(count === 0 ? 0 : at + framing_bytes / 2)
    at += count === 0 ? 0 : count + framing_bytes
  }
  return offsets
}

/** Reads the file from its beginning, in chunks of at most a mebibyte; a chunk is valid until the next one is read. */
export async function* readSpillFile(spool: SpillFile): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(1_048_576)
  for (let at = 0; at < spool.size;) {
    const { bytesRead } = await spool.file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Closes and removes the file. */
export async function discardSpillFile(spool: SpillFile): Promise<void> {
  try {
    await spool.file.close()
  } finally {
    await rm(spool.path, { force: true })
  }
}
