import type { FormulaSampleType } from '../../compute/expression/result-type.ts'
import type { PixelRows } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'

/** Description of a band of computed values: floating point, NaN as nodata. */
export const describeComputedBand = (
  name: string,
  sampleType: FormulaSampleType,
): Pick<CogInput, 'sampleType' | 'bands' | 'nodata' | 'masked'> => ({
  sampleType,
  bands: [{ name, colour: 'gray', scale: 1, offset: 0 }],
  nodata: Number.NaN,
  masked: false,
})

/** Values of one band of rows, and where there are any. */
export interface ComputedValueRows {
  readonly width: number
  readonly rows: number
  readonly values: Float32Array | Float64Array
  /** One byte a pixel: 255 where there is a value, else 0. */
  readonly mask: Uint8Array
}

/** Rows as they are written. */
export function encodeComputedValues({ width, rows, values, mask }: ComputedValueRows): PixelRows {
  return { width, rows, bands: 1, data: values.map((value, at) => (mask[at] === 0 ? Number.NaN : value)), mask }
}
