import type { RasterByteSource } from '../../types.ts'

export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** Ranges nearer to each other than this are fetched by one read: a second request costs more than the bytes between. */
export const max_range_merge_gap_bytes = 65_536
/** One merged read never grows beyond this. */
export const max_merged_range_bytes = 8_388_608
/** Reads that one call has under way at one time. */
export const max_parallel_range_reads = 6

/**
 * Reads many ranges with few requests and returns them in the order of the ranges. A range that reaches beyond the end
 * of the data comes back short; the caller checks lengths. After a failure nothing more is requested.
 */
export async function readRanges(
  source: RasterByteSource,
  ranges: readonly ByteRange[],
  signal?: AbortSignal,
): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = ranges.map(() => new Uint8Array(0))
  const groups = mergeRanges(ranges)
  // Shared by all lanes, and ended for all by the first that fails: a generator is, an array's own iterator is not.
  const waiting = (function* () {
    yield* groups
  })()
  const readOn = async (): Promise<void> => {
    for (const group of waiting) {
      const bytes = await source.read(group.offset, group.length, signal)
      for (const index of group.members) {
        const range = ranges[index]!
        const start = range.offset - group.offset
        answers[index] = bytes.subarray(Math.min(start, bytes.byteLength), start + range.length)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(max_parallel_range_reads, groups.length) }, readOn))
  return answers
}

interface MergedRange {
  offset: number
  length: number
  members: number[]
}

function mergeRanges(ranges: readonly ByteRange[]): MergedRange[] {
  const order = ranges.map((_, index) => index).sort((a, b) => ranges[a]!.offset - ranges[b]!.offset)
  const groups: MergedRange[] = []
  for (const index of order) {
    const { offset, length } = ranges[index]!
    const last = groups.at(-1)
    const end = Math.max(offset + length, last ? last.offset + last.length : 0)
    const near = last && offset <= last.offset + last.length + max_range_merge_gap_bytes
    if (near && end - last.offset <= max_merged_range_bytes) {
      last.length = end - last.offset
      last.members.push(index)
    } else groups.push({ offset, length, members: [index] })
  }
  return groups
}
