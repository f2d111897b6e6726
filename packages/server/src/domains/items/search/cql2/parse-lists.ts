import { cql2Limits, countElement, isRecord, invalidFilter, rejectFunction, type ParseState } from './limits.ts'
import { parseLiteral, parsePropertyReference, parseScalar } from './parse-values.ts'
import type { ListOperand, Literal, PropertyReference, ScalarExpression } from './ast.ts'

/** A property that holds an array, or a list of values, properties and lists. */
export function parseList(node: unknown, path: string, state: ParseState, depth: number): ListOperand {
  if (depth > cql2Limits.depth) throw invalidFilter(path, `is nested deeper than ${cql2Limits.depth} levels`)
  countElement(state, 'nodes', path)
  if (isRecord(node) && Object.hasOwn(node, 'property')) return parsePropertyReference(node, path, state)
  rejectFunction(node, path)
  if (!Array.isArray(node)) throw invalidFilter(path, 'is neither a list nor a property reference')
  const members = node.map((member, index) => parseListMember(member, `${path}.${index}`, state, depth + 1))
  return { is: 'list', members }
}

function parseListMember(
  node: unknown,
  path: string,
  state: ParseState,
  depth: number,
): ScalarExpression | ListOperand {
  return Array.isArray(node) ? parseList(node, path, state, depth) : parseListTerm(node, path, state, depth)
}

/** One value of a list; literals, which may be many, have their own counter. */
export function parseListTerm(
  node: unknown,
  path: string,
  state: ParseState,
  depth: number,
): Literal | PropertyReference | ScalarExpression {
  const literal = parseLiteral(node, path)
  if (!literal) return parseScalar(node, path, state, depth)
  countElement(state, 'terms', path)
  return literal
}
