import { addCql2Cost, cql2_costs_ms, computeTextCosts } from './costs.ts'
import {
  cql2Limits,
  countCql2Element,
  isJsonRecord,
  createInvalidCql2Problem,
  parseCql2Arguments,
  rejectCustomFunction,
  createCql2ParseState,
  type Cql2ParseState,
} from './limits.ts'
import { parseCql2List, parseCql2ListValue } from './parse-lists.ts'
import { isGeometryProperty, parseGeometryOperand } from './parse-geometries.ts'
import { parseIntervalOperand } from './parse-temporal.ts'
import { isValueOperator, parseScalarExpression } from './parse-values.ts'
import {
  arrayOperators,
  cql2ComparisonOperators,
  spatialOperators,
  temporalOperators,
  type ComparisonOperator,
  type Cql2Filter,
  type Cql2Operand,
  type Cql2Predicate,
  type ScalarExpression,
} from './ast.ts'

type JsonNode = Readonly<Record<string, unknown>>
type PredicateParser = (node: JsonNode, path: string, state: Cql2ParseState, depth: number) => Cql2Predicate

const rootPath = 'filter'

/**
 * Parses CQL2-JSON to an abstract syntax tree. Throws `unsupported-filter` for an unsupported operator or function and
 * `validation` for a malformed filter or one beyond `cql2Limits`, both with the path.
 */
export const parseCql2 = (filter: unknown): Cql2Filter => parseCondition(filter, rootPath, createCql2ParseState(), 0)

/** An operand in a boolean position. */
function parseCondition(node: unknown, path: string, state: Cql2ParseState, depth: number): Cql2Filter {
  const operand = parseOperand(node, path, state, depth)
  if (isCondition(operand)) return operand
  throw createInvalidCql2Problem(path, 'is not a boolean expression: use a comparison, a boolean or a boolean property')
}

const scalarTypes: ReadonlySet<Cql2Operand['is']> = new Set(['text', 'number', 'instant', 'fold', 'arithmetic'])

const isCondition = (operand: Cql2Operand): operand is Cql2Filter => !scalarTypes.has(operand.is)

/** A scalar or a predicate. */
function parseOperand(node: unknown, path: string, state: Cql2ParseState, depth: number): Cql2Operand {
  if (!isJsonRecord(node) || !Object.hasOwn(node, 'op')) return parseScalarExpression(node, path, state, depth)
  const { op } = node
  if (typeof op !== 'string') throw createInvalidCql2Problem(`${path}.op`, 'is not the name of an operator')
  if (isValueOperator(op.toLowerCase())) return parseScalarExpression(node, path, state, depth)
  if (depth > cql2Limits.depth) throw createInvalidCql2Problem(path, `is nested deeper than ${cql2Limits.depth} levels`)
  const parser = predicateParsers.get(op.toLowerCase())
  rejectCustomFunction(node, path)
  if (!parser) throw createInvalidCql2Problem(`${path}.op`, 'is not an operator that is allowed here')
  countCql2Element(state, 'nodes', path)
  return parser(node, path, state, depth)
}

const parseOperands = ({
  node,
  path,
  state,
  depth,
  min_count,
  max_count = min_count,
}: {
  readonly node: JsonNode
  readonly path: string
  readonly state: Cql2ParseState
  readonly depth: number
  readonly min_count: number
  readonly max_count?: number
}): Cql2Operand[] =>
  parseCql2Arguments(node, path, min_count, max_count).map((argument, index) =>
    parseOperand(argument, `${path}.args.${index}`, state, depth + 1),
  )

const logicParser =
  (is: 'and' | 'or'): PredicateParser =>
  (node, path, state, depth) => {
    const args = parseCql2Arguments(node, path, 1, Infinity)
    return {
      is,
      of: args.map((argument, index) => parseCondition(argument, `${path}.args.${index}`, state, depth + 1)),
    }
  }

const parseNot: PredicateParser = (node, path, state, depth) => ({
  is: 'not',
  of: parseCondition(parseCql2Arguments(node, path, 1)[0], `${path}.args.0`, state, depth + 1),
})

const comparisonParser =
  (operator: ComparisonOperator): PredicateParser =>
  (node, path, state, depth) => {
    const [left, right] = parseOperands({ node, path, state, depth, min_count: 2 }) as [Cql2Operand, Cql2Operand]
    return { is: 'compare', operator, left, right }
  }

const textTypes: ReadonlySet<ScalarExpression['is']> = new Set(['text', 'property', 'fold'])

