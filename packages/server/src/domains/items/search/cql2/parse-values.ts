import { normalizeTime } from '../../../../engine/input/normalize-times.ts'
import { parseInstant } from '../../../../engine/input/instant.ts'
import { normalizePropertyName } from '../store.properties.ts'
import { addCql2Cost, cql2_costs_ms, computeTextCosts } from './costs.ts'
import { foldTextCaseOrAccents } from './case-folding.ts'
import {
  cql2Limits,
  countCql2Element,
  isJsonRecord,
  createInvalidCql2Problem,
  parseCql2Arguments,
  parsePropertyName,
  validateStorableText,
  rejectCustomFunction,
  type Cql2ParseState,
} from './limits.ts'
import {
  arithmeticOperators,
  textFoldings,
  type ArithmeticOperator,
  type TextFolding,
  type Cql2Literal,
  type PropertyReference,
  type ScalarExpression,
} from './ast.ts'

const isArithmetic = (operator: string): operator is ArithmeticOperator =>
  arithmeticOperators.includes(operator as ArithmeticOperator)
const isFolding = (operator: string): operator is TextFolding => textFoldings.includes(operator as TextFolding)

/** Operators that yield a value, not a predicate. */
export const isValueOperator = (operator: string): boolean => isArithmetic(operator) || isFolding(operator)

const datePattern = /^\d{4}-\d\d-\d\d$/

/** An RFC 3339 timestamp (UTC without an offset), or the start of a date. Null for other text. */
export const parseTimestampOrDate = (text: string): Date | null => parseInstant(normalizeTime(text, 'start'))

export function parsePropertyReference(
  node: Readonly<Record<string, unknown>>,
  path: string,
  state: Cql2ParseState,
): PropertyReference {
  const property = {
    is: 'property',
    name: normalizePropertyName(parsePropertyName(node['property'], `${path}.property`)),
  } as const
  addCql2Cost(state, path, computeTextCosts(property).read)
  return property
}

/** The instant of `{"timestamp": …}` or `{"date": …}`; null for any other node. */
export function parseInstantLiteral(
  node: Readonly<Record<string, unknown>>,
  path: string,
): Extract<Cql2Literal, { is: 'instant' }> | null {
  const member = ['timestamp', 'date'].find((name) => Object.hasOwn(node, name))
  if (member === undefined) return null
  const text = node[member]
  const value =
    typeof text === 'string' && datePattern.test(text) === (member === 'date') ? parseTimestampOrDate(text) : null
  if (value) return { is: 'instant', value }
  const example = member === 'date' ? '2024-05-01' : '2024-05-01T00:00:00Z'
  throw createInvalidCql2Problem(`${path}.${member}`, `is not an RFC 3339 ${member} such as ${example}`)
}

/** A text, number or boolean literal; null for anything else. */
export function parseCql2Literal(value: unknown, path: string): Exclude<Cql2Literal, { is: 'instant' }> | null {
  if (typeof value === 'string') return { is: 'text', value: validateStorableText(value, path) }
  if (typeof value === 'boolean') return { is: 'boolean', value }
  if (typeof value !== 'number') return null
  if (!Number.isFinite(value)) throw createInvalidCql2Problem(path, 'is not a finite number')
  return { is: 'number', value }
}

/** A scalar: a literal, property reference, text folding or arithmetic. Throws `validation` for other nodes. */
export function parseScalarExpression(
  node: unknown,
  path: string,
  state: Cql2ParseState,
  depth: number,
): ScalarExpression {
  if (depth > cql2Limits.depth) throw createInvalidCql2Problem(path, `is nested deeper than ${cql2Limits.depth} levels`)
  const literal = parseCql2Literal(node, path)
  if (literal) return literal
  if (node === null) throw createInvalidCql2Problem(path, 'cannot compare with null; use isNull')
  if (!isJsonRecord(node)) throw createInvalidCql2Problem(path, 'is not a value')
  countCql2Element(state, 'nodes', path)
  if (Object.hasOwn(node, 'property')) return parsePropertyReference(node, path, state)
  const op = typeof node['op'] === 'string' ? node['op'].toLowerCase() : ''
  if (isFolding(op)) return parseTextFolding({ node, folding: op, path, state, depth })
  if (isArithmetic(op)) return parseArithmetic({ node, operator: op, path, state, depth })
  rejectCustomFunction(node, path)
  const instant = parseInstantLiteral(node, path)
  if (instant) return instant
  throw createInvalidCql2Problem(path, 'is not a text, number, boolean, date, timestamp, property or value operator')
}

function parseTextFolding({
  node,
  folding,
  path,
  state,
  depth,
}: {
  readonly node: Readonly<Record<string, unknown>>
  readonly folding: TextFolding
  readonly path: string
  readonly state: Cql2ParseState
  readonly depth: number
}): ScalarExpression {
  const of = parseScalarExpression(parseCql2Arguments(node, path, 1)[0], `${path}.args.0`, state, depth + 1)
  if (of.is === 'text') {
    addCql2Cost(state, path, of.value.length * cql2_costs_ms.literalCharacter)
    return { is: 'text', value: foldTextCaseOrAccents(of.value, folding) }
  }
  if (of.is === 'property' || of.is === 'fold') {
    addCql2Cost(state, path, computeTextCosts(of)[folding])
    return { is: 'fold', how: folding, of }
  }
  throw createInvalidCql2Problem(`${path}.args.0`, 'is not a text')
}

const isNumeric = (value: ScalarExpression): boolean => ['number', 'property', 'arithmetic'].includes(value.is)

function parseArithmetic({
  node,
  operator,
  path,
  state,
  depth,
}: {
  readonly node: Readonly<Record<string, unknown>>
  readonly operator: ArithmeticOperator
  readonly path: string
  readonly state: Cql2ParseState
  readonly depth: number
}): ScalarExpression {
  countCql2Element(state, 'arithmetic', path)
  const [left, right] = parseCql2Arguments(node, path, 2).map((argument, index) => {
    const value = parseScalarExpression(argument, `${path}.args.${index}`, state, depth + 1)
    if (!isNumeric(value)) throw createInvalidCql2Problem(`${path}.args.${index}`, 'is not a number')
    return value
  }) as [ScalarExpression, ScalarExpression]
  return { is: 'arithmetic', operator, left, right }
}
