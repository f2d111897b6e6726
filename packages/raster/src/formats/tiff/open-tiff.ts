import { applyAffine } from '@swath/geo/affine.ts'
import { parseGeoKeyDirectory } from '../crs/parse-geo-keys.ts'
import { resolveCrs } from '../crs/resolve.ts'
import { RasterFailure } from '../../failures.ts'
import type { BandInfo, RasterLevel, Raster, SampleType, RasterByteSource } from '../../types.ts'
import { readTiffBaselineMetadata } from './baseline-metadata.ts'
import { type TiffDirectory, readTiffDirectories, readTiffHeader } from './directory.ts'
import { type GdalMetadata, parseGdalMetadata, readGdalBandStatistics } from './gdal-metadata.ts'
import { readGeoTags, readTiffGeoreferencing } from './geo.ts'
import type { TiffHeaderReader } from './header-reader.ts'
import {
  type LevelDirectory,
  classifyTiffDirectory,
  isOverviewOf,
  readTiffLevel,
  findSampleTypeOfLevel,
} from './levels.ts'
import { tiffTags } from './tags.ts'
import { sampleTypeProperties } from '../../sample-types.ts'

/**
 * The value that stands for "nothing here", as the samples hold it: rounded to float32 where they are, NaN for `nan`.
 * Text that is no number, or a number that the samples cannot hold, means that there is no such value.
 */
export function parseNodata(text: string | undefined, sampleType: SampleType): number | null {
  const word = text?.trim().toLowerCase() ?? ''
  const isWord = Object.hasOwn(valuesByWord, word)
  const value = isWord ? valuesByWord[word]! : word === '' ? Number.NaN : Number(word)
  if (Number.isNaN(value) && !isWord) return null
  if (sampleType === 'float64') return value
  if (sampleType === 'float32') return Math.fround(value)
  const { lowest, highest } = sampleTypeProperties[sampleType]
  return Number.isInteger(value) && value >= lowest && value <= highest ? value : null
}

const valuesByWord: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  '-nan': Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
}

const palette_photometric = 3

/** Reads the header of a TIFF into plain values, no pixels; see `openRaster` for its failures. */
export async function openTiff(source: RasterByteSource, reader: TiffHeaderReader): Promise<Raster> {
  const classified: LevelDirectory[] = []
  for (const directory of await readTiffDirectories(reader, await readTiffHeader(reader)))
    classified.push(await classifyTiffDirectory(directory))
  const levels = await readLevels(classified)
  const base = levels[0]!
  const directory = classified.find((entry) => !entry.mask)!.directory
  const sampleType = findSampleTypeOfLevel(base)
  const geoTags = await readGeoTags(directory)
  const keys = parseGeoKeyDirectory(geoTags)
  const { affine, placement } = await readTiffGeoreferencing(directory, keys, Math.hypot(base.width, base.height))
  const bandCount = base.storage.samplesPerPixel
  const metadata = parseGdalMetadata(await directory.text(tiffTags.gdalMetadata), bandCount)
  const described = await readTiffBaselineMetadata(directory)
  const alphaBand = await readAlphaBand(directory, metadata)
  return {
    source,
    sampleType,
    bands: describeBands(base, metadata, alphaBand),
    levels,
    affine: affine ?? [0, 1, 0, 0, 0, 1],
    crs: await resolveCrs(keys, affine ? applyAffine(affine, base.width / 2, base.height / 2) : undefined),
    nodata: parseNodata(await directory.text(tiffTags.gdalNodata), sampleType),
    alphaBand,
    palette: await readPalette(directory, base),
    georeferenced: affine !== null,
    georeferencing: placement,
    geoTags,
    metadata: { ...described, ...metadata.file },
    width: base.width,
    height: base.height,
  }
}

/** The full image and its overviews from large to small, each with the mask of its own size. */
async function readLevels(classified: readonly LevelDirectory[]): Promise<RasterLevel[]> {
  const base = classified.find((entry) => !entry.mask)
  if (!base) throw new RasterFailure('damaged', 'the TIFF contains masks but no image')
  const overviews = classified.filter(
    (entry) =>
      entry !== base && entry.reduced && !entry.mask && entry.width <= base.width && entry.height <= base.height,
  )
  overviews.sort((a, b) => b.width - a.width)
  const levels: RasterLevel[] = []
  for (const entry of [base, ...overviews]) {
    const index = levels.length
    const maskEntry = classified.find(
      (other) => other.mask && other.width === entry.width && other.height === entry.height,
    )
    const mask = maskEntry ? await readTiffLevel(maskEntry, index, null) : null
    if (mask && mask.storage.bitsPerSample > 8) {
      throw new RasterFailure('unsupported', `a mask of ${mask.storage.bitsPerSample} bits is not read`)
    }
    const level = await readTiffLevel(entry, index, mask)
    if (index === 0 || isOverviewOf(levels[0]!, level)) levels.push(level)
  }
  return levels
}

// GDAL's colour of a band takes precedence over the TIFF field: near infrared is often filed as "extra: alpha".
async function readAlphaBand(directory: TiffDirectory, { bands }: GdalMetadata): Promise<number | null> {
  const named = bands.findIndex((band) => band.colour === 'alpha')
  if (named >= 0) return named
  const extra = (await directory.numbers(tiffTags.extraSamples)) ?? []
  const position = extra.findIndex((kind) => kind === 1 || kind === 2)
  const band = bands.length - extra.length + position
  return position < 0 || bands[band] === undefined || bands[band].colour !== null ? null : band
}

async function readPalette(directory: TiffDirectory, base: RasterLevel): Promise<Uint8Array | null> {
  if ((await directory.first(tiffTags.photometric, 1)) !== palette_photometric) return null
  const colours = await directory.numbers(tiffTags.colorMap, 196_608)
  const size = 2 ** base.storage.bitsPerSample
  if (!colours || colours.length !== size * 3) return null
  // All reds come first, then greens, then blues, each in 16 bits.
  return Uint8Array.from({ length: size * 3 }, (_, at) => colours[(at % 3) * size + Math.floor(at / 3)]! >> 8)
}

const coloursByPhotometric: Readonly<Record<number, readonly string[]>> = {
  0: ['gray'],
  1: ['gray'],
  2: ['red', 'green', 'blue'],
  3: ['palette'],
  6: ['red', 'green', 'blue'],
}

function describeBands(base: RasterLevel, metadata: GdalMetadata, alphaBand: number | null): BandInfo[] {
  const colours = coloursByPhotometric[base.photometric] ?? []
  return metadata.bands.map((band, index) => ({
    name: band.description,
    colour: index === alphaBand ? 'alpha' : (band.colour ?? colours[index] ?? 'undefined'),
    scale: band.scale,
    offset: band.offset,
    unit: band.unit,
    statistics: readGdalBandStatistics(band.items),
  }))
}
