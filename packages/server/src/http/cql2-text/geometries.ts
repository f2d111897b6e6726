import type { Cql2TokenReader } from './tokens.ts'

const coordinateDepths: ReadonlyMap<string, readonly [type: string, depth: number]> = new Map([
  ['point', ['Point', 0]],
  ['multipoint', ['MultiPoint', 1]],
  ['linestring', ['LineString', 1]],
  ['polygon', ['Polygon', 2]],
  ['multilinestring', ['MultiLineString', 2]],
  ['multipolygon', ['MultiPolygon', 3]],
])

/** The GeoJSON geometry whose WKT begins with the word, which was read; undefined if the word is a name. */
export function parseWktGeometry(reader: Cql2TokenReader, word: string): object | undefined {
  const shape = coordinateDepths.get(word)
  const isNext = reader.isSign('(') || reader.isWord('z')
  if (!isNext || (!shape && word !== 'geometrycollection')) return undefined
  reader.takeWord('z')
  reader.expect('(')
  const result = shape
    ? { type: shape[0], coordinates: parseCoordinates(reader, shape[1]) }
    : { type: 'GeometryCollection', geometries: parseSequence(reader, () => parseMember(reader)) }
  reader.expect(')')
  return result
}

function parseMember(reader: Cql2TokenReader): object {
  const geometry = reader.nested(() => parseWktGeometry(reader, reader.next().text.toLowerCase()))
  if (!geometry) throw reader.unexpected('a geometry')
  return geometry
}

function parseSequence<T>(reader: Cql2TokenReader, read: () => T): T[] {
  const members = [read()]
  while (reader.takeSign(',')) members.push(read())
  return members
}

/** A position (depth 0), or lists of them. A multipoint may bracket its positions. */
function parseCoordinates(reader: Cql2TokenReader, depth: number): unknown {
  if (depth === 0) return parsePosition(reader)
  return parseSequence(reader, () => {
    if (!reader.takeSign('(')) return parseCoordinates(reader, depth - 1)
    const members = parseCoordinates(reader, depth - 1)
    reader.expect(')')
    return members
  })
}

function parsePosition(reader: Cql2TokenReader): number[] {
  const position: number[] = []
  while (!reader.isSign(',') && !reader.isSign(')')) {
    const sign = reader.takeSign('-') ? -1 : 1
    if (reader.peek().kind !== 'number') throw reader.unexpected('a number')
    position.push(sign * Number(reader.next().text))
  }
  return position
}
