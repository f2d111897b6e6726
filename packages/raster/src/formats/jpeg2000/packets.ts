import { RasterFailure } from '../../failures.ts'
import { createPacketBits, createTagTree } from './tag-tree.ts'
import type { PacketBits, TagTree } from './tag-tree.ts'

/** What the style of code-blocks (ISO 15444-1, table A.19) means for the lengths in packet headers. */
export interface SegmentStyle {
  /** Every coding pass ends by itself. */
  readonly everyPass: boolean
  /** From the eleventh pass on two raw passes and one coded pass take turns. */
  readonly raw: boolean
}

interface CodeBlock {
  included: boolean
  lengthBits: number
  /** Passes in the segment that is open, and how many it can take. */
  passes: number
  mostPasses: number
}

/** The code-blocks of one band inside one precinct. */
interface BandBlocks {
  readonly columns: number
  readonly blocks: CodeBlock[]
  readonly inclusion: TagTree
  readonly zeroPlanes: TagTree
}

/** What the packets of one precinct have said so far: each layer goes on where the last one stopped. */
export type PrecinctState = readonly BandBlocks[]

const MOST_PLANES = 80
/** More passes than any segment can take. */
const WITHOUT_END = 164

/** @param bands the code-blocks of each band, across and down. */
export function openPrecinct(bands: readonly (readonly [columns: number, rows: number])[]): PrecinctState {
  return bands
    .filter(([columns, rows]) => columns * rows > 0)
    .map(([columns, rows]) => ({
      columns,
      blocks: Array.from({ length: columns * rows }, () => ({
        included: false,
        lengthBits: 3,
        passes: 0,
        mostPasses: 0,
      })),
      inclusion: createTagTree(columns, rows),
      zeroPlanes: createTagTree(columns, rows),
    }))
}

/** The end of a packet's header and of its body. */
export interface PacketEnds {
  readonly header: number
  readonly body: number
}

/** Reads the header of a packet (B.10) only to learn how long header and body are. */
export function measurePacket(
  bytes: Uint8Array,
  start: number,
  layer: number,
  state: PrecinctState,
  style: SegmentStyle,
): PacketEnds {
  const bits = createPacketBits(bytes, start)
  let body = 0
  if (bits.bit() === 1) {
    for (const band of state) {
      for (const [index, block] of band.blocks.entries()) {
        const column = index % band.columns
        const row = Math.floor(index / band.columns)
        const contributes = block.included ? bits.bit() === 1 : band.inclusion.isBelow(column, row, layer + 1, bits)
        if (contributes) body += measureBlock(bits, band, block, column, row, style)
      }
    }
  }
  const header = bits.end()
  if (header + body > bytes.length) throw damagedPacket()
  return { header, body: header + body }
}

function measureBlock(
  bits: PacketBits,
  band: BandBlocks,
  block: CodeBlock,
  column: number,
  row: number,
  style: SegmentStyle,
): number {
  if (!block.included) {
    block.included = true
    let planes = 1
    while (!band.zeroPlanes.isBelow(column, row, planes, bits)) if (++planes > MOST_PLANES) throw damagedPacket()
    openSegment(block, style)
  }
  let passes = readPasses(bits)
  while (bits.bit() === 1) if (++block.lengthBits > 32) throw damagedPacket()
  let length = 0
  while (passes > 0) {
    if (block.passes === block.mostPasses) openSegment(block, style)
    const taken = Math.min(passes, block.mostPasses - block.passes)
    length += bits.bits(block.lengthBits + Math.floor(Math.log2(taken)))
    block.passes += taken
    passes -= taken
  }
  return length
}

function openSegment(block: CodeBlock, { everyPass, raw }: SegmentStyle): void {
  const before = block.mostPasses
  block.passes = 0
  if (everyPass) block.mostPasses = 1
  else if (!raw) block.mostPasses = WITHOUT_END
  else if (before === 0) block.mostPasses = 10
  else block.mostPasses = before === 2 ? 1 : 2
}

// Table B.4: one pass is 0, two are 10, and so on up to 164.
function readPasses(bits: PacketBits): number {
  if (bits.bit() === 0) return 1
  if (bits.bit() === 0) return 2
  const two = bits.bits(2)
  if (two < 3) return 3 + two
  const five = bits.bits(5)
  return five < 31 ? 6 + five : 37 + bits.bits(7)
}

export function damagedPacket(): RasterFailure {
  return new RasterFailure('damaged', 'the packets of a JPEG 2000 tile contradict themselves')
}
