import { spellTime } from '../../../engine/spell-times.ts'
import { readInstant } from '../datetime.ts'
import { propertyName } from '../store.properties.ts'
import { charge, costs_ms, textCostsOf } from './costs.ts'
import { fold } from './folding.ts'
import {
  cql2Limits,
  count,
  isRecord,
  malformed,
  readArguments,
  readName,
  readText,
  refuseFunction,
  type Reading,
} from './reading.ts'
import {
  arithmetics,
  foldings,
  type Arithmetic,
  type Folding,
  type Literal,
  type Property,
  type Value,
} from './tree.ts'

const isArithmetic = (operator: string): operator is Arithmetic => arithmetics.includes(operator as Arithmetic)
const isFolding = (operator: string): operator is Folding => foldings.includes(operator as Folding)

/** Operators that yield a value, not a predicate. */
export const isValueOperator = (operator: string): boolean => isArithmetic(operator) || isFolding(operator)

const day = /^\d{4}-\d\d-\d\d$/

/** An RFC 3339 timestamp (UTC without an offset), or the start of a date. Null for other text. */
export const readMoment = (text: string): Date | null => readInstant(spellTime(text, 'start'))

export function readProperty(node: Readonly<Record<string, unknown>>, path: string, reading: Reading): Property {
  const property = { is: 'property', name: propertyName(readName(node['property'], `${path}.property`)) } as const
  charge(reading, path, textCostsOf(property).read)
  return property
}

/** The instant of `{"timestamp": …}` or `{"date": …}`; null for any other node. */
export function instantIn(
  node: Readonly<Record<string, unknown>>,
  path: string,
): Extract<Literal, { is: 'instant' }> | null {
  const member = ['timestamp', 'date'].find((name) => Object.hasOwn(node, name))
  if (member === undefined) return null
  const text = node[member]
  const value = typeof text === 'string' && day.test(text) === (member === 'date') ? readMoment(text) : null
  if (value) return { is: 'instant', value }
  const example = member === 'date' ? '2024-05-01' : '2024-05-01T00:00:00Z'
  throw malformed(`${path}.${member}`, `is not an RFC 3339 ${member} such as ${example}`)
}

/** A text, number or boolean literal; null for anything else. */
export function readLiteral(value: unknown, path: string): Exclude<Literal, { is: 'instant' }> | null {
  if (typeof value === 'string') return { is: 'text', value: readText(value, path) }
  if (typeof value === 'boolean') return { is: 'boolean', value }
  if (typeof value !== 'number') return null
  if (!Number.isFinite(value)) throw malformed(path, 'is not a finite number')
  return { is: 'number', value }
}

/** A scalar: a literal, property reference, text folding or arithmetic. Throws `validation` for other nodes. */
export function readValue(node: unknown, path: string, reading: Reading, depth: number): Value {
  if (depth > cql2Limits.depth) throw malformed(path, `is nested deeper than ${cql2Limits.depth} levels`)
  const literal = readLiteral(node, path)
  if (literal) return literal
  if (node === null) throw malformed(path, 'cannot compare with null; use isNull')
  if (!isRecord(node)) throw malformed(path, 'is not a value')
  count(reading, 'nodes', path)
  if (Object.hasOwn(node, 'property')) return readProperty(node, path, reading)
  const op = typeof node['op'] === 'string' ? node['op'].toLowerCase() : ''
  if (isFolding(op)) return readFold(node, op, path, reading, depth)
  if (isArithmetic(op)) return readArithmetic(node, op, path, reading, depth)
  refuseFunction(node, path)
  const instant = instantIn(node, path)
  if (instant) return instant
  throw malformed(path, 'is not a text, number, boolean, date, timestamp, property or value operator')
}

function readFold(
  node: Readonly<Record<string, unknown>>,
  how: Folding,
  path: string,
  reading: Reading,
  depth: number,
): Value {
  const of = readValue(readArguments(node, path, 1)[0], `${path}.args.0`, reading, depth + 1)
  if (of.is === 'text') {
    charge(reading, path, of.value.length * costs_ms.literalCharacter)
    return { is: 'text', value: fold(of.value, how) }
  }
  if (of.is === 'property' || of.is === 'fold') {
    charge(reading, path, textCostsOf(of)[how])
    return { is: 'fold', how, of }
  }
  throw malformed(`${path}.args.0`, 'is not a text')
}

const isNumeric = (value: Value): boolean => ['number', 'property', 'arithmetic'].includes(value.is)

function readArithmetic(
  node: Readonly<Record<string, unknown>>,
  operator: Arithmetic,
  path: string,
  reading: Reading,
  depth: number,
): Value {
  count(reading, 'arithmetic', path)
  const [left, right] = readArguments(node, path, 2).map((argument, index) => {
    const value = readValue(argument, `${path}.args.${index}`, reading, depth + 1)
    if (!isNumeric(value)) throw malformed(`${path}.args.${index}`, 'is not a number')
    return value
  }) as [Value, Value]
  return { is: 'arithmetic', operator, left, right }
}
