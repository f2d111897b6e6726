const mebibyte = 1024 * 1024

/** Byte limits of pages. */
export interface PageByteLimits {
  /** Maximum bytes of a page; it contains at least one row. */
  readonly max_bytes: number
  /**
   * A page up to this size is read in the measuring statement; a larger one in parts of this size, after reserving memory.
   * Each part occupies the embedded database and then the event loop for some hundredths of a second; other calls run in
   * between.
   */
  readonly part_bytes: number
}

export const defaultPageByteLimits: PageByteLimits = { max_bytes: 32 * mebibyte, part_bytes: mebibyte }

interface MeasuredBytes {
  readonly bytes: number
}

export const sumRowBytes = (rows: readonly MeasuredBytes[]): number => rows.reduce((sum, row) => sum + row.bytes, 0)

/** Number of leading rows within the byte limit; at least one if there are rows. */
export function countRowsWithinBytes(rows: readonly MeasuredBytes[], max_bytes: number): number {
  let bytes = 0
  const end = rows.findIndex((row) => (bytes += row.bytes) > max_bytes)
  return end < 0 ? rows.length : Math.max(1, end)
}

/** Splits rows into parts within the byte limit; a larger row is a part of its own. */
export function splitRowsByBytes<Row extends MeasuredBytes>(rows: readonly Row[], part_bytes: number): Row[][] {
  const parts: Row[][] = []
  let part: Row[] = []
  let bytes = 0
  for (const row of rows) {
    if (part.length > 0 && bytes + row.bytes > part_bytes) {
      parts.push(part)
      part = []
      bytes = 0
    }
    part.push(row)
    bytes += row.bytes
  }
  return part.length > 0 ? [...parts, part] : parts
}

/**
 * Row count of a page that ends early, chosen so that the next page starts at a multiple of it: search pages are numbered.
 * `start` is the index of its first row.
 */
export function alignPageSize(start: number, fittingCount: number): number {
  if (start === 0) return 2 ** Math.floor(Math.log2(Math.max(1, fittingCount)))
  let size = Math.min(fittingCount, start)
  while (start % size !== 0) size--
  return size
}
