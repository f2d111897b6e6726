import { DatabaseFailure } from './failures.ts'

/** A parameter value as both databases take it: text or null. The server infers its type from the context. */
export type EncodedParameter = string | null

const badParameter = (message: string): DatabaseFailure => new DatabaseFailure('bad-parameter', message)

/** One element of an array literal: quoted, so that commas, braces and the word NULL have no special meaning. */
function encodeElement(value: unknown): string {
  if (Array.isArray(value)) return arrayLiteral(value)
  const text = encodeSqlParameter(value)
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(encodeElement).join(',')}}`

function encodeObject(value: object): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw badParameter('a parameter is an invalid Date')
    return value.toISOString()
  }
  if (value instanceof Uint8Array)
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  if (Array.isArray(value)) return arrayLiteral(value)
  throw badParameter('an object is not a valid parameter: use sql.json()')
}

/**
 * The text encoding of a parameter on the wire, the same for both databases, independent of their drivers. Accepts null,
 * text, numbers, bigints, booleans, Dates, bytes and (nested) arrays of them; throws `bad-parameter` for anything else.
 */
export function encodeSqlParameter(value: unknown): EncodedParameter {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (typeof value === 'object') return encodeObject(value)
  throw badParameter(`a ${typeof value} is not a valid parameter`)
}

/** The encodings of the parameters of a statement; an object that occurs several times, such as a time, is encoded once. */
export function encodeStatementValues(values: readonly unknown[]): EncodedParameter[] {
  const encoded = new Map<object, EncodedParameter>()
  const encodeOnce = (value: object): EncodedParameter => {
    const text = encoded.get(value) ?? encodeSqlParameter(value)
    encoded.set(value, text)
    return text
  }
  return values.map((value) =>
    typeof value === 'object' && value !== null ? encodeOnce(value) : encodeSqlParameter(value),
  )
}

const decodeInt8 = (text: string): number | bigint => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** Converts `2026-11-21 10:00:00.5+00` to a form that every JavaScript engine parses the same way. */
const decodeTimestamptz = (text: string): Date => {
  const iso = text.replace(' ', 'T')
  return new Date(iso.endsWith('+00') ? `${iso.slice(0, -3)}Z` : /[+-]\d\d$/.test(iso) ? `${iso}:00` : iso)
}

const decodeTimestamp = (text: string): Date => decodeTimestamptz(`${text}+00`)

const decodeBytea = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))

type Decode = (text: string) => unknown

/** Types of PostgreSQL (pg_type.oid) that are not decoded as text, with the oid of their array type. */
const decoders: readonly (readonly [type: number, array: number, decode: Decode])[] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, decodeBytea],
  [20, 1016, decodeInt8],
  [21, 1005, Number],
  [23, 1007, Number],
  [26, 1028, Number],
  [114, 199, (text) => JSON.parse(text)],
  [700, 1021, Number],
  [701, 1022, Number],
  [1114, 1115, decodeTimestamp],
  [1184, 1185, decodeTimestamptz],
  [3802, 3807, (text) => JSON.parse(text)],
]

/** Array types whose elements stay text: char, name, text, bpchar, varchar, date, numeric, uuid. */
const textArrays = [1002, 1003, 1009, 1014, 1015, 1182, 1231, 2951]

const decodeText: Decode = (text) => text

/** Parses `{a,"b c",{…},NULL}`; the text comes from PostgreSQL and is well formed. */
function readArray(text: string, decode: Decode): unknown[] {
  let at = text.indexOf('{')
  const readQuoted = (): string => {
    let value = ''
    for (at += 1; text[at] !== '"' && at < text.length; at += 1) {
      if (text[at] === '\\') at += 1
      value += text[at]
    }
    at += 1
    return value
  }
  const readPlain = (): string | null => {
    const start = at
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at += 1
    const value = text.slice(start, at)
    return value === 'NULL' ? null : value
  }
  const readList = (): unknown[] => {
    const list: unknown[] = []
    at += 1
    while (at < text.length && text[at] !== '}') {
      if (text[at] === '{') list.push(readList())
      else if (text[at] === '"') list.push(decode(readQuoted()))
      else {
        const value = readPlain()
        list.push(value === null ? null : decode(value))
      }
      if (text[at] === ',') at += 1
    }
    at += 1
    return list
  }
  return readList()
}

const decodersByType = new Map<number, Decode>([
  ...decoders.map(([type, , decode]) => [type, decode] as const),
  ...decoders.map(([, array, decode]) => [array, (text: string) => readArray(text, decode)] as const),
  ...textArrays.map((array) => [array, (text: string) => readArray(text, decodeText)] as const),
])

/**
 * The decoder for a column type: int8 becomes a number (bigint if unsafe), timestamptz a Date, bytea a Uint8Array, json
 * its parsed value, arrays arrays. Everything else (numeric, date, uuid, geometry …) stays text.
 */
export const getColumnDecoder = (type: number): Decode => decodersByType.get(type) ?? decodeText
