import { cql2Limits, count, isRecord, malformed, refuseFunction, type Reading } from './reading.ts'
import { readLiteral, readProperty, readValue } from './read-values.ts'
import type { List, Literal, Property, Value } from './tree.ts'

/** A property that holds an array, or a list of values, properties and lists. */
export function readList(node: unknown, path: string, reading: Reading, depth: number): List {
  if (depth > cql2Limits.depth) throw malformed(path, `is nested deeper than ${cql2Limits.depth} levels`)
  count(reading, 'nodes', path)
  if (isRecord(node) && Object.hasOwn(node, 'property')) return readProperty(node, path, reading)
  refuseFunction(node, path)
  if (!Array.isArray(node)) throw malformed(path, 'is neither a list nor a property reference')
  const members = node.map((member, index) => readMember(member, `${path}.${index}`, reading, depth + 1))
  return { is: 'list', members }
}

function readMember(node: unknown, path: string, reading: Reading, depth: number): Value | List {
  return Array.isArray(node) ? readList(node, path, reading, depth) : readTerm(node, path, reading, depth)
}

/** One value of a list; literals, which may be many, have their own counter. */
export function readTerm(node: unknown, path: string, reading: Reading, depth: number): Literal | Property | Value {
  const literal = readLiteral(node, path)
  if (!literal) return readValue(node, path, reading, depth)
  count(reading, 'terms', path)
  return literal
}
