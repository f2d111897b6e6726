import { VectorFailure } from '../vector-failure.ts'

/** The byte span of a JSON value. */
export interface JsonSpan {
  readonly start: number
  /** The byte after the last one. */
  readonly end: number
}

const max_depth = 200

const quote = 0x22
const backslash = 0x5c
const newline = 0x0a
const openingBrackets: ReadonlySet<number> = new Set([0x7b, 0x5b])
const closingBrackets: ReadonlySet<number> = new Set([0x7d, 0x5d])
const whitespace: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * The members of an object, found without parsing their values: the text between the commas of its level. Values are
 * validated when they are parsed. Throws `damaged` for unbalanced brackets or quotes.
 */
export function* listJsonMembers(bytes: Buffer, object: JsonSpan): Generator<JsonSpan & { readonly key: string }> {
  let at = skipSpace(bytes, object.start + 1)
  while (at < object.end - 1) {
    const keyEnd = endOfString(bytes, at)
    const key = parseJsonSpan(bytes, { start: at, end: keyEnd })
    const colon = skipSpace(bytes, keyEnd)
    if (typeof key !== 'string' || bytes[colon] !== 0x3a) throw incompleteJson()
    const start = skipSpace(bytes, colon + 1)
    const end = endOfValue(bytes, start)
    yield { key, start, end }
    at = skipSpace(bytes, skipSpace(bytes, end) + 1)
  }
}

/** The elements of an array, likewise. */
export function* listJsonElements(bytes: Buffer, list: JsonSpan): Generator<JsonSpan> {
  let at = skipSpace(bytes, list.start + 1)
  while (at < list.end - 1) {
    const end = endOfValue(bytes, at)
    yield { start: at, end }
    at = skipSpace(bytes, skipSpace(bytes, end) + 1)
  }
}

/** The value that begins at the first byte that is not whitespace. */
export function findJsonValueAt(bytes: Buffer, at: number): JsonSpan {
  const start = skipSpace(bytes, at)
  return { start, end: endOfValue(bytes, start) }
}

/** A whole number of so many digits that float64 may not hold them. */
const longInteger = /[:,[\s]-?\d{16,}\s*[,}\]]/

/** Whole numbers beyond 2^53 become text, as those of tables do: other digits would be another id. */
function keepDigits(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  const isLost = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isLost && source !== undefined && /^-?\d+$/.test(source) ? source : value
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a span; throws `damaged` if it is not valid JSON or UTF-8. */
export function parseJsonSpan(bytes: Buffer, { start, end }: JsonSpan): unknown {
  let text
  try {
    text = decoder.decode(bytes.subarray(start, end))
  } catch {
    throw new VectorFailure('damaged', 'The file is not UTF-8 text. Save it as UTF-8.')
  }
  try {
    return longInteger.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch (error) {
    const line = countLines(bytes, start)
    throw new VectorFailure(
      'damaged',
      `The file is not valid JSON: there is an error in what begins in line ${line}. Export it again.`,
      { cause: error },
    )
  }
}

/** Lines are counted from one. */
function countLines(bytes: Buffer, end: number): number {
  let count = 1
  for (let at = bytes.indexOf(newline); at >= 0 && at < end; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (whitespace.has(bytes[at]!)) at++
  return at
}

function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start]
  if (first === quote) return endOfString(bytes, start)
  if (first === undefined) throw incompleteJson()
  return openingBrackets.has(first) ? endOfBrackets(bytes, start) : endOfLiteral(bytes, start)
}

function endOfBrackets(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = endOfString(bytes, at) - 1
    else if (openingBrackets.has(byte)) {
      if (++depth > max_depth)
        throw new VectorFailure('invalid', `The lists of the file are nested deeper than ${max_depth}.`)
    } else if (closingBrackets.has(byte) && --depth === 0) return at + 1
  }
  throw incompleteJson()
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    at = bytes.indexOf(quote, at + 1)
    if (at < 0) throw incompleteJson()
    let before = at - 1
    while (bytes[before] === backslash) before--
    if ((at - before) % 2 === 1) return at + 1
  }
}

function endOfLiteral(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0x2c && !closingBrackets.has(bytes[at]!) && !whitespace.has(bytes[at]!))
    at++
  if (at === start) throw incompleteJson()
  return at
}

const incompleteJson = (): VectorFailure =>
  new VectorFailure('damaged', 'The JSON is not complete: brackets or quotes do not match. Upload the complete file.')
