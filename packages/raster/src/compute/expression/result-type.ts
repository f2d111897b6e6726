import type { SampleType } from '../../types.ts'
import type { Expression, ExpressionNode } from './expression.ts'

/** The sample type of the values of a formula. */
export type FormulaSampleType = 'float32' | 'float64'

/** What is known of a band that a formula names: the samples of its file, and how they become values. */
export interface FormulaBandValues {
  readonly type: SampleType
  /** Default 1 and 0. */
  readonly scale?: number
  readonly offset?: number
}

/** Whole numbers below this are exact as float32. */
const max_exact_float32 = 2 ** 24
const wideTypes: readonly SampleType[] = ['uint32', 'int32', 'float64']
/** The largest magnitude of samples of 8 and 16 bits. */
const max_small_sample = { uint8: 255, int8: 128, uint16: 65_535, int16: 32_768 } as const

/**
 * The type that the values of a formula need: float64 where a band has samples of 32-bit integers or 64 bits, where scale and
 * offset make values with more digits than float32 has, where it is one band with a scale that makes fractions, where the formula has a number beyond 2^24, and where it makes
 * whole numbers beyond that of whole numbers; else float32. Both are computed in float64.
 */
export function findFormulaSampleType(
  { root }: Expression,
  bandOf: (name: string) => FormulaBandValues,
): FormulaSampleType {
  const isWide = (node: ExpressionNode): boolean => {
    if (node.kind === 'number') return Math.abs(node.value) > max_exact_float32
    if (node.kind === 'band') return hasWideValues(bandOf(node.name))
    return inputsOf(node).some(isWide)
  }
  if (isWide(root) || (root.kind === 'band' && isScaled(bandOf(root.name)))) return 'float64'
  return findWholeMagnitude(root, bandOf) > max_exact_float32 ? 'float64' : 'float32'
}

const isScaled = ({ type, scale = 1, offset = 0 }: FormulaBandValues): boolean =>
  type !== 'float32' && !(Number.isInteger(scale) && Number.isInteger(offset))

function inputsOf(node: ExpressionNode): readonly ExpressionNode[] {
  if (node.kind === 'unary') return [node.operand]
  if (node.kind === 'binary') return [node.left, node.right]
  return node.kind === 'call' ? node.inputs : []
}

function hasWideValues({ type, scale = 1, offset = 0 }: FormulaBandValues): boolean {
  if (wideTypes.includes(type)) return true
  if (type === 'float32') return offset !== 0
  return Math.abs(offset / scale) + 65_535 > max_exact_float32
}

/**
 * The largest magnitude that the values of a node can have, where they are whole numbers because they are sums, differences and
 * products of whole numbers; -Infinity where they need not be whole. Then float32 rounds them as it rounds all fractions.
 */
function findWholeMagnitude(node: ExpressionNode, bandOf: (name: string) => FormulaBandValues): number {
  if (node.kind === 'number') return Number.isInteger(node.value) ? Math.abs(node.value) : -Infinity
  if (node.kind === 'band') {
    const { type, scale = 1, offset = 0 } = bandOf(node.name)
    const largest = Object.hasOwn(max_small_sample, type) ? max_small_sample[type as 'uint8'] : -Infinity
    return Number.isInteger(scale) && Number.isInteger(offset)
      ? largest * Math.abs(scale) + Math.abs(offset)
      : -Infinity
  }
  const inputs = inputsOf(node).map((input) => findWholeMagnitude(input, bandOf))
  if (node.kind === 'unary') return node.operator === '-' ? inputs[0]! : 1
  if (node.kind === 'binary') return combineMagnitudes(node.operator, inputs[0]!, inputs[1]!)
  if (node.name === 'where') return Math.max(...inputs.slice(1))
  return ['abs', 'min', 'max'].includes(node.name) ? Math.max(...inputs) : -Infinity
}

function combineMagnitudes(operator: string, left: number, right: number): number {
  if (['+', '-', '*', '**'].includes(operator)) {
    if (left < 0 || right < 0) return -Infinity
    if (operator === '*') return left * right
    return operator === '**' ? left ** right : left + right
  }
  return operator === '/' ? -Infinity : 1
}
