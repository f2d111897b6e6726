import { RasterFailure } from '../../failures.ts'
import type { RasterLevel, DeferredNumberList, SampleType } from '../../types.ts'
import type { TiffDirectory } from './directory.ts'
import { tiffTags } from './tags.ts'

const max_pixels_a_side = 4_194_304
const max_blocks = 4_194_304
const max_bands = 4096
/**
 * A block (tile or strip) is decoded whole, except an uncompressed one. Deflate makes a thousand bytes of one, so without
 * a bound a small file takes as much memory as it claims, in every thread that reads it.
 */
const max_block_bytes = 134_217_728

const jpeg_compression = 7
const ycbcr_photometric = 6
/** The compressions that can have a predictor; with any other the field is ignored, as in libtiff. */
const predictedCompressions: ReadonlySet<number> = new Set([5, 8, 32_946, 50_000])
const coloursNotRead: Readonly<Record<number, string>> = {
  6: 'YCbCr (without JPEG)',
  8: 'CIE L*a*b*',
  9: 'ICC L*a*b*',
  10: 'ITU L*a*b*',
  32844: 'CIE log L',
  32845: 'CIE log Luv',
}

/** A directory with the fields that determine its kind: the image, an overview of it or a mask. */
export interface LevelDirectory {
  readonly directory: TiffDirectory
  readonly reduced: boolean
  readonly mask: boolean
  readonly width: number
  readonly height: number
}

export async function classifyTiffDirectory(directory: TiffDirectory): Promise<LevelDirectory> {
  const subfile = await directory.first(tiffTags.subfileType, 0)
  const width = await directory.first(tiffTags.width, 0)
  const height = await directory.first(tiffTags.height, 0)
  return { directory, reduced: (subfile & 1) !== 0, mask: (subfile & 4) !== 0, width, height }
}

/** Reads how one level is laid out and packed; everything that contradicts itself is a `damaged` failure. */
export async function readTiffLevel(
  { directory, width, height }: LevelDirectory,
  index: number,
  mask: RasterLevel | null,
): Promise<RasterLevel> {
  const { first } = directory
  checkSide(width)
  checkSide(height)
  const samplesPerPixel = await readSampleCount(directory)
  const bitsPerSample = await readUniform(directory, tiffTags.bitsPerSample, 1, 'bits a sample')
  if (!Number.isInteger(bitsPerSample)) throw new RasterFailure('damaged', `samples cannot have ${bitsPerSample} bits`)
  const sampleFormat = await readUniform(directory, tiffTags.sampleFormat, 1, 'a sample format')
  const compression = await first(tiffTags.compression, 1)
  const photometric = await first(tiffTags.photometric, 1)
  const reversedBits = (await first(tiffTags.fillOrder, 1)) === 2
  checkColours(photometric, compression)
  checkBitOrder(reversedBits, compression, bitsPerSample)
  const planar = (await first(tiffTags.planarConfiguration, 1)) === 2 && samplesPerPixel > 1 ? 2 : 1
  const { block, striped } = await readBlockShape(directory, width, height)
  const columns = Math.ceil(width / block[0])
  const rows = Math.ceil(height / block[1])
  const blocks = columns * rows * (planar === 2 ? samplesPerPixel : 1)
  if (blocks > max_blocks)
    throw new RasterFailure('budget', `the image has ${blocks} tiles or strips; ${max_blocks} are read`)
  // Samples of less than a byte are spread over whole ones.
  const blockBits = block[0] * block[1] * Math.max(8, bitsPerSample) * (planar === 2 ? 1 : samplesPerPixel)
  if (blockBits / 8 > max_block_bytes && compression !== 1) {
    throw new RasterFailure('budget', 'a single tile or strip of the image has more than 128 MiB of pixels')
  }
  return {
    index,
    width,
    height,
    block,
    compression,
    predictor: predictedCompressions.has(compression) ? await first(tiffTags.predictor, 1) : 1,
    planar,
    photometric,
    mask,
    storage: {
      littleEndian: directory.littleEndian,
      bitsPerSample,
      samplesPerPixel,
      sampleFormat: sampleFormat === 2 || sampleFormat === 3 ? sampleFormat : checkUnsigned(sampleFormat),
      columns,
      rows,
      striped,
      reversedBits,
      offsets: blockRun(
        directory,
        striped ? tiffTags.stripOffsets : tiffTags.tileOffsets,
        blocks,
        'where its image begins',
      )!,
      byteCounts: blockRun(directory, striped ? tiffTags.stripByteCounts : tiffTags.tileByteCounts, blocks, null),
      jpegTables: compression === jpeg_compression ? await readJpegTables(directory, photometric) : null,
      lercWrapping: (await directory.numbers(tiffTags.lercParameters, 16))?.[1] ?? 0,
      jpeg2000: null,
    },
  }
}

async function readSampleCount({ first }: TiffDirectory): Promise<number> {
  const count = await first(tiffTags.samplesPerPixel, 1)
  if (Number.isInteger(count) && count >= 1 && count <= max_bands) return count
  throw new RasterFailure('damaged', `the file claims to have ${count} bands`)
}

/** Without a marker a decoder takes any three components for YCbCr; this one (Adobe's, transform 0) says that they are not. */
const adobeRgbMarker = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0]
const startAndEnd = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)

