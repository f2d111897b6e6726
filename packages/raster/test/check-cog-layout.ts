import { readTiffDirectories, readTiffHeader } from '../src/formats/tiff/directory.ts'
import type { TiffDirectory, TiffHeader } from '../src/formats/tiff/directory.ts'
import { createTiffHeaderReader } from '../src/formats/tiff/header-reader.ts'
import { tiffTags } from '../src/formats/tiff/tags.ts'
import type { RasterByteSource } from '../src/types.ts'

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
  /** Blocks that cover the image. */
  readonly blocks: number
  readonly offsets: readonly number[]
  readonly counts: readonly number[]
}

/** An image with its mask, if it has one. */
type Level = readonly [image: Part, ...masks: Part[]]

const sizeOf = ({ width, height }: Part): string => `${width}×${height}`

const max_blocks = 1_048_576
const sizeLine = /^GDAL_STRUCTURAL_METADATA_SIZE=(\d{6}) bytes\n/
const maskInterleavingLine = 'MASK_INTERLEAVED_WITH_IMAGERY=YES'
const requiredLines = [
  'LAYOUT=IFDS_BEFORE_DATA\n',
  'BLOCK_ORDER=ROW_MAJOR\n',
  'BLOCK_LEADER=SIZE_AS_UINT4\n',
  'BLOCK_TRAILER=LAST_4_BYTES_REPEATED\n',
  'KNOWN_INCOMPATIBLE_EDITION=NO\n',
]

/**
 * Checks whether a TIFF has the layout of a cloud optimized GeoTIFF as we write it, which is GDAL's in its strict sense: the ghost
 * area after the header, all directories from large to small, then the blocks without a gap up to the end of the file, from the
 * smallest level to the largest and row after row, each with its length before it and its last four bytes repeated, each mask
 * block right after its image block. Every block's surroundings are read.
 *
 * @throws RasterFailure as `openRaster` does for a file that is no readable TIFF.
 */
export async function checkCogLayout(source: RasterByteSource): Promise<CogLayoutReport> {
  const reader = createTiffHeaderReader(source)
  const header = await readTiffHeader(reader)
  const directories = await readTiffDirectories(reader, header)
  const note = await readNote(source, header)
  const parts: Part[] = []
  for (const directory of directories) parts.push(await readPart(directory))
  const levels = parts
    .filter((part) => !part.mask)
    .map((image): Level => [image, ...parts.filter((part) => part.mask && sizeOf(part) === sizeOf(image))])
  const lastField = Math.max(...directories.flatMap(({ fields }) => [...fields.values()].map((field) => field.offset)))
  return {
    problems: [
      ...checkNote(note, header),
      ...checkLevels(levels, note.text.includes(maskInterleavingLine)),
      ...(await checkBlocks(source, levels, lastField)),
    ],
    levels: levels.map(([{ width, height }, mask]) => ({ width, height, masked: mask !== undefined })),
    blocks: parts.reduce((sum, part) => sum + part.offsets.length, 0),
    bigTiff: header.big,
  }
}

interface Note {
  readonly text: string
  /** Required offset of the first directory. */
  readonly end: number
}

async function readNote(source: RasterByteSource, header: TiffHeader): Promise<Note> {
  const start = header.big ? 16 : 8
  const bytes = await source.read(start, 1024)
  const text = Buffer.from(bytes).toString('latin1')
  const [line, size] = sizeLine.exec(text) ?? []
  if (line === undefined) return { text: '', end: start }
  const length = line.length + Number(size)
  return { text: text.slice(line.length, length), end: start + length + ((start + length) % 2) }
}

function checkNote(note: Note, header: TiffHeader): string[] {
  const problems = requiredLines
    .filter((fact) => !note.text.includes(fact))
    .map((fact) => `the note lacks ${fact.trim()}`)
  if (header.firstDirectory !== note.end)
    problems.push(`the first directory lies at ${header.firstDirectory}, not right after the note at ${note.end}`)
  return problems
}

async function readPart({ fields, first, numbers }: TiffDirectory): Promise<Part> {
  const list = async (tag: number): Promise<number[]> => (await numbers(tag, max_blocks)) ?? []
  const tiled = fields.has(tiffTags.tileOffsets)
  const [width, height] = [await first(tiffTags.width, 0), await first(tiffTags.height, 0)]
  const blockWidth = tiled ? await first(tiffTags.tileWidth, width) : width
  const blockHeight = await first(tiled ? tiffTags.tileLength : tiffTags.rowsPerStrip, height)
  const subfile = await first(tiffTags.subfileType, 0)
  const mask = (subfile & 4) !== 0
  return {
    name: `${mask ? 'mask' : 'image'} ${width}×${height}`,
    mask,
    width,
    height,
    tiled,
    subfile,
    blocks: Math.ceil(width / blockWidth) * Math.ceil(height / blockHeight),
    offsets: await list(tiled ? tiffTags.tileOffsets : tiffTags.stripOffsets),
    counts: await list(tiled ? tiffTags.tileByteCounts : tiffTags.stripByteCounts),
  }
}

function checkLevels(levels: readonly Level[], masked: boolean): string[] {
  const problems: string[] = []
  for (const [index, [image, ...masks]] of levels.entries()) {
    const larger = levels[index - 1]?.[0]
    if (!image.tiled) problems.push(`${image.name} is not tiled`)
    if ((image.subfile & 1) !== (index === 0 ? 0 : 1))
      problems.push(`${image.name} ${index === 0 ? 'calls itself an overview' : 'does not call itself an overview'}`)
    if (larger && (larger.width < image.width || larger.height < image.height))
      problems.push(`${image.name} comes after a smaller level`)
    if (masks.length !== (masked ? 1 : 0)) problems.push(`${image.name} has ${masks.length} masks`)
  }
  const [last] = levels.at(-1)!
  if (Math.max(last.width, last.height) > 512) problems.push('there are no overviews')
  return problems
}

/** Walks from block to block. One that lies nowhere and has no length is left out. */
async function checkBlocks(source: RasterByteSource, levels: readonly Level[], lastField: number): Promise<string[]> {
  const problems: string[] = []
  let end: number | undefined
  for (const level of levels.toReversed()) {
    for (const { name, blocks, offsets, counts } of level)
      if (offsets.length !== blocks || counts.length !== blocks)
        return [`${name} lists ${offsets.length} places and ${counts.length} lengths of ${blocks} blocks`]
    for (let index = 0; index < level[0].blocks; index++)
      for (const { name, offsets, counts } of level) {
        const [offset, count] = [offsets[index]!, counts[index]!]
        if (offset === 0 && count === 0) continue
        const block = `block ${index} of ${name}`
        if (offset <= lastField) problems.push(`${block} comes before a field of a directory at ${lastField}`)
        if (end !== undefined && offset !== end + 4) problems.push(`${block} does not follow the one before it`)
        const leader = Buffer.from(await source.read(offset - 4, 4))
        const trailer = Buffer.from(await source.read(offset + count - 4, 8))
        if (leader.length < 4 || leader.readUInt32LE(0) !== count)
          problems.push(`${block} is not preceded by its length`)
        if (trailer.length < 8 || !trailer.subarray(0, 4).equals(trailer.subarray(4)))
          problems.push(`${block} does not end with its last four bytes repeated`)
        end = offset + count + 4
      }
  }
  if (end !== undefined && source.size !== undefined && end !== source.size)
    problems.push(`the last block ends at ${end}, the file at ${source.size}`)
  return problems
}