const parseLike: PredicateParser = (node, path, state, depth) => {
  const [value, pattern] = parseCql2Arguments(node, path, 2).map((argument, index) =>
    parseScalarExpression(argument, `${path}.args.${index}`, state, depth + 1),
  ) as [ScalarExpression, ScalarExpression]
  if (!textTypes.has(value.is)) throw createInvalidCql2Problem(`${path}.args.0`, 'is not a text')
  if (pattern.is !== 'text') throw createInvalidCql2Problem(`${path}.args.1`, 'is not a pattern text')
  if (pattern.value.length > cql2Limits.pattern) {
    throw createInvalidCql2Problem(`${path}.args.1`, `is longer than ${cql2Limits.pattern} characters`)
  }
  const { read, patternCharacter } = computeTextCosts(value)
  addCql2Cost(state, path, read + pattern.value.length * patternCharacter)
  if (/(^|[^\\])(\\\\)*\\$/.test(pattern.value))
    throw createInvalidCql2Problem(`${path}.args.1`, 'ends with the escape character')
  return {
    is: 'like',
    value,
    pattern: pattern.value.replaceAll(/(\\.)|%+/gsu, (found, escaped) => escaped ?? found[0]),
  }
}

/** Drafts of CQL2 put both bounds into a nested list, and clients still send that. */
function flattenBounds(node: Parameters<PredicateParser>[0]): Parameters<PredicateParser>[0] {
  const { args } = node
  if (!Array.isArray(args) || args.length !== 2 || !Array.isArray(args[1])) return node
  return { ...node, args: [args[0], ...(args[1] as unknown[])] }
}

const parseBetween: PredicateParser = (node, path, state, depth) => {
  const [value, low, high] = parseCql2Arguments(flattenBounds(node), path, 3).map((argument, index) => {
    const before_ms = state.cost_ms
    const bound = parseScalarExpression(argument, `${path}.args.${index}`, state, depth + 1)
    // The value is evaluated in two comparisons.
    if (index === 0) addCql2Cost(state, path, state.cost_ms - before_ms)
    return bound
  }) as [ScalarExpression, ScalarExpression, ScalarExpression]
  return { is: 'between', value, low, high }
}

const parseIn: PredicateParser = (node, path, state, depth) => {
  const [value, list] = parseCql2Arguments(node, path, 2)
  const member = parseOperand(value, `${path}.args.0`, state, depth + 1)
  if (!Array.isArray(list)) throw createInvalidCql2Problem(`${path}.args.1`, 'is not a list')
  const at = `${path}.args.1`
  return {
    is: 'in',
    value: member,
    list: list.map((term, index) => parseCql2ListValue(term, `${at}.${index}`, state, depth + 1)),
  }
}

const parseIsNull: PredicateParser = (node, path, state, depth) => {
  const [argument] = parseCql2Arguments(node, path, 1)
  const of = parseOperand(argument, `${path}.args.0`, state, depth + 1)
  return { is: 'isNull', of: of.is === 'property' && isGeometryProperty(of.name) ? { is: 'geometry' } : of }
}

/** A parser of predicates with two arguments of one kind. */
const pairParser =
  <Operator extends string, Argument>(
    cost_ms: number,
    read: (node: unknown, path: string, state: Cql2ParseState, depth: number) => Argument,
    createPredicate: (operator: Operator, left: Argument, right: Argument) => Cql2Predicate,
  ) =>
  (operator: Operator): readonly [string, PredicateParser] => [
    operator.toLowerCase(),
    (node, path, state, depth) => {
      addCql2Cost(state, path, cost_ms)
      const [left, right] = parseCql2Arguments(node, path, 2).map((argument, index) =>
        read(argument, `${path}.args.${index}`, state, depth + 1),
      ) as [Argument, Argument]
      return createPredicate(operator, left, right)
    },
  ]

const spatialParser = pairParser(
  cql2_costs_ms.spatial,
  parseGeometryOperand,
  (operator: (typeof spatialOperators)[number], left, right) => ({
    is: 'spatial',
    operator,
    left,
    right,
  }),
)
const temporalParser = pairParser(
  cql2_costs_ms.temporal,
  parseIntervalOperand,
  (operator: (typeof temporalOperators)[number], left, right) => ({
    is: 'temporal',
    operator,
    left,
    right,
  }),
)
const arrayParser = pairParser(
  cql2_costs_ms.array,
  parseCql2List,
  (operator: (typeof arrayOperators)[number], left, right) => ({
    is: 'array',
    operator,
    left,
    right,
  }),
)

const predicateParsers: ReadonlyMap<string, PredicateParser> = new Map<string, PredicateParser>([
  ['and', logicParser('and')],
  ['or', logicParser('or')],
  ['not', parseNot],
  ...cql2ComparisonOperators.map((operator) => [operator, comparisonParser(operator)] as const),
  ['like', parseLike],
  ['between', parseBetween],
  ['in', parseIn],
  ['isnull', parseIsNull],
  ...spatialOperators.map(spatialParser),
  ...temporalOperators.map(temporalParser),
  ...arrayOperators.map(arrayParser),
])
