import { RasterFailure } from '../../failures.ts'
import { getSampleTypeOfArray } from '../../sample-types.ts'
import type { PixelBlock } from '../../types.ts'
import { compileExpression } from './compile.ts'
import { evaluateInBatches } from './evaluate-batches.ts'
import type { FormulaBandIndexes } from './evaluate-batches.ts'
import { listExpressionBands } from './expression.ts'
import type { Expression } from './expression.ts'
import { findFormulaSampleType } from './result-type.ts'
import type { FormulaSampleType } from './result-type.ts'

/** Fewer pixels than this are done before a function is compiled. */
const min_pixels_to_compile = 4096

/** The 0-based band of the block for each name. */
export type BandIndexByName = Readonly<Record<string, number>> | ReadonlyMap<string, number>

/**
 * Evaluates an expression at every valid pixel: one band, computed in float64. A pixel is invalid where the block's
 * mask is 0 and where the result is not finite (division by zero, the root or logarithm of a negative number); its sample
 * is then NaN. A NaN inside a comparison, `and`, `or` or a condition propagates.
 *
 * @param type of the result; default what the samples and the formula need (`findFormulaSampleType`).
 * @param bandIndexByName names of the form `b3` that it does not hold mean the third band.
 * @throws RasterFailure `expression` for an unknown band name.
 */
export function evaluateExpression(
  expression: Expression,
  block: PixelBlock,
  bandIndexByName: BandIndexByName,
  type: FormulaSampleType = findTypeForSamples(expression, block),
): PixelBlock {
  const places = findBands(expression, block, bandIndexByName)
  const { width, height } = block
  const count = width * height
  const compiled = count < min_pixels_to_compile ? null : compileExpression(expression, places, block.data, type)
  if (compiled === null) return evaluateInBatches(expression, block, places, type)
  const data = type === 'float32' ? new Float32Array(count) : new Float64Array(count)
  const mask = new Uint8Array(count)
  const bands = compiled.bands.map((band) => block.data.subarray(band * count, (band + 1) * count))
  compiled.run(data, ...bands)
  if (data instanceof Float32Array) markFinite(data, mask, block.mask)
  else markFiniteDoubles(data, mask, block.mask)
  return { width, height, bands: 1, data, mask }
}

const exponent_mask = 0x7f_80_00_00
const nan_bits = 0x7f_c0_00_00

/**
 * Writes 255 for finite samples that the mask of the block lets through and NaN for all others. It works on the bits of
 * the samples without a branch: a float32 with all exponent bits set is no finite number.
 */
function markFinite(samples: Float32Array, valid: Uint8Array, mask: Uint8Array): void {
  const words = new Int32Array(samples.buffer)
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const keep = (((word & exponent_mask) - exponent_mask) >> 31) & -((mask[i]! + 255) >> 8)
    valid[i] = keep
    words[i] = (word & keep) | (nan_bits & ~keep)
  }
}

function markFiniteDoubles(samples: Float64Array, valid: Uint8Array, mask: Uint8Array): void {
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i]!
    // Of the finite numbers alone the difference from itself is 0.
    if (sample - sample === 0 && mask[i] !== 0) valid[i] = 255
    else samples[i] = NaN
  }
}

function findTypeForSamples(expression: Expression, { data }: PixelBlock): FormulaSampleType {
  const values = { type: getSampleTypeOfArray(data) }
  return findFormulaSampleType(expression, () => values)
}

function findBands(expression: Expression, block: PixelBlock, given: BandIndexByName): FormulaBandIndexes {
  const known = given instanceof Map ? (given as FormulaBandIndexes) : new Map(Object.entries(given))
  return new Map(
    listExpressionBands(expression).map((name) => {
      const numbered = /^[bB]([1-9]\d*)$/.exec(name)
      const index = known.get(name) ?? (numbered ? Number(numbered[1]) - 1 : -1)
      if (!(index >= 0 && index < block.bands))
        throw new RasterFailure('expression', `the formula names “${name}”, which is not a band of this image`)
      return [name, index]
    }),
  )
}
