import { RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import type { CogBand } from './band-metadata.ts'
import type { CogInput, CogOptions } from './cog-types.ts'
import { tiffCompressions } from './compress.ts'
import type { CogCompression } from './packing.ts'
import { buildGeoFields } from './geo-fields.ts'
import type { CogGeoreferencing } from './geo-fields.ts'
import type { OverviewResampling } from './downsample.ts'

/** Everything the header and the directories say, apart from where the blocks lie. */
export interface CogPlan {
  readonly sampleType: SampleType
  readonly bands: readonly CogBand[]
  /** Null in lossy files, where the mask marks the missing pixels. */
  readonly nodata: number | null
  readonly masked: boolean
  readonly palette: Uint8Array | null
  readonly whiteIsZero: boolean
  readonly placement: CogGeoreferencing
  readonly metadata: Readonly<Record<string, string>>
  readonly compression: CogCompression
  /** Effort of deflate or zstd. */
  readonly level: number
  readonly quality: number
  readonly lossless: boolean
  readonly predictor: 1 | 2 | 3
  readonly sparse: boolean
  /** Band after band. */
  readonly overviews: readonly OverviewResampling[]
  /** Side of a block in pixels. */
  readonly block: number
  /** Full resolution first. */
  readonly levels: readonly { readonly width: number; readonly height: number }[]
}

const strip_bytes = 134_217_728
const max_strip_bytes = 268_435_456
const tile_bytes = 16_777_216
const max_side = 2_147_483_647
const max_bands = 65_535
const default_quality = 75

/**
 * Decides how an image is written.
 *
 * @throws RasterFailure `request` for an image or options that cannot be, `budget` when a row of blocks would not fit.
 */
export function planCog(input: CogInput, options: CogOptions): CogPlan {
  const { width, height, bands, sampleType } = input
  if (![width, height].every((side) => Number.isSafeInteger(side) && side > 0 && side <= max_side))
    throw new RasterFailure('request', `an image of ${width}×${height} pixels cannot be written`)
  if (bands.length < 1 || bands.length > max_bands)
    throw new RasterFailure('request', `an image of ${bands.length} bands cannot be written`)
  const palette = bands.length === 1 && ['uint8', 'uint16'].includes(sampleType) ? (input.palette ?? null) : null
  const compression = options.compression ?? 'deflate'
  checkCompression(compression, sampleType, bands, palette !== null)
  const lossy = compression === 'jpeg' || (compression === 'webp' && !options.lossless)
  // Fails now rather than when all the pixels are written.
  buildGeoFields(input.georeferencing)
  const pixelBytes = (sampleTypeProperties[sampleType].bits / 8) * bands.length
  const block = chooseBlock(width, pixelBytes, options.block ?? 512)
  return {
    sampleType,
    bands,
    nodata: lossy ? null : input.nodata,
    masked: input.masked || (lossy && input.nodata !== null),
    palette,
    whiteIsZero: input.whiteIsZero ?? false,
    placement: input.georeferencing,
    metadata: input.metadata ?? {},
    compression,
    level: checkRange(
      'a compression level',
      options.level ?? tiffCompressions[compression].effort,
      tiffCompressions[compression].most,
    ),
    quality: checkRange('a quality', options.quality ?? default_quality, 100),
    lossless: options.lossless ?? false,
    predictor: choosePredictor(compression, sampleType, options.predictor ?? palette === null),
    sparse: options.sparse ?? false,
    overviews: chooseOverviews(bands, palette !== null, options.overviews),
    block,
    levels: planLevels(width, height, block),
  }
}

function checkCompression(
  compression: CogCompression,
  sampleType: SampleType,
  bands: readonly CogBand[],
  indexed: boolean,
): void {
  const { name, imageBandCounts } = tiffCompressions[compression]
  if (imageBandCounts === null) return
  const refuse = (what: string): never => {
    throw new RasterFailure('request', `${name} does not hold ${what}`)
  }
  if (sampleType !== 'uint8') refuse(`samples of type ${sampleType}`)
  if (indexed) refuse('indices into a palette')
  if (!imageBandCounts.includes(bands.length)) refuse(`${bands.length} bands: it takes ${imageBandCounts.join(' or ')}`)
  const alpha = bands.findIndex((band) => band.colour === 'alpha')
  if (bands.length === 4 ? alpha !== 3 : alpha >= 0)
    refuse(bands.length === 4 ? 'a fourth band that is not alpha' : 'an alpha band here')
}

function checkRange(what: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new RasterFailure('request', `${what} of ${value} is not between 1 and ${most}`)
}

function choosePredictor(compression: CogCompression, sampleType: SampleType, wanted: boolean): 1 | 2 | 3 {
  if (!wanted || !tiffCompressions[compression].predicts) return 1
  return sampleTypeProperties[sampleType].format === 3 ? 3 : 2
}

function chooseOverviews(
  bands: readonly CogBand[],
  indexed: boolean,
  wanted: CogOptions['overviews'],
): OverviewResampling[] {
  return bands.map((band, index) => {
    const chosen = band.overview ?? (typeof wanted === 'object' ? wanted[index] : wanted) ?? 'average'
    // A mean of indices is the index of some other colour.
    return chosen === 'average' && (indexed || band.colour === 'palette') ? 'mode' : chosen
  })
}

function chooseBlock(width: number, pixelBytes: number, wanted: number): number {
  let block = wanted
  while (block > 128 && (width * block * pixelBytes > strip_bytes || block * block * pixelBytes > tile_bytes))
    block /= 2
  if (width * block * pixelBytes > max_strip_bytes)
    throw new RasterFailure(
      'budget',
      `rows of ${width} pixels with ${pixelBytes} bytes each are too long to be written`,
    )
  return block
}

/** Halves, rounding up, until the image fits in one block. */
function planLevels(width: number, height: number, block: number): { width: number; height: number }[] {
  const levels = [{ width, height }]
  for (let last = levels[0]!; last.width > block || last.height > block; last = levels.at(-1)!)
    levels.push({ width: Math.ceil(last.width / 2), height: Math.ceil(last.height / 2) })
  return levels
}
