import type { TokenReader } from './cql2-reader.ts'

type Position = number[]
type Coordinates = Position | Coordinates[]

/** Nesting depth of the lists of positions. */
const depths: Readonly<Record<string, readonly [type: string, depth: number]>> = {
  POINT: ['Point', 0],
  LINESTRING: ['LineString', 1],
  MULTIPOINT: ['MultiPoint', 1],
  POLYGON: ['Polygon', 2],
  MULTILINESTRING: ['MultiLineString', 2],
  MULTIPOLYGON: ['MultiPolygon', 3],
}

/** Reads a number with its sign. */
export function readNumber(reader: TokenReader): number {
  const sign = reader.takeSymbol('-') ? -1 : 1
  if (sign === 1) reader.takeSymbol('+')
  if (reader.peek().kind !== 'number') reader.fail('A number')
  return sign * Number(reader.next().value)
}

function readList<Member>(reader: TokenReader, readMember: () => Member): Member[] {
  reader.expectSymbol('(')
  const members: Member[] = []
  do members.push(readMember())
  while (reader.takeSymbol(','))
  reader.expectSymbol(')')
  return members
}

function readPosition(reader: TokenReader): Position {
  const position = [readNumber(reader), readNumber(reader)]
  while (reader.peek().kind === 'number' || reader.peek().value === '-') position.push(readNumber(reader))
  return position
}

function readCoordinates(reader: TokenReader, depth: number, isMultiPoint: boolean): Coordinates {
  if (depth > 0) return readList(reader, () => readMember(reader, depth - 1, isMultiPoint))
  reader.expectSymbol('(')
  const position = readPosition(reader)
  reader.expectSymbol(')')
  return position
}

/** A position in a list; only those of a `MULTIPOINT` have parentheses of their own, which may be left out. */
function readMember(reader: TokenReader, depth: number, isMultiPoint: boolean): Coordinates {
  if (depth > 0) return readCoordinates(reader, depth, isMultiPoint)
  return isMultiPoint && reader.peek().value === '(' ? readCoordinates(reader, 0, true) : readPosition(reader)
}

/** Reads well-known text, `ENVELOPE` or `BBOX`; null if something else comes next. */
export function readGeometry(reader: TokenReader): object | null {
  const { kind, value, isQuoted } = reader.peek()
  if (kind !== 'name' || isQuoted) return null
  const name = value.toUpperCase()
  const second = reader.peek(1)
  const hasDimension = second.kind === 'name' && /^(Z|M|ZM)$/i.test(second.value)
  if (reader.peek(hasDimension ? 2 : 1).value !== '(') return null
  const isCollection = name === 'GEOMETRYCOLLECTION'
  if (!isCollection && name !== 'BBOX' && name !== 'ENVELOPE' && !Object.hasOwn(depths, name)) return null
  reader.next()
  if (hasDimension) reader.next()
  if (isCollection) {
    const geometries = readList(reader, () => readGeometry(reader) ?? reader.fail('A geometry'))
    return { type: 'GeometryCollection', geometries }
  }
  if (!Object.hasOwn(depths, name)) return { bbox: readList(reader, () => readNumber(reader)) }
  const [type, depth] = depths[name]!
  return { type, coordinates: readCoordinates(reader, depth, name === 'MULTIPOINT') }
}

function readQuotedText(reader: TokenReader): string {
  if (reader.peek().kind !== 'text') reader.fail('A text in quotes')
  return reader.next().value
}

/** Reads `TIMESTAMP('…')`, `DATE('…')` or `INTERVAL('…', '…')`; null if something else comes next. */
export function readTime(reader: TokenReader, readValue: () => unknown): object | null {
  const name = ['TIMESTAMP', 'DATE', 'INTERVAL'].find((keyword) => reader.seesKeyword(keyword))
  if (name === undefined || reader.peek(1).value !== '(' || reader.peek(1).kind !== 'symbol') return null
  reader.next()
  if (name === 'INTERVAL') return { interval: readList(reader, () => readEnd(reader, readValue)) }
  reader.expectSymbol('(')
  const text = readQuotedText(reader)
  reader.expectSymbol(')')
  return { [name.toLowerCase()]: text }
}

const readEnd = (reader: TokenReader, readValue: () => unknown): unknown =>
  reader.peek().kind === 'text' ? reader.next().value : readValue()
