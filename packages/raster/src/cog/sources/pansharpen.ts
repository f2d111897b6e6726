import { RasterFailure } from '../../failures.ts'
import { isNodataSample, emptyNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import { findNodataRange } from '../../compute/window/validity.ts'
import type { BandInfo, PixelRows, Raster, Resampling } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { padRows } from './pad-rows.ts'
import type { BandOfFile } from './formula-rows.ts'
import { haveEqualUnits } from './match-bands.ts'
import { createGridReader } from './grid-reader.ts'
import { findCommonSampleType } from './copy.ts'
import { createRowReader } from './row-reader.ts'
import { toRasterGrid } from './suggest-warp-grid.ts'

export interface PansharpenOptions {
  /** The panchromatic band, whose grid the result has. */
  readonly pan: BandOfFile
  /** The bands that are sharpened, in the order of the result. */
  readonly spectral: readonly BandOfFile[]
  /** Weight of each band in the panchromatic band; default equal weights. */
  readonly weights?: readonly number[]
  /** Resampling of the bands to the finer grid; default bilinear. */
  readonly resampling?: Resampling
  readonly signal?: AbortSignal
}

/** A band that is sharpened, row by row on the grid of the panchromatic one. */
interface SpectralReader {
  readonly read: (top: number, rows: number) => Promise<PixelRows>
  readonly missing: NodataRange
  readonly scale: number
  readonly offset: number
}

/**
 * Colours of a coarse image with the detail of a panchromatic one, by the weighted Brovey transform (Gillespie, Kahle and
 * Walker 1987), as gdal_pansharpen computes it: each band times pan, over the weighted sum of all bands. Where scales of the bands
 * differ or they have an offset, it takes the values that the samples stand for; the result keeps scale and offset of each band.
 * A pixel is valid where pan and all bands are; it is black where the sum is nothing.
 *
 * @throws RasterFailure `request` for bands that are not there or weights that do not match, and what `prepareWarp` throws.
 */
export function createPansharpenInput(rasters: readonly Raster[], options: PansharpenOptions): CogInput {
  const { pan, spectral, resampling = 'bilinear', signal } = options
  const weights = options.weights ?? spectral.map(() => 1 / spectral.length)
  checkOptions(rasters, options, weights)
  const fine = rasters[pan.raster]!
  const grid = toRasterGrid(fine)
  const sampleType = findCommonSampleType(spectral.map(({ raster }) => rasters[raster]!))
  const scaleOf = createScaleRule(rasters, options)
  const readPan = createRowReader(fine, [pan.band], [0, 0, fine.width, fine.height], signal)
  const bands = spectral.map(({ raster: index, band }): SpectralReader => {
    const raster = rasters[index]!
    const read = createGridReader(raster, grid, [band], resampling, signal)
    const shape = { width: grid.width, bands: 1, type: raster.sampleType, nodata: raster.nodata }
    return {
      read: async (top, rows) => padRows(await read(top, rows), { ...shape, top, rows }),
      missing: findNodataRange(raster) ?? emptyNodataRange,
      ...scaleOf({ raster: index, band }),
    }
  })
  return {
    width: fine.width,
    height: fine.height,
    sampleType,
    bands: spectral.map(({ raster, band }) => rasters[raster]!.bands[band]!),
    nodata: null,
    masked: true,
    georeferencing: { affine: fine.affine, crs: fine.crs, geoTags: fine.geoTags },
    readRows: async (top, rows) => {
      const panRows = await readPan(top, rows)
      const read: PixelRows[] = []
      for (const band of bands) read.push(await band.read(top, rows))
      const light = { missing: findNodataRange(fine) ?? emptyNodataRange, ...scaleOf(pan) }
      return sharpen(panRows, light, { read, bands, weights, type: sampleType })
    },
  }
}

function checkOptions(
  rasters: readonly Raster[],
  { pan, spectral }: PansharpenOptions,
  weights: readonly number[],
): void {
  if (spectral.length === 0) throw new RasterFailure('request', 'no band is to be sharpened')
  for (const { raster, band } of [pan, ...spectral])
    if (!rasters[raster]?.bands[band]) throw new RasterFailure('request', `file ${raster + 1} has no band ${band + 1}`)
  if (weights.length !== spectral.length)
    throw new RasterFailure('request', `${weights.length} weights for ${spectral.length} bands`)
  if (!weights.every((weight) => Number.isFinite(weight) && weight >= 0) || !weights.some((weight) => weight > 0))
    throw new RasterFailure('request', 'weights are numbers from zero on, not all of them zero')
}

type BandScale = Pick<BandInfo, 'scale' | 'offset'>

/** Scale and offset of the bands where they decide about the result: equal scales alone change no quotient. */
function createScaleRule(
  rasters: readonly Raster[],
  { pan, spectral }: PansharpenOptions,
): (place: BandOfFile) => BandScale {
  const infoOf = ({ raster, band }: BandOfFile): BandInfo => rasters[raster]!.bands[band]!
  const { scale, unit } = infoOf(pan)
  for (const place of spectral)
    if (!haveEqualUnits(infoOf(place).unit, unit))
      throw new RasterFailure(
        'request',
        `a band is in ${infoOf(place).unit} and the panchromatic one in ${unit}: values of different units cannot be joined`,
      )
  const isPlain = [pan, ...spectral].map(infoOf).every((info) => info.scale === scale && info.offset === 0)
  return (place) => (isPlain ? { scale: 1, offset: 0 } : { scale: infoOf(place).scale, offset: infoOf(place).offset })
}

interface SpectralRows {
  readonly read: readonly PixelRows[]
  readonly bands: readonly SpectralReader[]
  readonly weights: readonly number[]
  readonly type: Raster['sampleType']
}

function sharpen(
  pan: PixelRows,
  panBand: Omit<SpectralReader, 'read'>,
  { read, bands, weights, type }: SpectralRows,
): PixelRows {
  const { width, rows } = pan
  const count = bands.length
  const { format, lowest, highest, allocate } = sampleTypeProperties[type]
  const isWhole = format !== 3
  const data = allocate(width * rows * count)
  const mask = new Uint8Array(width * rows)
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const light = pan.data[pixel]!
    let isValid = pan.mask?.[pixel] !== 0 && !isNodataSample(light, panBand.missing)
    let sum = 0
    for (let band = 0; band < count && isValid; band++) {
      const sample = read[band]!.data[pixel]!
      isValid = read[band]!.mask?.[pixel] !== 0 && !isNodataSample(sample, bands[band]!.missing)
      sum += weights[band]! * (sample * bands[band]!.scale + bands[band]!.offset)
    }
    if (!isValid) continue
    mask[pixel] = 255
    const factor = sum === 0 ? 0 : (light * panBand.scale + panBand.offset) / sum
    for (let band = 0; band < count; band++) {
      const { scale, offset } = bands[band]!
      const value = ((read[band]!.data[pixel]! * scale + offset) * factor - offset) / scale
      data[pixel * count + band] = isWhole ? Math.min(highest, Math.max(lowest, Math.floor(value + 0.5))) : value
    }
  }
  return { width, rows, bands: count, data, mask }
}
