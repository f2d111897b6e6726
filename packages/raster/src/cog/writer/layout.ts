import { sampleTypeProperties } from '../../sample-types.ts'
import type { BandStatistics } from '../../types.ts'
import { buildTiffMetadataFields } from './baseline-fields.ts'
import { formatGdalMetadata } from './band-metadata.ts'
import type { CogPlan } from './cog-plan.ts'
import { tiffCompressions } from './compress.ts'
import { encodeTiffDirectories, createTiffTextField } from './directory-bytes.ts'
import type { TiffField } from './directory-bytes.ts'
import { buildGeoFields } from './geo-fields.ts'

/** Offsets and lengths of the blocks of one level, row after row. */
export interface LevelBlockLocations {
  readonly offsets: readonly number[]
  readonly counts: readonly number[]
  readonly maskOffsets: readonly number[]
  readonly maskCounts: readonly number[]
}

/**
 * The beginning of a cloud optimized GeoTIFF as GDAL lays it out: header, the note about the layout, then the
 * directories from full resolution to the smallest overview, each followed by its mask's. Block data comes after.
 */
export function buildTiffHeader(
  plan: CogPlan,
  statistics: readonly BandStatistics[],
  blocks: readonly LevelBlockLocations[],
  big: boolean,
): Buffer {
  const note = layoutNote(plan.masked)
  const headerSize = big ? 16 : 8
  const end = headerSize + note.length
  const start = end + (end % 2)
  const header = Buffer.alloc(start)
  header.write('II', 0, 'latin1')
  header.writeUInt16LE(big ? 43 : 42, 2)
  if (big) {
    header.writeUInt16LE(8, 4)
    header.writeBigUInt64LE(BigInt(start), 8)
  } else header.writeUInt32LE(start, 4)
  header.write(note, headerSize, 'latin1')
  const directories = blocks.flatMap((level, index) => {
    const image = imageFields(plan, statistics, index, level, big)
    return plan.masked ? [image, maskFields(plan, index, level, big)] : [image]
  })
  return Buffer.concat([header, encodeTiffDirectories(directories, start, big)])
}

function layoutNote(masked: boolean): string {
  const facts = [
    'LAYOUT=IFDS_BEFORE_DATA\n',
    'BLOCK_ORDER=ROW_MAJOR\n',
    'BLOCK_LEADER=SIZE_AS_UINT4\n',
    'BLOCK_TRAILER=LAST_4_BYTES_REPEATED\n',
    // The trailing space allows to turn NO into YES in place.
    'KNOWN_INCOMPATIBLE_EDITION=NO\n ',
    masked ? 'MASK_INTERLEAVED_WITH_IMAGERY=YES\n' : '',
  ].join('')
  return `GDAL_STRUCTURAL_METADATA_SIZE=${String(facts.length).padStart(6, '0')} bytes\n${facts}`
}

interface Photometry {
  /** TIFF photometric: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 6 YCbCr. */
  readonly code: 0 | 1 | 2 | 3 | 6
  /** TIFF ExtraSamples: 0 unspecified, 2 alpha. */
  readonly extra: readonly number[]
  /** The colour that a reader assumes for each band. */
  readonly implied: readonly string[]
}

function photometryOf(plan: CogPlan): Photometry {
  const colours = plan.bands.map((band) => band.colour)
  // A JPEG or WebP of three bands contains red, green and blue, whatever the bands are called.
  const isRgbImage = ['jpeg', 'webp'].includes(plan.compression) && colours.length >= 3
  const rgb = isRgbImage || (colours[0] === 'red' && colours[1] === 'green' && colours[2] === 'blue')
  const indexed = plan.palette !== null && colours.length === 1
  const main = rgb ? ['red', 'green', 'blue'] : [indexed ? 'palette' : 'gray']
  const rest = colours.slice(main.length)
  return {
    code: rgb ? (plan.compression === 'jpeg' ? 6 : 2) : indexed ? 3 : plan.whiteIsZero ? 0 : 1,
    extra: rest.map((colour) => (colour === 'alpha' ? 2 : 0)),
    implied: [...main, ...rest.map((colour) => (colour === 'alpha' ? 'alpha' : 'undefined'))],
  }
}

