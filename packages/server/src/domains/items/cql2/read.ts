import { charge, costs_ms, textCostsOf } from './costs.ts'
import {
  cql2Limits,
  count,
  isRecord,
  malformed,
  readArguments,
  refuseFunction,
  startReading,
  type Reading,
} from './reading.ts'
import { readList, readTerm } from './read-lists.ts'
import { isGeometryName, readShape } from './read-shapes.ts'
import { readInterval } from './read-times.ts'
import { isValueOperator, readValue } from './read-values.ts'
import {
  arrayOperators,
  comparisons,
  spatialOperators,
  temporalOperators,
  type Comparison,
  type Cql2,
  type Operand,
  type Predicate,
  type Value,
} from './tree.ts'

type Node = Readonly<Record<string, unknown>>
type Reader = (node: Node, path: string, reading: Reading, depth: number) => Predicate

const root = 'filter'

/**
 * Parses CQL2-JSON to an abstract syntax tree. Throws `unsupported-filter` for an unsupported operator or function and
 * `validation` for a malformed filter or one beyond `cql2Limits`, both with the path.
 */
export const readCql2 = (filter: unknown): Cql2 => readCondition(filter, root, startReading(), 0)

/** An operand in a boolean position. */
function readCondition(node: unknown, path: string, reading: Reading, depth: number): Cql2 {
  const operand = readOperand(node, path, reading, depth)
  if (isCondition(operand)) return operand
  throw malformed(path, 'is not a boolean expression: use a comparison, a boolean or a boolean property')
}

const values: ReadonlySet<Operand['is']> = new Set(['text', 'number', 'instant', 'fold', 'arithmetic'])

const isCondition = (operand: Operand): operand is Cql2 => !values.has(operand.is)

/** A scalar or a predicate. */
function readOperand(node: unknown, path: string, reading: Reading, depth: number): Operand {
  if (!isRecord(node) || !Object.hasOwn(node, 'op')) return readValue(node, path, reading, depth)
  const { op } = node
  if (typeof op !== 'string') throw malformed(`${path}.op`, 'is not the name of an operator')
  if (isValueOperator(op.toLowerCase())) return readValue(node, path, reading, depth)
  if (depth > cql2Limits.depth) throw malformed(path, `is nested deeper than ${cql2Limits.depth} levels`)
  const reader = readers.get(op.toLowerCase())
  refuseFunction(node, path)
  if (!reader) throw malformed(`${path}.op`, 'is not an operator that is allowed here')
  count(reading, 'nodes', path)
  return reader(node, path, reading, depth)
}

const operandsOf = (
  node: Node,
  path: string,
  reading: Reading,
  depth: number,
  least: number,
  most = least,
): Operand[] =>
  readArguments(node, path, least, most).map((argument, index) =>
    readOperand(argument, `${path}.args.${index}`, reading, depth + 1),
  )

const readLogic =
  (is: 'and' | 'or'): Reader =>
  (node, path, reading, depth) => {
    const args = readArguments(node, path, 1, Infinity)
    return {
      is,
      of: args.map((argument, index) => readCondition(argument, `${path}.args.${index}`, reading, depth + 1)),
    }
  }

const readNot: Reader = (node, path, reading, depth) => ({
  is: 'not',
  of: readCondition(readArguments(node, path, 1)[0], `${path}.args.0`, reading, depth + 1),
})

const readComparison =
  (operator: Comparison): Reader =>
  (node, path, reading, depth) => {
    const [left, right] = operandsOf(node, path, reading, depth, 2) as [Operand, Operand]
    return { is: 'compare', operator, left, right }
  }

const textual: ReadonlySet<Value['is']> = new Set(['text', 'property', 'fold'])

