import { readDirectories, readTiffHeader } from '../src/formats/tiff/directory.ts'
import type { Directory, TiffHeader } from '../src/formats/tiff/directory.ts'
import { createHeaderReader } from '../src/formats/tiff/header-reader.ts'
import { TAG } from '../src/formats/tiff/tags.ts'
import type { Source } from '../src/types.ts'

export interface CogLayoutReport {
  /** Deviations from the layout; empty for a valid COG. */
  readonly problems: readonly string[]
  readonly levels: readonly { readonly width: number; readonly height: number; readonly masked: boolean }[]
  readonly blocks: number
  readonly bigTiff: boolean
}

interface Part {
  readonly name: string
  readonly mask: boolean
  readonly width: number
  readonly height: number
  readonly tiled: boolean
  /** TIFF NewSubfileType: 1 a smaller version, 4 a mask. */
  readonly subfile: number
  /** Blocks that cover the picture. */
  readonly blocks: number
  readonly offsets: readonly number[]
  readonly counts: readonly number[]
}

const MOST_BLOCKS = 1_048_576
/** Bytes around the data of a block: its length before it, its last four bytes again after it. */
const WRAPPING = 8
const SIZE_LINE = /^GDAL_STRUCTURAL_METADATA_SIZE=(\d{6}) bytes\n/
const FACTS = [
  'LAYOUT=IFDS_BEFORE_DATA\n',
  'BLOCK_ORDER=ROW_MAJOR\n',
  'BLOCK_LEADER=SIZE_AS_UINT4\n',
  'BLOCK_TRAILER=LAST_4_BYTES_REPEATED\n',
  'KNOWN_INCOMPATIBLE_EDITION=NO\n',
]

/**
 * Checks whether a TIFF has the layout of a cloud optimized GeoTIFF in GDAL's strict sense: the ghost area after the header, all
 * directories before all data and from large to small, data from the smallest level to the largest, blocks row after
 * row, each with its length before it and its last four bytes repeated, each mask block right after its image block.
 * Every block's surroundings are read.
 *
 * @throws RasterFailure as `openRaster` does for a file that is no readable TIFF.
 */
export async function checkCogLayout(source: Source): Promise<CogLayoutReport> {
  const reader = createHeaderReader(source)
  const header = await readTiffHeader(reader)
  const directories = await readDirectories(reader, header)
  const note = await readNote(source, header)
  const parts: Part[] = []
  for (const directory of directories) parts.push(await readPart(directory))
  const images = parts.filter((part) => !part.mask)
  const problems = [
    ...checkNote(note, header),
    ...checkLevels(images),
    ...checkDirectoriesFirst(directories, parts),
    ...checkDataOrder(images),
    ...(note.text.includes('MASK_INTERLEAVED_WITH_IMAGERY=YES') ? checkMasks(parts) : []),
  ]
  for (const part of parts) problems.push(...checkCounts(part, source.size), ...(await checkBlocks(source, part)))
  problems.push(...checkOverlaps(parts))
  return {
    problems,
    levels: images.map(({ width, height }) => ({
      width,
      height,
      masked: findMask(parts, width, height) !== undefined,
    })),
    blocks: parts.reduce((sum, part) => sum + part.offsets.length, 0),
    bigTiff: header.big,
  }
}

interface Note {
  readonly text: string
  /** Where the first directory must lie. */
  readonly end: number
}

async function readNote(source: Source, header: TiffHeader): Promise<Note> {
  const start = header.big ? 16 : 8
  const bytes = await source.read(start, 1024)
  const text = Buffer.from(bytes).toString('latin1')
  const [line, size] = SIZE_LINE.exec(text) ?? []
  if (line === undefined) return { text: '', end: start }
  const length = line.length + Number(size)
  return { text: text.slice(line.length, length), end: start + length + ((start + length) % 2) }
}

function checkNote(note: Note, header: TiffHeader): string[] {
  const problems = FACTS.filter((fact) => !note.text.includes(fact)).map((fact) => `the note lacks ${fact.trim()}`)
  if (header.firstDirectory !== note.end)
    problems.push(`the first directory lies at ${header.firstDirectory}, not right after the note at ${note.end}`)
  return problems
}

async function readPart({ fields, first, numbers }: Directory): Promise<Part> {
  const list = async (tag: number): Promise<number[]> => (await numbers(tag, MOST_BLOCKS)) ?? []
  const tiled = fields.has(TAG.tileOffsets)
  const [width, height] = [await first(TAG.width, 0), await first(TAG.height, 0)]
  const blockWidth = tiled ? await first(TAG.tileWidth, width) : width
  const blockHeight = await first(tiled ? TAG.tileLength : TAG.rowsPerStrip, height)
  const planes = (await first(TAG.planarConfiguration, 1)) === 2 ? await first(TAG.samplesPerPixel, 1) : 1
  const subfile = await first(TAG.subfileType, 0)
  const mask = (subfile & 4) !== 0
  return {
    name: `${mask ? 'mask' : 'image'} ${width}×${height}`,
    mask,
    width,
    height,
    tiled,
    subfile,
    blocks: Math.ceil(width / blockWidth) * Math.ceil(height / blockHeight) * planes,
    offsets: await list(tiled ? TAG.tileOffsets : TAG.stripOffsets),
    counts: await list(tiled ? TAG.tileByteCounts : TAG.stripByteCounts),
  }
}

