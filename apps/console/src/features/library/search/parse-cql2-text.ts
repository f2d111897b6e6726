import { readGeometry, readTime } from './cql2-literals.ts'
import { createTokenReader, type TokenReader } from './cql2-reader.ts'

/** An expression of CQL2 JSON. */
export type Cql2Json = unknown

const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const
/** Names of operators that CQL2 JSON writes in lower case, whatever their case in the text. */
const standardFunction = /^(s_|t_|a_|casei$|accenti$)/i

const call = (op: string, ...args: readonly Cql2Json[]): Cql2Json => ({ op, args })

/**
 * Translates CQL2 text to the CQL2 JSON that `stac.search` accepts (OGC 21-065r2). Throws `Cql2SyntaxError` with the place
 * of the mistake.
 */
export function parseCql2Text(source: string): Readonly<Record<string, unknown>> {
  const reader = createTokenReader(source)
  const condition = readOr(reader)
  if (reader.peek().kind !== 'end') reader.fail('AND, OR or the end')
  if (typeof condition !== 'object' || condition === null || !('op' in condition)) return { op: 'and', args: [condition, true] } // prettier-ignore
  return condition as Readonly<Record<string, unknown>>
}

/** The conditions that `AND` joins, as they are written; a text without `AND` is one. Throws `Cql2SyntaxError`. */
export function splitConditions(source: string): string[] {
  parseCql2Text(source)
  const reader = createTokenReader(source)
  const parts: string[] = []
  do {
    const start = reader.peek().at
    readNot(reader)
    parts.push(source.slice(start, reader.peek().at).trim())
  } while (reader.takeKeyword('AND'))
  return reader.seesKeyword('OR') ? [source.trim()] : parts
}

/** True if the text is several conditions that `OR` joins: it needs parentheses beside others. */
export function isAlternative(source: string): boolean {
  const reader = createTokenReader(source)
  readAnd(reader)
  return reader.seesKeyword('OR')
}

function readChain(reader: TokenReader, keyword: 'AND' | 'OR', readOperand: (reader: TokenReader) => Cql2Json) {
  const operands = [readOperand(reader)]
  while (reader.takeKeyword(keyword)) operands.push(readOperand(reader))
  return operands.length === 1 ? operands[0] : call(keyword.toLowerCase(), ...operands)
}

const readOr = (reader: TokenReader): Cql2Json => readChain(reader, 'OR', readAnd)
const readAnd = (reader: TokenReader): Cql2Json => readChain(reader, 'AND', readNot)

const readNot = (reader: TokenReader): Cql2Json =>
  reader.takeKeyword('NOT') ? call('not', readNot(reader)) : readPredicate(reader)

function readPredicate(reader: TokenReader): Cql2Json {
  const left = readSum(reader)
  const comparison = comparisons.find((operator) => reader.takeSymbol(operator))
  if (comparison) return call(comparison, left, readSum(reader))
  if (reader.takeKeyword('IS')) {
    const isNegated = reader.takeKeyword('NOT')
    reader.expectKeyword('NULL')
    return negateIf(isNegated, call('isNull', left))
  }
  const isNegated = reader.takeKeyword('NOT')
  if (reader.takeKeyword('LIKE')) return negateIf(isNegated, call('like', left, readSum(reader)))
  if (reader.takeKeyword('IN')) return negateIf(isNegated, call('in', left, readArguments(reader)))
  if (reader.takeKeyword('BETWEEN')) {
    const low = readSum(reader)
    reader.expectKeyword('AND')
    return negateIf(isNegated, call('between', left, low, readSum(reader)))
  }
  return isNegated ? reader.fail('LIKE, IN or BETWEEN') : left
}

const negateIf = (isNegated: boolean, condition: Cql2Json): Cql2Json => (isNegated ? call('not', condition) : condition)

/** Operators of one rank, from the left. */
function readLeft(
  reader: TokenReader,
  takeOperator: () => string | undefined,
  readOperand: (reader: TokenReader) => Cql2Json,
): Cql2Json {
  let left = readOperand(reader)
  for (let operator = takeOperator(); operator !== undefined; operator = takeOperator())
    left = call(operator, left, readOperand(reader))
  return left
}

const readSum = (reader: TokenReader): Cql2Json =>
  readLeft(reader, () => ['+', '-'].find((symbol) => reader.takeSymbol(symbol)), readProduct)

const readProduct = (reader: TokenReader): Cql2Json =>
  readLeft(
    reader,
    () =>
      ['*', '/', '%'].find((symbol) => reader.takeSymbol(symbol)) ?? (reader.takeKeyword('DIV') ? 'div' : undefined),
    readPower,
  )

function readPower(reader: TokenReader): Cql2Json {
  const base = readUnary(reader)
  return reader.takeSymbol('^') ? call('^', base, readUnary(reader)) : base
}

function readUnary(reader: TokenReader): Cql2Json {
  if (!reader.takeSymbol('-')) return readOperand(reader)
  const operand = readOperand(reader)
  return typeof operand === 'number' ? -operand : call('*', -1, operand)
}

function readOperand(reader: TokenReader): Cql2Json {
  const { kind, value } = reader.peek()
  if (kind === 'number') return Number(reader.next().value)
  if (kind === 'text') return reader.next().value
  if (reader.takeKeyword('TRUE')) return true
  if (reader.takeKeyword('FALSE')) return false
  if (kind === 'symbol' && value === '(') return readParentheses(reader)
  const literal = readTime(reader, () => readSum(reader)) ?? readGeometry(reader)
  if (literal) return literal
  if (kind !== 'name') return reader.fail('A property, a value or “(”')
  reader.next()
  if (reader.peek().value !== '(' || reader.peek().kind !== 'symbol') return { property: value }
  const name = standardFunction.test(value) ? value.toLowerCase() : value
  return call(name, ...readArguments(reader))
}

/** An expression in parentheses, or a list of values as array operators have it. */
function readParentheses(reader: TokenReader): Cql2Json {
  const members = readArguments(reader)
  return members.length === 1 ? members[0] : members
}

function readArguments(reader: TokenReader): Cql2Json[] {
  reader.expectSymbol('(')
  const members: Cql2Json[] = []
  if (reader.takeSymbol(')')) return members
  do members.push(readOr(reader))
  while (reader.takeSymbol(','))
  reader.expectSymbol(')')
  return members
}
