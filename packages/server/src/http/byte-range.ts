export type ParsedByteRange =
  | { readonly state: 'whole' }
  | { readonly state: 'part'; readonly start: number; readonly end: number }
  | { readonly state: 'unsatisfiable' }

const whole: ParsedByteRange = { state: 'whole' }
const unsatisfiable: ParsedByteRange = { state: 'unsatisfiable' }

/**
 * Parses a `Range` header for an object of `size` bytes (RFC 9110, 14.2): one byte range, both ends inclusive. A header
 * that is malformed, has another unit or several ranges is ignored, as the RFC allows.
 */
export function parseRangeHeader(header: string | undefined, size: number): ParsedByteRange {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return whole
  const [first, last] = [match[1]!, match[2]!]
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? unsatisfiable : { state: 'part', start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return whole
  return start >= size ? unsatisfiable : { state: 'part', start, end }
}

/** True if an `If-Range` header allows a partial response: it is missing or names this version. */
export const matchesIfRange = (header: string | undefined, tag: string): boolean =>
  header === undefined || header.trim() === `"${tag}"`
