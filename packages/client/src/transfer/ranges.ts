/** A part of a file: from `start` up to, and without, `end`, in bytes. */
export interface FileRange {
  readonly start: number
  readonly end: number
}

/** The ranges of `range_bytes` that cover a file from `start` to its end, in order. */
export const planRanges = (start: number, size_bytes: number, range_bytes: number): FileRange[] =>
  Array.from({ length: Math.max(0, Math.ceil((size_bytes - start) / range_bytes)) }, (_, index) => ({
    start: start + index * range_bytes,
    end: Math.min(size_bytes, start + (index + 1) * range_bytes),
  }))

/** The range and the size of the file in a `Content-Range` (RFC 9110, 14.4); each is null if it is not told. */
export interface ContentRange {
  readonly range: FileRange | null
  readonly size_bytes: number | null
}

const nothingTold: ContentRange = { range: null, size_bytes: null }

export function parseContentRange(header: string | null): ContentRange {
  const match = /^bytes (?:(\d{1,16})-(\d{1,16})|\*)\/(?:(\d{1,16})|\*)$/.exec(header ?? '')
  if (!match) return nothingTold
  const [, first, last, size] = match
  return {
    range: first === undefined ? null : { start: Number(first), end: Number(last) + 1 },
    size_bytes: size === undefined ? null : Number(size),
  }
}
