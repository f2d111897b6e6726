import { findNodataRange } from '../../compute/window/validity.ts'
import { emptyNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import type { Raster } from '../../types.ts'
import type { CommonEncoding, SampleConversion } from './common-encoding.ts'
import type { JoinedSource } from './match-bands.ts'
import type { GridRowReader, GridRows } from './grid-reader.ts'

/**
 * Reads the rows of a file as samples of the common encoding. A band without a value is nodata there, too; alpha always has one.
 */
export function createConvertedReader(
  { raster, bands }: JoinedSource,
  read: GridRowReader,
  conversions: readonly SampleConversion[],
  encoding: CommonEncoding,
): GridRowReader {
  const { lowest, highest } = findNodataRange(raster) ?? emptyNodataRange
  const { allocate } = sampleTypeProperties[encoding.sampleType]
  const nodata = encoding.nodata ?? 0
  const alpha = findAlpha(raster, bands)
  return async (top, rows) => {
    const found = await read(top, rows)
    if (!found) return null
    const { pixels } = found
    const data = allocate(pixels.data.length)
    const { data: samples } = pixels
    for (const [band, { factor, shift }] of conversions.entries())
      for (let at = band; at < samples.length; at += pixels.bands) {
        const sample = samples[at]!
        const isMissing = band !== alpha && ((sample >= lowest && sample <= highest) || sample !== sample)
        data[at] = isMissing ? nodata : sample * factor + shift
      }
    return { ...found, pixels: { ...pixels, data } } satisfies GridRows
  }
}

/** Reads only the pixels in which every band has a value, for images of which only a mask can say where there is nothing. */
export function createCompletePixelReader(
  raster: Raster,
  bands: readonly number[],
  read: GridRowReader,
): GridRowReader {
  const range = findNodataRange(raster)
  if (bands.length < 2 || (range === null && sampleTypeProperties[raster.sampleType].format !== 3)) return read
  const { lowest, highest } = range ?? emptyNodataRange
  const alpha = findAlpha(raster, bands)
  return async (top, rows) => {
    const found = await read(top, rows)
    if (!found) return null
    const { pixels } = found
    const mask = pixels.mask?.slice() ?? new Uint8Array(pixels.width * pixels.rows).fill(255)
    for (let pixel = 0; pixel < mask.length; pixel++)
      for (let band = 0; band < bands.length; band++) {
        const sample = pixels.data[pixel * bands.length + band]!
        if (band !== alpha && ((sample >= lowest && sample <= highest) || sample !== sample)) mask[pixel] = 0
      }
    return { ...found, pixels: { ...pixels, mask } } satisfies GridRows
  }
}

/** Where alpha is among the bands that are read; -1 without one. */
const findAlpha = ({ alphaBand }: Raster, bands: readonly number[]): number =>
  alphaBand === null ? -1 : bands.indexOf(alphaBand)
