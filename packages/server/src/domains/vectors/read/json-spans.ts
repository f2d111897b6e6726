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
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : ''
    throw new VectorFailure('damaged', `The file is not valid JSON (${reason}).`, { cause: error })
  }
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
