import { RasterFailure } from '../../failures.ts'
import { tokenizeExpression } from './tokens.ts'
import type { ExpressionToken } from './tokens.ts'

export type BinaryOperator = '+' | '-' | '*' | '/' | '**' | '<' | '<=' | '>' | '>=' | '==' | '!=' | 'and' | 'or'

/** One step of a formula as data: it is evaluated by walking it, never by running text. */
export type ExpressionNode =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'band'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly operand: ExpressionNode }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: ExpressionNode
      readonly right: ExpressionNode
    }
  | { readonly kind: 'call'; readonly name: string; readonly inputs: readonly ExpressionNode[] }

export interface Expression {
  readonly text: string
  readonly root: ExpressionNode
}

export interface ExpressionLimits {
  readonly characters: number
  readonly nodes: number
  readonly depth: number
}

const defaultLimits: ExpressionLimits = { characters: 2000, nodes: 256, depth: 32 }

/** Functions with their minimum and maximum number of arguments. */
export const expressionFunctionArity: Readonly<Record<string, readonly [min_inputs: number, max_inputs: number]>> = {
  where: [3, 3],
  min: [2, 16],
  max: [2, 16],
  abs: [1, 1],
  sqrt: [1, 1],
  log: [1, 1],
  log10: [1, 1],
  exp: [1, 1],
}

/** From the loosest binding to the tightest; operators of one row bind from the left. */
const operatorsByPrecedence: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  ['<', '<=', '>', '>=', '==', '!='],
  ['+', '-'],
  ['*', '/'],
]
const not_precedence = 2
const comparison_precedence = 2

interface Parser {
  readonly tokens: readonly ExpressionToken[]
  next: number
  nodes: number
  depth: number
  readonly limits: ExpressionLimits
}

/**
 * Reads a band formula: numbers, band names (letters, digits, underscore) or `b1`, `b2` …, `+ - * / **`, comparisons
 * (1 or 0), `and or not`, parentheses and the functions of `FUNCTIONS`. As in Python `**` binds tighter than a sign before
 * it and groups from the right. `log` is the natural logarithm.
 *
 * @throws RasterFailure `expression` with the position of the fault, or when the formula is too long, too large or nested
 * too deeply; both bounded before anything is evaluated.
 */
export function parseExpression(text: string, limits: Partial<ExpressionLimits> = {}): Expression {
  const caps = { ...defaultLimits, ...limits }
  if (text.length > caps.characters)
    throw new RasterFailure('expression', `the formula is longer than ${caps.characters} characters`)
  const parser: Parser = { tokens: tokenizeExpression(text), next: 0, nodes: 0, depth: 0, limits: caps }
  const root = parseRow(parser, 0)
  const rest = peek(parser)
  if (rest.kind !== 'end') throw unexpected(rest)
  return { text, root }
}

/** The distinct band names of an expression, in order of appearance. */
export function listExpressionBands(expression: Expression): string[] {
  const names = new Set<string>()
  const visit = (node: ExpressionNode): void => {
    if (node.kind === 'band') names.add(node.name)
    else if (node.kind === 'unary') visit(node.operand)
    else if (node.kind === 'binary') [node.left, node.right].forEach(visit)
    else if (node.kind === 'call') node.inputs.forEach(visit)
  }
  visit(expression.root)
  return [...names]
}

function peek(parser: Parser): ExpressionToken {
  return parser.tokens[parser.next]!
}

/** Takes the next token if it is this sign or word. */
function take(parser: Parser, text: string): boolean {
  const token = peek(parser)
  if (token.kind === 'end' || token.kind === 'number' || token.text !== text) return false
  parser.next++
  return true
}

function expect(parser: Parser, text: string): void {
  if (!take(parser, text)) throw unexpected(peek(parser), `“${text}”`)
}

function unexpected(token: ExpressionToken, wanted?: string): RasterFailure {
  const found = token.kind === 'end' ? token.text : `“${token.text}”`
  const hint = wanted ? `${wanted} is missing before ` : 'the formula does not go on with '
  return new RasterFailure('expression', `${hint}${found} at position ${token.at}`)
}

function made<T extends ExpressionNode>(parser: Parser, node: T): T {
  if (++parser.nodes > parser.limits.nodes)
    throw new RasterFailure('expression', `the formula has more than ${parser.limits.nodes} parts`)
  return node
}

/** Counts nesting, so that the recursion of reading and of evaluating is bounded. */
function nested<T>(parser: Parser, parse: () => T): T {
  if (++parser.depth > parser.limits.depth)
    throw new RasterFailure('expression', `the formula is nested more than ${parser.limits.depth} deep`)
  const result = parse()
  parser.depth--
  return result
}

function parseRow(parser: Parser, row: number): ExpressionNode {
  const operators = operatorsByPrecedence[row]
  if (!operators) return parseSigned(parser)
  if (row === not_precedence && take(parser, 'not'))
    return made(parser, { kind: 'unary', operator: 'not', operand: nested(parser, () => parseRow(parser, row)) })
  let left = parseRow(parser, row + 1)
  for (let operator; (operator = operators.find((name) => take(parser, name)));) {
    const right = parseRow(parser, row + 1)
    left = made(parser, { kind: 'binary', operator, left, right })
    if (row === comparison_precedence && operators.some((name) => peek(parser).text === name))
      throw new RasterFailure('expression', `join comparisons with “and” at position ${peek(parser).at}`)
  }
  return left
}

function parseSigned(parser: Parser): ExpressionNode {
  if (take(parser, '-'))
    return made(parser, { kind: 'unary', operator: '-', operand: nested(parser, () => parseSigned(parser)) })
  if (take(parser, '+')) return nested(parser, () => parseSigned(parser))
  const left = parseOperand(parser)
  if (!take(parser, '**')) return left
  return made(parser, { kind: 'binary', operator: '**', left, right: nested(parser, () => parseSigned(parser)) })
}

function parseOperand(parser: Parser): ExpressionNode {
  const token = peek(parser)
  if (take(parser, '(')) {
    const inner = nested(parser, () => parseRow(parser, 0))
    expect(parser, ')')
    return inner
  }
  if (token.kind !== 'number' && token.kind !== 'name') throw unexpected(token)
  if (['and', 'or', 'not'].includes(token.text)) throw unexpected(token)
  parser.next++
  if (token.kind === 'number') return made(parser, { kind: 'number', value: Number(token.text) })
  if (take(parser, '(')) return parseCall(parser, token)
  return made(parser, { kind: 'band', name: token.text })
}

function parseCall(parser: Parser, token: ExpressionToken): ExpressionNode {
  const arity = Object.hasOwn(expressionFunctionArity, token.text) ? expressionFunctionArity[token.text]! : null
  if (arity === null)
    throw new RasterFailure('expression', `there is no function “${token.text}” (position ${token.at})`)
  const inputs: ExpressionNode[] = []
  do inputs.push(nested(parser, () => parseRow(parser, 0)))
  while (inputs.length <= arity[1] && take(parser, ','))
  expect(parser, ')')
  if (inputs.length < arity[0] || inputs.length > arity[1])
    throw new RasterFailure('expression', `“${token.text}” takes ${arity[0]} inputs, not ${inputs.length}`)
  return made(parser, { kind: 'call', name: token.text, inputs })
}