function imageFields(
  plan: CogPlan,
  statistics: readonly BandStatistics[],
  index: number,
  level: LevelBlockLocations,
  big: boolean,
): TiffField[] {
  const { bits, format } = sampleTypeProperties[plan.sampleType]
  const photometry = photometryOf(plan)
  const each = (value: number): number[] => plan.bands.map(() => value)
  const fields: TiffField[] = [
    ...shapeFields(plan, index, level.offsets, level.counts, big),
    { tag: 258, type: 'short', values: each(bits) },
    { tag: 259, type: 'short', values: [tiffCompressions[plan.compression].code] },
    { tag: 262, type: 'short', values: [photometry.code] },
    { tag: 277, type: 'short', values: [plan.bands.length] },
    { tag: 339, type: 'short', values: each(format) },
  ]
  if (plan.predictor !== 1) fields.push({ tag: 317, type: 'short', values: [plan.predictor] })
  // Chroma at half resolution both ways.
  if (photometry.code === 6) fields.push({ tag: 530, type: 'short', values: [2, 2] })
  if (index > 0) fields.push({ tag: 254, type: 'long', values: [1] })
  if (photometry.code === 3) fields.push({ tag: 320, type: 'short', values: colourMap(plan.palette!, 2 ** bits) })
  if (photometry.extra.length > 0) fields.push({ tag: 338, type: 'short', values: photometry.extra })
  if (plan.nodata !== null) fields.push(createTiffTextField(42_113, nodataText(plan.nodata)))
  if (index > 0) return fields
  const metadata = formatGdalMetadata(plan.bands, statistics, photometry.implied, plan.metadata)
  if (metadata !== null) fields.push(createTiffTextField(42_112, metadata))
  return [...fields, ...buildTiffMetadataFields(plan.metadata), ...buildGeoFields(plan.placement)]
}

function maskFields(plan: CogPlan, index: number, level: LevelBlockLocations, big: boolean): TiffField[] {
  return [
    ...shapeFields(plan, index, level.maskOffsets, level.maskCounts, big),
    { tag: 254, type: 'long', values: [index > 0 ? 5 : 4] },
    { tag: 258, type: 'short', values: [1] },
    { tag: 259, type: 'short', values: [tiffCompressions.deflate.code] },
    { tag: 262, type: 'short', values: [4] },
    { tag: 277, type: 'short', values: [1] },
    { tag: 339, type: 'short', values: [1] },
  ]
}

function shapeFields(
  plan: CogPlan,
  index: number,
  offsets: readonly number[],
  counts: readonly number[],
  big: boolean,
): TiffField[] {
  const { width, height } = plan.levels[index]!
  return [
    { tag: 256, type: 'long', values: [width] },
    { tag: 257, type: 'long', values: [height] },
    { tag: 284, type: 'short', values: [1] },
    { tag: 322, type: 'short', values: [plan.block] },
    { tag: 323, type: 'short', values: [plan.block] },
    { tag: 324, type: big ? 'long8' : 'long', values: offsets },
    { tag: 325, type: 'long', values: counts },
  ]
}

/** TIFF wants all reds, all greens, all blues, in 16 bits. */
function colourMap(palette: Uint8Array, entries: number): number[] {
  const map = Array.from({ length: entries * 3 }, () => 0)
  for (let i = 0; i * 3 + 2 < palette.length && i < entries; i++)
    for (let c = 0; c < 3; c++) map[c * entries + i] = palette[i * 3 + c]! * 257
  return map
}

function nodataText(nodata: number): string {
  if (Number.isNaN(nodata)) return 'nan'
  if (!Number.isFinite(nodata)) return nodata > 0 ? 'inf' : '-inf'
  return String(nodata)
}
