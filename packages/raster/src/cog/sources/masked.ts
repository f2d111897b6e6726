import { RasterFailure } from '../../failures.ts'
import type { PixelRows, Raster } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { createGridReader } from './grid-reader.ts'
import { padRows } from './pad-rows.ts'
import { findInheritedMetadata } from './inherited-metadata.ts'
import { createRowReader } from './row-reader.ts'
import { toRasterGrid } from './suggest-warp-grid.ts'

export interface MaskedInputOptions {
  /** 0-based band of the classification. */
  readonly band: number
  /** Values of the classification whose pixels are removed. */
  readonly classes?: readonly number[]
  /** Bits of the classification, counted from 0, any of which removes a pixel. */
  readonly bits?: readonly number[]
  readonly signal?: AbortSignal
}

const max_bit = 31

/**
 * A raster without the pixels that a classification marks, such as clouds. The classification may lie on another grid:
 * its nearest pixel counts. Where it has no value a pixel stays. Removed pixels are nodata, or zeros in a file without
 * a nodata value, where a mask or the alpha band marks them as empty.
 *
 * @throws RasterFailure `request` for neither classes nor bits or a band that does not exist, and the failures of
 * `prepareWarp`.
 */
export function createMaskedInput(raster: Raster, classification: Raster, options: MaskedInputOptions): CogInput {
  const { band, classes = [], bits = [], signal } = options
  if (!classification.bands[band]) throw new RasterFailure('request', `the classification has no band ${band + 1}`)
  if (classes.length === 0 && bits.length === 0) throw new RasterFailure('request', 'no class and no bit was chosen')
  if (bits.some((bit) => !Number.isInteger(bit) || bit < 0 || bit > max_bit))
    throw new RasterFailure('request', `bits are counted from 0 to ${max_bit}`)
  const bands = raster.bands.map((_, index) => index)
  const read = createRowReader(raster, bands, [0, 0, raster.width, raster.height], signal)
  const grid = toRasterGrid(raster)
  const readClasses = createGridReader(classification, grid, [band], 'nearest', signal)
  const isRemoved = createTest(classes, bits)
  const { nodata, sampleType: type } = classification
  return {
    ...findInheritedMetadata(raster, bands),
    width: raster.width,
    height: raster.height,
    georeferencing: { affine: raster.affine, crs: raster.crs, geoTags: raster.geoTags },
    readRows: async (top, rows) => {
      const shape = { width: grid.width, top, rows, bands: 1, type, nodata }
      return removePixels(await read(top, rows), padRows(await readClasses(top, rows), shape), isRemoved, raster.nodata)
    },
  }
}

function createTest(classes: readonly number[], bits: readonly number[]): (value: number) => boolean {
  const chosen = new Set(classes)
  const flags = bits.reduce((sum, bit) => sum + 2 ** bit, 0) >>> 0
  return (value) => chosen.has(value) || (value & flags) !== 0
}

function removePixels(
  read: PixelRows,
  classes: PixelRows,
  isRemoved: (value: number) => boolean,
  nodata: number | null,
): PixelRows {
  const { bands } = read
  const data = read.data.slice()
  const mask = read.mask?.slice() ?? new Uint8Array(read.width * read.rows).fill(255)
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (classes.mask?.[pixel] === 0 || !isRemoved(classes.data[pixel]!)) continue
    mask[pixel] = 0
    data.fill(nodata ?? 0, pixel * bands, (pixel + 1) * bands)
  }
  return { ...read, data, mask }
}