async function readJpegTables(directory: TiffDirectory, photometric: number): Promise<Uint8Array | null> {
  const tables = await directory.bytes(tiffTags.jpegTables, 65_536)
  if (photometric === ycbcr_photometric) return tables ?? null
  const given = tables && tables.length >= 4 ? tables : startAndEnd
  return Uint8Array.of(...given.subarray(0, 2), ...adobeRgbMarker, ...given.subarray(2))
}

// Elsewhere than in JPEG blocks these colours are subsampled, or mean nothing without their own mathematics.
function checkColours(photometric: number, compression: number): void {
  const name = coloursNotRead[photometric]
  if (name !== undefined && !(photometric === ycbcr_photometric && compression === jpeg_compression)) {
    throw new RasterFailure('unsupported', `${name} colours are not read`)
  }
}

function checkBitOrder(reversedBits: boolean, compression: number, bitsPerSample: number): void {
  if (!reversedBits || compression === jpeg_compression || (compression === 1 && bitsPerSample < 8)) return
  throw new RasterFailure('unsupported', 'bytes whose bits run from the low end are read only where samples are bits')
}

/** The type that samples have in memory; packed samples widen to the next whole one. */
export function findSampleTypeOfLevel({ storage }: RasterLevel): SampleType {
  const { bitsPerSample: bits, sampleFormat } = storage
  if (sampleFormat === 3 && bits === 16) return 'float32'
  if (sampleFormat === 3 && (bits === 32 || bits === 64)) return bits === 32 ? 'float32' : 'float64'
  if (sampleFormat === 2 && (bits === 8 || bits === 16 || bits === 32)) return `int${bits}`
  if (sampleFormat === 1 && bits >= 1 && bits <= 32) return bits <= 8 ? 'uint8' : bits <= 16 ? 'uint16' : 'uint32'
  const kind = { 1: 'unsigned whole', 2: 'signed whole', 3: 'floating-point' }[sampleFormat]
  throw new RasterFailure('unsupported', `${kind} numbers of ${bits} bits are not read`)
}

/**
 * A reduced image of another kind (a thumbnail in colour of a scene in 16 bits) is no overview; one without the mask
 * of the full image would show pixels that are masked there.
 */
export function isOverviewOf(base: RasterLevel, level: RasterLevel): boolean {
  return (
    level.width <= base.width &&
    level.height <= base.height &&
    (level.mask !== null || base.mask === null) &&
    level.storage.samplesPerPixel === base.storage.samplesPerPixel &&
    level.storage.bitsPerSample === base.storage.bitsPerSample &&
    level.storage.sampleFormat === base.storage.sampleFormat
  )
}

async function readBlockShape(
  { fields, first }: TiffDirectory,
  width: number,
  height: number,
): Promise<{ block: [width: number, height: number]; striped: boolean }> {
  if (fields.has(tiffTags.tileWidth) || fields.has(tiffTags.tileOffsets)) {
    const tileWidth = await first(tiffTags.tileWidth, 0)
    const tileHeight = await first(tiffTags.tileLength, 0)
    checkSide(tileWidth)
    checkSide(tileHeight)
    return { block: [tileWidth, tileHeight], striped: false }
  }
  const rows = await first(tiffTags.rowsPerStrip, height)
  if (!(rows >= 1) || (rows < height && !Number.isInteger(rows)))
    throw new RasterFailure('damaged', 'the strips of the file have no rows')
  return { block: [width, Math.min(rows, height)], striped: true }
}

function blockRun(
  directory: TiffDirectory,
  tag: number,
  blocks: number,
  missing: string | null,
): DeferredNumberList | null {
  const field = directory.fields.get(tag)
  if (!field) {
    if (missing) throw new RasterFailure('damaged', `the file does not say ${missing}`)
    return null
  }
  if (field.count < blocks || ![3, 4, 16].includes(field.type)) {
    throw new RasterFailure(
      'damaged',
      `the file lists ${field.count} tiles or strips where its size asks for ${blocks}`,
    )
  }
  return { offset: field.offset, type: field.type, count: blocks }
}

// Bands that differ in type inside one file exist on paper only; GDAL refuses them as well.
async function readUniform(directory: TiffDirectory, tag: number, otherwise: number, what: string): Promise<number> {
  const values = await directory.numbers(tag)
  const value = values?.[0] ?? otherwise
  if (values?.some((other) => other !== value)) {
    throw new RasterFailure('unsupported', `the bands of the file do not share ${what}`)
  }
  return value
}

function checkSide(pixels: number): void {
  if (!Number.isInteger(pixels) || pixels < 1) throw new RasterFailure('damaged', 'the image has no size')
  if (pixels > max_pixels_a_side) {
    throw new RasterFailure('budget', `the image is ${pixels} pixels long; ${max_pixels_a_side} are read`)
  }
}

function checkUnsigned(sampleFormat: number): 1 {
  // 4 means "not known", which everybody reads as unsigned.
  if (sampleFormat === 1 || sampleFormat === 4) return 1
  if (sampleFormat === 5 || sampleFormat === 6) {
    throw new RasterFailure('unsupported', 'complex numbers (as of a radar before detection) are not read')
  }
  throw new RasterFailure('unsupported', `sample format ${sampleFormat} is not read`)
}
