import type { PixelBlock } from '../../types.ts'
import type { BinaryOperator, Expression, ExpressionNode } from './expression.ts'
import type { FormulaSampleType } from './result-type.ts'

/** Pixels worked on at a time: intermediate results stay small whatever the size of the block. */
const batch_pixels = 4096

/** The 0-based band of the block for each name of a formula. */
export type FormulaBandIndexes = ReadonlyMap<string, number>

/**
 * Evaluates a formula by walking it, some thousand pixels at a time: slower than the compiled one on large blocks, faster
 * on small ones. Both give the same result, which is described at `evaluate`.
 */
export function evaluateInBatches(
  expression: Expression,
  block: PixelBlock,
  places: FormulaBandIndexes,
  type: FormulaSampleType,
): PixelBlock {
  const count = block.width * block.height
  const data = type === 'float32' ? new Float32Array(count) : new Float64Array(count)
  const mask = new Uint8Array(count)
  for (let start = 0; start < count; start += batch_pixels) {
    const length = Math.min(batch_pixels, count - start)
    const result = evaluateNode(expression.root, block, places, start, length)
    for (let i = 0; i < length; i++) {
      data[start + i] = result[i]!
      const valid = block.mask[start + i] !== 0 && Number.isFinite(data[start + i])
      if (!valid) data[start + i] = NaN
      if (valid) mask[start + i] = 255
    }
  }
  return { width: block.width, height: block.height, bands: 1, data, mask }
}

/** The values of one node for a batch; the answer belongs to the caller, who may overwrite it. */
function evaluateNode(
  node: ExpressionNode,
  block: PixelBlock,
  places: FormulaBandIndexes,
  start: number,
  length: number,
): Float64Array {
  if (node.kind === 'number') return new Float64Array(length).fill(node.value)
  if (node.kind === 'band') {
    const from = places.get(node.name)! * block.width * block.height + start
    return Float64Array.from(block.data.subarray(from, from + length))
  }
  const visit = (inner: ExpressionNode): Float64Array => evaluateNode(inner, block, places, start, length)
  if (node.kind === 'unary') return applyUnary(node.operator, visit(node.operand))
  if (node.kind === 'binary') {
    const left = visit(node.left)
    binaryOperators[node.operator](left, visit(node.right))
    return left
  }
  return functionsByName[node.name]!(node.inputs.map(visit))
}

function applyUnary(operator: '-' | 'not', values: Float64Array): Float64Array {
  const change = operator === '-' ? (value: number): number => -value : negate
  for (let i = 0; i < values.length; i++) values[i] = change(values[i]!)
  return values
}

/** NaN decides nothing and stays. */
function negate(value: number): number {
  if (Number.isNaN(value)) return NaN
  return value === 0 ? 1 : 0
}

type Combine = (left: Float64Array, right: Float64Array) => void

/** One loop for each operator, so that each stays fast; results replace the left side. */
const binaryOperators: Readonly<Record<BinaryOperator, Combine>> = {
  '+': (left, right) => {
    for (let i = 0; i < left.length; i++) left[i]! += right[i]!
  },
  '-': (left, right) => {
    for (let i = 0; i < left.length; i++) left[i]! -= right[i]!
  },
  '*': (left, right) => {
    for (let i = 0; i < left.length; i++) left[i]! *= right[i]!
  },
  '/': (left, right) => {
    for (let i = 0; i < left.length; i++) left[i] = right[i] === 0 ? NaN : left[i]! / right[i]!
  },
  '**': (left, right) => {
    for (let i = 0; i < left.length; i++) left[i]! **= right[i]!
  },
  '<': comparing((a, b) => a < b),
  '<=': comparing((a, b) => a <= b),
  '>': comparing((a, b) => a > b),
  '>=': comparing((a, b) => a >= b),
  '==': comparing((a, b) => a === b),
  '!=': comparing((a, b) => a !== b),
  and: comparing((a, b) => a !== 0 && b !== 0),
  or: comparing((a, b) => a !== 0 || b !== 0),
}

function comparing(holds: (a: number, b: number) => boolean): Combine {
  return (left, right) => {
    for (let i = 0; i < left.length; i++) {
      const a = left[i]!
      const b = right[i]!
      left[i] = a !== a || b !== b ? NaN : holds(a, b) ? 1 : 0
    }
  }
}

const functionsByName: Readonly<Record<string, (inputs: readonly Float64Array[]) => Float64Array>> = {
  where: ([condition, yes, no]) => {
    for (let i = 0; i < condition!.length; i++) {
      const decided = condition![i]!
      condition![i] = decided !== decided ? NaN : decided !== 0 ? yes![i]! : no![i]!
    }
    return condition!
  },
  min: folding(Math.min),
  max: folding(Math.max),
  abs: mapping(Math.abs),
  sqrt: mapping(Math.sqrt),
  log: mapping(Math.log),
  log10: mapping(Math.log10),
  exp: mapping(Math.exp),
}

function mapping(change: (value: number) => number): (inputs: readonly Float64Array[]) => Float64Array {
  return ([values]) => {
    for (let i = 0; i < values!.length; i++) values![i] = change(values![i]!)
    return values!
  }
}

function folding(combine: (a: number, b: number) => number): (inputs: readonly Float64Array[]) => Float64Array {
  return ([first, ...others]) => {
    for (const other of others) for (let i = 0; i < first!.length; i++) first![i] = combine(first![i]!, other[i]!)
    return first!
  }
}
