const mebibyte = 1024 * 1024

/** The bytes at which pages end. */
export interface PageSizes {
  /** What fits no more begins the next page; one row always fits. */
  readonly longest_bytes: number
  /**
   * A page of no more than this is read as it is measured; a larger one in parts of this, once there is room for it. Each part
   * holds the embedded database, and then the event loop, for some hundredths of a second; others have their turn between.
   */
  readonly part_bytes: number
}

export const pageSizes: PageSizes = { longest_bytes: 32 * mebibyte, part_bytes: mebibyte }

interface Measured {
  readonly bytes: number
}

export const bytesOf = (rows: readonly Measured[]): number => rows.reduce((sum, row) => sum + row.bytes, 0)

/** How many of the first rows have so many bytes together; one at least, where there is one. */
export function countFitting(rows: readonly Measured[], longest_bytes: number): number {
  let bytes = 0
  const end = rows.findIndex((row) => (bytes += row.bytes) > longest_bytes)
  return end < 0 ? rows.length : Math.max(1, end)
}

/** The rows in parts of so many bytes, or of one row that is larger. */
export function partsOf<Row extends Measured>(rows: readonly Row[], part_bytes: number): Row[][] {
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
 * How many rows a page that ends early may have so that the next one begins at a whole number of pages of that size, since
 * pages of a search are counted. Its first row is the one of this number.
 */
export function countablePage(start: number, fitting: number): number {
  if (start === 0) return 2 ** Math.floor(Math.log2(Math.max(1, fitting)))
  let size = Math.min(fitting, start)
  while (start % size !== 0) size--
  return size
}
