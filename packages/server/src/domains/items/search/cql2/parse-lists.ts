import {
  cql2Limits,
  countCql2Element,
  isJsonRecord,
  createInvalidCql2Problem,
  rejectCustomFunction,
  type Cql2ParseState,
} from './limits.ts'
import { parseCql2Literal, parsePropertyReference, parseScalarExpression } from './parse-values.ts'
import type { ListOperand, Cql2Literal, PropertyReference, ScalarExpression } from './ast.ts'

/** A property that holds an array, or a list of values, properties and lists. */
export function parseCql2List(node: unknown, path: string, state: Cql2ParseState, depth: number): ListOperand {
  if (depth > cql2Limits.depth) throw createInvalidCql2Problem(path, `is nested deeper than ${cql2Limits.depth} levels`)
  countCql2Element(state, 'nodes', path)
  if (isJsonRecord(node) && Object.hasOwn(node, 'property')) return parsePropertyReference(node, path, state)
  rejectCustomFunction(node, path)
  if (!Array.isArray(node)) throw createInvalidCql2Problem(path, 'is neither a list nor a property reference')
  const members = node.map((member, index) => parseListMember(member, `${path}.${index}`, state, depth + 1))
  return { is: 'list', members }
}

function parseListMember(
  node: unknown,
  path: string,
  state: Cql2ParseState,
  depth: number,
): ScalarExpression | ListOperand {
  return Array.isArray(node) ? parseCql2List(node, path, state, depth) : parseCql2ListValue(node, path, state, depth)
}

/** One value of a list; literals, which may be many, have their own counter. */
export function parseCql2ListValue(
  node: unknown,
  path: string,
  state: Cql2ParseState,
  depth: number,
): Cql2Literal | PropertyReference | ScalarExpression {
  const literal = parseCql2Literal(node, path)
  if (!literal) return parseScalarExpression(node, path, state, depth)
  countCql2Element(state, 'terms', path)
  return literal
}
