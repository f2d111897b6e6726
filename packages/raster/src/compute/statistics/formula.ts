import { RasterFailure } from '../../failures.ts'
import { evaluateExpression } from '../expression/evaluate.ts'
import { findFormulaSampleType } from '../expression/result-type.ts'
import type { FormulaSampleType } from '../expression/result-type.ts'
import { listExpressionBands } from '../expression/expression.ts'
import type { Expression } from '../expression/expression.ts'
import { emptyNodataRange } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import { findNodataRange } from '../window/validity.ts'
import type { PixelBlock, Raster } from '../../types.ts'
import type { RasterStatisticsOptions } from './measures.ts'

/** A formula over some bands of a raster. */
export interface RasterFormula {
  /** 0-based, in the order in which `apply` wants them. */
  readonly bands: readonly number[]
  /** Of its values. */
  readonly type: FormulaSampleType
  /** Its values over a block of those bands: one band. A pixel counts where every one of its bands has a value. */
  readonly apply: (block: PixelBlock) => PixelBlock
}

/** @throws RasterFailure `expression` where a name leads to no band, or there is none. */
export function createRasterFormula(
  raster: Raster,
  expression: Expression,
  request: Pick<RasterStatisticsOptions, 'names' | 'scaled'>,
): RasterFormula {
  const names = listExpressionBands(expression)
  if (names.length === 0) throw new RasterFailure('expression', 'the formula names no band')
  const bandOf = new Map(names.map((name) => [name, findBand(raster, name, request.names ?? {})]))
  const bands = [...new Set(bandOf.values())]
  const places = new Map([...bandOf].map(([name, band]) => [name, bands.indexOf(band)]))
  const nodata = findNodataRange(raster)
  const type = findFormulaSampleType(expression, (name) => {
    const { scale, offset } = raster.bands[bandOf.get(name)!]!
    return request.scaled ? { type: raster.sampleType, scale, offset } : { type: raster.sampleType }
  })
  return {
    bands,
    type,
    apply(block) {
      const mask = maskMissing(block, nodata)
      const scaled = request.scaled ? scaleBands(raster, bands, block) : block
      return evaluateExpression(expression, { ...scaled, mask }, places, type)
    },
  }
}

function findBand(raster: Raster, name: string, names: Readonly<Record<string, number>>): number {
  const numbered = /^[bB]([1-9]\d*)$/.exec(name)
  const band = Object.hasOwn(names, name) ? names[name]! : numbered ? Number(numbered[1]) - 1 : -1
  if (Number.isInteger(band) && band >= 0 && band < raster.bands.length) return band
  throw new RasterFailure('expression', `the formula names “${name}”, which is not a band of this image`)
}

const step_pixels = 4096
const samples = new Float64Array(step_pixels)

/** The mask of a block, with the pixels left out that miss a value in any band. */
function maskMissing({ data, bands, mask }: PixelBlock, nodata: NodataRange | null): Uint8Array {
  if (nodata === null && !(data instanceof Float32Array || data instanceof Float64Array)) return mask
  const kept = mask.slice()
  const { lowest, highest } = nodata ?? emptyNodataRange
  for (let band = 0; band < bands; band++) {
    for (let pixel = 0; pixel < mask.length; pixel += step_pixels) {
      const length = Math.min(step_pixels, mask.length - pixel)
      const at = band * mask.length + pixel
      samples.set(data.subarray(at, at + length))
      for (let i = 0; i < length; i++) {
        const sample = samples[i]!
        // Only NaN differs from itself.
        if ((sample >= lowest && sample <= highest) || sample !== sample) kept[pixel + i] = 0
      }
    }
  }
  return kept
}

function scaleBands(raster: Raster, bands: readonly number[], block: PixelBlock): PixelBlock {
  const data = new Float64Array(block.data.length)
  data.set(block.data)
  const size = block.width * block.height
  for (const [place, band] of bands.entries()) {
    const { scale, offset } = raster.bands[band]!
    for (let at = place * size; at < (place + 1) * size; at++) data[at] = data[at]! * scale + offset
  }
  return { ...block, data }
}