function checkLevels(images: readonly Part[]): string[] {
  const problems: string[] = []
  for (const [index, part] of images.entries()) {
    if (!part.tiled && Math.max(part.width, part.height) > 512) problems.push(`${part.name} is not tiled`)
    if ((part.subfile & 1) !== (index === 0 ? 0 : 1))
      problems.push(`${part.name} ${index === 0 ? 'calls itself an overview' : 'does not call itself an overview'}`)
    const larger = images[index - 1]
    if (larger && (larger.width < part.width || larger.height < part.height))
      problems.push(`${part.name} comes after a smaller level`)
  }
  const last = images.at(-1)
  if (images.length === 1 && last && Math.max(last.width, last.height) > 512) problems.push('there are no overviews')
  return problems
}

function checkDirectoriesFirst(directories: readonly Directory[], parts: readonly Part[]): string[] {
  const firstData = Math.min(...parts.map((part) => firstOffset(part)))
  const lastField = Math.max(...directories.flatMap(({ fields }) => [...fields.values()].map((field) => field.offset)))
  return lastField < firstData
    ? []
    : [`a field of a directory lies at ${lastField}, after the first block at ${firstData}`]
}

/** Blocks at 0 are not stored at all. */
function firstOffset(part: Part): number {
  return part.offsets.reduce((least, offset) => (offset > 0 && offset < least ? offset : least), Infinity)
}

function checkDataOrder(images: readonly Part[]): string[] {
  const problems: string[] = []
  for (const [index, part] of images.entries()) {
    const smaller = images[index + 1]
    if (smaller && firstOffset(part) < firstOffset(smaller))
      problems.push(`the data of ${part.name} comes before that of ${smaller.name}`)
    let last = 0
    for (const offset of part.offsets) {
      if (offset > 0 && offset < last) problems.push(`${part.name} has blocks out of order at ${offset}`)
      last = Math.max(last, offset)
    }
  }
  return problems
}

/** Every block is listed, either with a place and a length or with neither, and lies in the file. */
function checkCounts({ name, blocks, offsets, counts }: Part, size: number | undefined): string[] {
  if (offsets.length !== blocks || counts.length !== blocks)
    return [`${name} lists ${offsets.length} places and ${counts.length} lengths of ${blocks} blocks`]
  const problems: string[] = []
  for (const [index, offset] of offsets.entries()) {
    const count = counts[index]!
    if ((offset === 0) !== (count === 0)) problems.push(`block ${index} of ${name} has a place or a length, not both`)
    if (size !== undefined && offset + count > size) problems.push(`block ${index} of ${name} lies beyond the end`)
  }
  return problems
}

/** No byte belongs to two blocks, their lengths before and their last bytes after them included. */
function checkOverlaps(parts: readonly Part[]): string[] {
  const placed = parts.flatMap(({ name, offsets, counts }) =>
    offsets.flatMap((offset, index) => (offset > 0 ? [{ name, index, offset, end: offset + counts[index]! }] : [])),
  )
  placed.sort((a, b) => a.offset - b.offset)
  return placed.flatMap(({ name, index, offset }, at) => {
    const before = placed[at - 1]
    return before && offset < before.end + WRAPPING ? [`block ${index} of ${name} overlaps the one before it`] : []
  })
}

function findMask(parts: readonly Part[], width: number, height: number): Part | undefined {
  return parts.find((part) => part.mask && part.width === width && part.height === height)
}

function checkMasks(parts: readonly Part[]): string[] {
  const problems: string[] = []
  for (const image of parts.filter((part) => !part.mask)) {
    const mask = findMask(parts, image.width, image.height)
    if (!mask) problems.push(`${image.name} has no mask`)
    for (const [index, offset] of image.offsets.entries())
      if (mask && offset > 0 && mask.offsets[index] !== offset + image.counts[index]! + WRAPPING)
        problems.push(`block ${index} of ${mask.name} does not follow its image block`)
  }
  return problems
}

async function checkBlocks(source: Source, part: Part): Promise<string[]> {
  const problems: string[] = []
  for (const [index, offset] of part.offsets.entries()) {
    const count = part.counts[index] ?? 0
    if (offset === 0 || count < 4) continue
    const leader = Buffer.from(await source.read(offset - 4, 4))
    const trailer = Buffer.from(await source.read(offset + count - 4, 8))
    if (leader.length < 4 || leader.readUInt32LE(0) !== count)
      problems.push(`block ${index} of ${part.name} is not preceded by its length`)
    if (trailer.length < 8 || !trailer.subarray(0, 4).equals(trailer.subarray(4)))
      problems.push(`block ${index} of ${part.name} does not end with its last four bytes repeated`)
  }
  return problems
}
