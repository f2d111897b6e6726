import { emptyNodataRange, sampleTypeProperties, isNodataSample, getSampleTypeOfArray } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import { findNodataRange } from '../../compute/window/validity.ts'
import type { PixelRows, Raster, SampleType } from '../../types.ts'
import type { GridRowReader } from './grid-reader.ts'

/** A file whose values are combined with those of others, band by band. */
export interface CombinedValueLayer {
  readonly read: GridRowReader
  /** For each band, the samples that say that it has no value in a pixel that other bands make valid. NaN is none either. */
  readonly missing: readonly NodataRange[]
}

/**
 * Opens a file for combining its values with those of others.
 *
 * @param bands those that are read, in their order.
 * @param range the samples that are nodata in what is read; default: those of the file.
 */
export function openCombinedLayer(
  raster: Raster,
  bands: readonly number[],
  read: GridRowReader,
  range = findNodataRange(raster),
): CombinedValueLayer {
  const nodata = range ?? emptyNodataRange
  // Alpha tells how much of a pixel is seen; it has no nodata.
  return { read, missing: bands.map((band) => (band === raster.alphaBand ? emptyNodataRange : nodata)) }
}

/** The combined values of some rows: pixel by pixel, all bands together. */
export interface CombinedBandRows {
  readonly values: Float64Array
  /** Of how many files each value is; 0 for none. */
  readonly counts: Uint16Array
}

/** Rows that take combined values, and what of them says that a band has none. */
export interface CombinedValueTarget {
  /** Filled with nodata, and wholly masked. */
  readonly pixels: PixelRows
  /** Null if only the mask can say that there is nothing. */
  readonly nodata: NodataRange | null
  readonly alphaBand: number | null
}

/**
 * Writes values into rows of an image, from pixel `first` on, rounded where samples are whole numbers. A band without a value
 * keeps nodata, and a value that happens to equal nodata moves one step away. Where only the mask can say that there is
 * nothing, a pixel is valid if all of its bands have a value.
 */
export function writeCombinedValues(
  { values, counts }: CombinedBandRows,
  target: CombinedValueTarget,
  first: number,
): void {
  const { pixels, nodata, alphaBand } = target
  const { bands, data } = pixels
  const type = getSampleTypeOfArray(data)
  const isWhole = sampleTypeProperties[type].format !== 3
  const needed = nodata === null ? bands : 1
  for (let from = 0, pixel = first; from < values.length; from += bands, pixel++) {
    let found = 0
    for (let band = 0; band < bands; band++) if (counts[from + band] !== 0) found++
    if (found < needed) continue
    pixels.mask![pixel] = 255
    for (let band = 0; band < bands; band++) {
      if (counts[from + band] === 0) continue
      const [value, at] = [values[from + band]!, pixel * bands + band]
      data[at] = isWhole ? Math.floor(value + 0.5) : value
      if (band !== alphaBand && isNodataSample(data[at]!, nodata)) data[at] = besideNodata(nodata, type)
    }
  }
}

/** A sample beside nodata: one down for integers, or up from the lowest, as in gdalwarp; for fractions a little towards zero. */
function besideNodata({ lowest, highest }: NodataRange, type: SampleType): number {
  if (sampleTypeProperties[type].format !== 3)
    return lowest === sampleTypeProperties[type].lowest ? lowest + 1 : lowest - 1
  const end = lowest > 0 ? lowest : highest
  return end === 0 ? 1e-30 : end * (1 - 2 ** -22)
}
