import { LRUCache } from 'lru-cache'
import { RasterFailure } from '../../failures.ts'
import { compileFunctionText } from '../../sample-loops.ts'
import { getSampleTypeOfArray } from '../../sample-types.ts'
import type { SampleArray } from '../../types.ts'
import type { FormulaBandIndexes } from './evaluate-batches.ts'
import { expressionFunctionArity } from './expression.ts'
import type { BinaryOperator, Expression, ExpressionNode } from './expression.ts'
import type { FormulaSampleType } from './result-type.ts'

/** Fills `out` from bands of the same length. */
type Run = (out: Float32Array | Float64Array, ...bands: SampleArray[]) => void

interface Compiled {
  readonly run: Run
  /** 0-based bands of the block, in the order in which `run` wants them. */
  readonly bands: readonly number[]
}

const max_functions = 256
const max_depth = 1000

const functions = new LRUCache<string, Run>({ max: max_functions })

/**
 * A function for a formula and a sample type, or null in a process that may not run texts. Its text is made of the
 * formula's structure alone: names that are counted, operators and functions that stand in the tables below, and
 * numbers. No text of a caller gets into it. Equal parts of a formula are computed once. The functions used last are
 * cached.
 *
 * @throws RasterFailure `expression` for a formula with unknown parts.
 */
export function compileExpression(
  expression: Expression,
  places: FormulaBandIndexes,
  samples: SampleArray,
  type: FormulaSampleType = 'float32',
): Compiled | null {
  const bands = [...new Set(places.values())]
  const body = writeBody(expression.root, places, bands)
  // The types stand in the text, because functions of the same text share the type feedback of the engine.
  const text = `return (out${bands.map((_, i) => `, b${i}`).join('')}) => {${body}} // ${getSampleTypeOfArray(samples)} ${type}`
  const known = functions.get(text)
  if (known) return { run: known, bands }
  const run = compileFunctionText([], text)?.() as Run | undefined
  if (!run) return null
  functions.set(text, run)
  return { run, bands }
}

/** NaN as an operation: the name would be looked up, which makes the loop three times slower. */
const nanSource = '0 / 0'

function writeBody(root: ExpressionNode, places: FormulaBandIndexes, bands: readonly number[]): string {
  const writer: Writer = { lines: [], known: new Map(), places, bands }
  const result = write(writer, root, 0)
  return `
  for (let i = 0; i < out.length; i++) {
    ${[...writer.lines, `out[i] = ${result}`].join('\n    ')}
  }
`
}

interface Writer {
  readonly lines: string[]
  /** The variable of each result, by the text that computes it. */
  readonly known: Map<string, string>
  readonly places: FormulaBandIndexes
  readonly bands: readonly number[]
}

/** Writes the lines that compute a node and gives the name of the result. */
function write(writer: Writer, node: ExpressionNode, depth: number): string {
  if (depth > max_depth) throw new RasterFailure('expression', 'the formula is nested too deeply')
  const inner = (input: ExpressionNode): string => write(writer, input, depth + 1)
  if (node.kind === 'number') return named(writer, literal(node.value))
  if (node.kind === 'band') return named(writer, `b${writer.bands.indexOf(writer.places.get(node.name)!)}[i]`)
  if (node.kind === 'unary') return named(writer, lookUp(unaryOperators, node.operator)(inner(node.operand)))
  if (node.kind === 'binary')
    return named(writer, lookUp(binaryOperators, node.operator)(inner(node.left), inner(node.right)))
  if (node.kind === 'call') return writeCall(writer, node.name, node.inputs.map(inner))
  throw new RasterFailure('expression', 'the formula has a part that is not supported')
}

function writeCall(writer: Writer, name: string, inputs: readonly string[]): string {
  const [min_inputs, max_inputs] = lookUp(expressionFunctionArity, name)
  if (inputs.length < min_inputs || inputs.length > max_inputs)
    throw new RasterFailure('expression', 'the formula has a function with too few or too many inputs')
  const [first, ...others] = inputs as [string, ...string[]]
  if (name === 'where')
    return named(writer, `${first} !== ${first} ? ${nanSource} : ${first} !== 0 ? ${others[0]} : ${others[1]}`)
  if (name === 'min' || name === 'max')
    return others.reduce((left, right) => named(writer, `Math.${name}(${left}, ${right})`), first)
  return named(writer, `Math.${name}(${first})`)
}

function lookUp<Row>(table: Readonly<Record<string, Row>>, key: string): Row {
  if (!Object.hasOwn(table, key)) throw new RasterFailure('expression', 'the formula has a part that is not supported')
  return table[key]!
}

function named(writer: Writer, text: string): string {
  const known = writer.known.get(text)
  if (known !== undefined) return known
  const name = `t${writer.lines.length}`
  writer.lines.push(`const ${name} = ${text}`)
  writer.known.set(text, name)
  return name
}

/** JSON has no numbers for NaN, infinities and -0. */
function literal(value: number): string {
  if (typeof value !== 'number')
    throw new RasterFailure('expression', 'the formula has a number that cannot be computed with')
  return Object.is(value, -0) || !Number.isFinite(value)
    ? String(Object.is(value, -0) ? '-0' : value)
    : JSON.stringify(value)
}

const unaryOperators: Readonly<Record<'-' | 'not', (value: string) => string>> = {
  '-': (value) => `-${value}`,
  not: (value) => `${value} !== ${value} ? ${nanSource} : ${value} === 0 ? 1 : 0`,
}

const comparing =
  (holds: (left: string, right: string) => string) =>
  (left: string, right: string): string =>
    `${left} !== ${left} || ${right} !== ${right} ? ${nanSource} : ${holds(left, right)} ? 1 : 0`

const binaryOperators: Readonly<Record<BinaryOperator, (left: string, right: string) => string>> = {
  '+': (left, right) => `${left} + ${right}`,
  '-': (left, right) => `${left} - ${right}`,
  '*': (left, right) => `${left} * ${right}`,
  '/': (left, right) => `${right} === 0 ? ${nanSource} : ${left} / ${right}`,
  '**': (left, right) => `${left} ** ${right}`,
  '<': comparing((left, right) => `${left} < ${right}`),
  '<=': comparing((left, right) => `${left} <= ${right}`),
  '>': comparing((left, right) => `${left} > ${right}`),
  '>=': comparing((left, right) => `${left} >= ${right}`),
  '==': comparing((left, right) => `${left} === ${right}`),
  '!=': comparing((left, right) => `${left} !== ${right}`),
  and: comparing((left, right) => `${left} !== 0 && ${right} !== 0`),
  or: comparing((left, right) => `(${left} !== 0 || ${right} !== 0)`),
}
