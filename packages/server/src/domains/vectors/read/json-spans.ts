import { VectorFailure } from '../vector-failure.ts'

/** The byte span of a JSON value. */
export interface JsonSpan {
  readonly start: number
  /** The byte after the last one. */
  readonly end: number
}

const limit_depth = 200

const quote = 0x22
const backslash = 0x5c
const opens: ReadonlySet<number> = new Set([0x7b, 0x5b])
const closes: ReadonlySet<number> = new Set([0x7d, 0x5d])
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * The members of an object, found without parsing their values: the text between the commas of its level. Values are
 * validated when they are parsed. Throws `damaged` for unbalanced brackets or quotes.
 */
export function* jsonMembers(bytes: Buffer, object: JsonSpan): Generator<JsonSpan & { readonly key: string }> {
  let at = skipSpace(bytes, object.start + 1)
  while (at < object.end - 1) {
    const keyEnd = endOfText(bytes, at)
    const key = parse(bytes, { start: at, end: keyEnd })
    const colon = skipSpace(bytes, keyEnd)
    if (typeof key !== 'string' || bytes[colon] !== 0x3a) throw torn()
    const start = skipSpace(bytes, colon + 1)
    const end = endOfValue(bytes, start)
    yield { key, start, end }
    at = skipSpace(bytes, skipSpace(bytes, end) + 1)
  }
}

/** The elements of an array, likewise. */
export function* jsonElements(bytes: Buffer, list: JsonSpan): Generator<JsonSpan> {
  let at = skipSpace(bytes, list.start + 1)
  while (at < list.end - 1) {
    const end = endOfValue(bytes, at)
    yield { start: at, end }
    at = skipSpace(bytes, skipSpace(bytes, end) + 1)
  }
}

/** The value that begins at the first byte that is not whitespace. */
export function jsonValueAt(bytes: Buffer, at: number): JsonSpan {
  const start = skipSpace(bytes, at)
  return { start, end: endOfValue(bytes, start) }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a span; throws `damaged` if it is not valid JSON or UTF-8. */
export function parse(bytes: Buffer, { start, end }: JsonSpan): unknown {
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
  while (spaces.has(bytes[at]!)) at++
  return at
}

function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start]
  if (first === quote) return endOfText(bytes, start)
  if (first === undefined) throw torn()
  return opens.has(first) ? endOfBrackets(bytes, start) : endOfWord(bytes, start)
}

function endOfBrackets(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = endOfText(bytes, at) - 1
    else if (opens.has(byte)) {
      if (++depth > limit_depth)
        throw new VectorFailure('invalid', `The lists of the file are nested deeper than ${limit_depth}.`)
    } else if (closes.has(byte) && --depth === 0) return at + 1
  }
  throw torn()
}

function endOfText(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    at = bytes.indexOf(quote, at + 1)
    if (at < 0) throw torn()
    let before = at - 1
    while (bytes[before] === backslash) before--
    if ((at - before) % 2 === 1) return at + 1
  }
}

function endOfWord(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0x2c && !closes.has(bytes[at]!) && !spaces.has(bytes[at]!)) at++
  if (at === start) throw torn()
  return at
}

const torn = (): VectorFailure =>
  new VectorFailure('damaged', 'The JSON is not complete: brackets or quotes do not match. Upload the complete file.')