const readLike: Reader = (node, path, reading, depth) => {
  const [value, pattern] = readArguments(node, path, 2).map((argument, index) =>
    readValue(argument, `${path}.args.${index}`, reading, depth + 1),
  ) as [Value, Value]
  if (!textual.has(value.is)) throw malformed(`${path}.args.0`, 'is not a text')
  if (pattern.is !== 'text') throw malformed(`${path}.args.1`, 'is not a pattern text')
  if (pattern.value.length > cql2Limits.pattern) {
    throw malformed(`${path}.args.1`, `is longer than ${cql2Limits.pattern} characters`)
  }
  const { read, patternCharacter } = textCostsOf(value)
  charge(reading, path, read + pattern.value.length * patternCharacter)
  if (/(^|[^\\])(\\\\)*\\$/.test(pattern.value)) throw malformed(`${path}.args.1`, 'ends with the escape character')
  return {
    is: 'like',
    value,
    pattern: pattern.value.replaceAll(/(\\.)|%+/gsu, (found, escaped) => escaped ?? found[0]),
  }
}

/** Drafts of CQL2 put both bounds into a nested list, and clients still send that. */
function withFlatBounds(node: Parameters<Reader>[0]): Parameters<Reader>[0] {
  const { args } = node
  if (!Array.isArray(args) || args.length !== 2 || !Array.isArray(args[1])) return node
  return { ...node, args: [args[0], ...(args[1] as unknown[])] }
}

const readBetween: Reader = (node, path, reading, depth) => {
  const [value, low, high] = readArguments(withFlatBounds(node), path, 3).map((argument, index) => {
    const before_ms = reading.cost_ms
    const bound = readValue(argument, `${path}.args.${index}`, reading, depth + 1)
    // The value is evaluated in two comparisons.
    if (index === 0) charge(reading, path, reading.cost_ms - before_ms)
    return bound
  }) as [Value, Value, Value]
  return { is: 'between', value, low, high }
}

const readIn: Reader = (node, path, reading, depth) => {
  const [value, list] = readArguments(node, path, 2)
  const member = readOperand(value, `${path}.args.0`, reading, depth + 1)
  if (!Array.isArray(list)) throw malformed(`${path}.args.1`, 'is not a list')
  const at = `${path}.args.1`
  return {
    is: 'in',
    value: member,
    list: list.map((term, index) => readTerm(term, `${at}.${index}`, reading, depth + 1)),
  }
}

const readIsNull: Reader = (node, path, reading, depth) => {
  const [argument] = readArguments(node, path, 1)
  const of = readOperand(argument, `${path}.args.0`, reading, depth + 1)
  return { is: 'isNull', of: of.is === 'property' && isGeometryName(of.name) ? { is: 'geometry' } : of }
}

/** A parser of predicates with two arguments of one kind. */
const readPair =
  <Operator extends string, Argument>(
    cost_ms: number,
    read: (node: unknown, path: string, reading: Reading, depth: number) => Argument,
    made: (operator: Operator, left: Argument, right: Argument) => Predicate,
  ) =>
  (operator: Operator): readonly [string, Reader] => [
    operator.toLowerCase(),
    (node, path, reading, depth) => {
      charge(reading, path, cost_ms)
      const [left, right] = readArguments(node, path, 2).map((argument, index) =>
        read(argument, `${path}.args.${index}`, reading, depth + 1),
      ) as [Argument, Argument]
      return made(operator, left, right)
    },
  ]

const spatialPair = readPair(
  costs_ms.spatial,
  readShape,
  (operator: (typeof spatialOperators)[number], left, right) => ({
    is: 'spatial',
    operator,
    left,
    right,
  }),
)
const temporalPair = readPair(
  costs_ms.temporal,
  readInterval,
  (operator: (typeof temporalOperators)[number], left, right) => ({
    is: 'temporal',
    operator,
    left,
    right,
  }),
)
const arrayPair = readPair(costs_ms.array, readList, (operator: (typeof arrayOperators)[number], left, right) => ({
  is: 'array',
  operator,
  left,
  right,
}))

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['and', readLogic('and')],
  ['or', readLogic('or')],
  ['not', readNot],
  ...comparisons.map((operator) => [operator, readComparison(operator)] as const),
  ['like', readLike],
  ['between', readBetween],
  ['in', readIn],
  ['isnull', readIsNull],
  ...spatialOperators.map(spatialPair),
  ...temporalOperators.map(temporalPair),
  ...arrayOperators.map(arrayPair),
])
