import { RasterFailure } from '../../../failures.ts'
import { createBitReader } from './huffman.ts'
import type { BitReader, HuffmanTable } from './huffman.ts'
import { ZIGZAG, damagedJpeg, emptyTables, readToScan } from './markers.ts'
import type { JpegFrame, JpegScan, JpegTables } from './markers.ts'
import { inverseTransform } from './transform.ts'

/** The samples of one component, in rows of whole blocks. */
interface Plane {
  readonly samples: Uint8Array
  readonly stride: number
  readonly rows: number
  /** The part of it that is picture. */
  readonly width: number
  readonly height: number
  done: boolean
}

/**
 * Decodes a sequential Huffman JPEG (ITU T.81) of 8 bits into its components as they are, sample by sample of one pixel: no
 * colours are converted. A decoder of pictures cannot do that: it takes four components for ink. Memory: the
 * answer, and as much again for the planes; `checkSize` sees the size before anything is made. Fails with `damaged` and
 * `unsupported`.
 */
export function decodeComponents(bytes: Uint8Array, checkSize: (frame: JpegFrame) => void): Uint8Array {
  const tables = emptyTables()
  let planes: Plane[] | null = null
  for (let scan = readToScan(bytes, 0, tables); scan;) {
    const frame = tables.frame!
    if (!planes) {
      checkSize(frame)
      planes = planesOf(frame)
    }
    const end = decodeScan(bytes, scan, frame, tables, planes)
    // Once all is there, whatever follows is of no interest.
    if (planes.every((plane) => plane.done)) return interleave(frame, planes)
    scan = readToScan(bytes, end, tables)
  }
  throw damagedJpeg()
}

function planesOf({ width, height, components }: JpegFrame): Plane[] {
  const { most, down } = factorsOf(components)
  const acrossUnits = Math.ceil(width / (8 * most))
  const downUnits = Math.ceil(height / (8 * down))
  return components.map((component) => {
    if (most % component.across !== 0 || down % component.down !== 0) {
      throw new RasterFailure('unsupported', 'JPEG blocks with fractional sampling are not read')
    }
    const stride = acrossUnits * component.across * 8
    const rows = downUnits * component.down * 8
    return {
      samples: new Uint8Array(stride * rows),
      stride,
      rows,
      width: Math.ceil((width * component.across) / most),
      height: Math.ceil((height * component.down) / down),
      done: false,
    }
  })
}

function factorsOf(components: JpegFrame['components']): { most: number; down: number } {
  return {
    most: Math.max(...components.map((component) => component.across)),
    down: Math.max(...components.map((component) => component.down)),
  }
}

/** A component of a scan with everything that decoding its blocks needs. */
interface Member {
  readonly plane: Plane
  readonly across: number
  readonly down: number
  readonly quantization: Uint16Array
  readonly direct: HuffmanTable
  readonly alternating: HuffmanTable
  previous: number
}

function decodeScan(bytes: Uint8Array, scan: JpegScan, frame: JpegFrame, tables: JpegTables, planes: Plane[]): number {
  const reader = createBitReader(bytes, scan.start)
  const members = scan.members.map(({ component, direct, alternating }): Member => {
    const { across, down, quantization } = frame.components[component]!
    const plane = planes[component]!
    const found = [tables.quantization[quantization], tables.direct[direct], tables.alternating[alternating]] as const
    if (plane.done || !found[0] || !found[1] || !found[2]) throw damagedJpeg()
    // Two passes over one component belong to progressive pictures.
    plane.done = true
    return { plane, across, down, quantization: found[0], direct: found[1], alternating: found[2], previous: 0 }
  })
  // A component by itself comes block by block, without the padding that whole units of several have.
  const single = members.length === 1
  const first = members[0]!
  const columns = single ? Math.ceil(first.plane.width / 8) : first.plane.stride / (8 * first.across)
  const rows = single ? Math.ceil(first.plane.height / 8) : first.plane.rows / (8 * first.down)
  const coefficients = new Int32Array(64)
  for (let unit = 0; unit < columns * rows; unit++) {
    if (tables.restartInterval > 0 && unit > 0 && unit % tables.restartInterval === 0) {
      reader.restart()
      for (const member of members) member.previous = 0
    }
    const column = unit % columns
    const row = Math.floor(unit / columns)
    if (single) decodeBlock(reader, first, coefficients, column, row)
    else for (const member of members) decodeUnit(reader, member, coefficients, column, row)
  }
  return reader.end()
}

function decodeUnit(reader: BitReader, member: Member, coefficients: Int32Array, column: number, row: number): void {
  for (let y = 0; y < member.down; y++) {
    for (let x = 0; x < member.across; x++) {
      decodeBlock(reader, member, coefficients, column * member.across + x, row * member.down + y)
    }
  }
}

function decodeBlock(reader: BitReader, member: Member, coefficients: Int32Array, column: number, row: number): void {
  const { quantization, direct, alternating, plane } = member
  coefficients.fill(0)
  const bits = reader.symbol(direct)
  if (bits > 11) throw damagedJpeg()
  member.previous += reader.signed(bits)
  coefficients[0] = Math.imul(member.previous, quantization[0]!)
  for (let index = 1; index < 64; index++) {
    const symbol = reader.symbol(alternating)
    const size = symbol & 15
    const zeros = symbol >> 4
    if (size === 0) {
      if (zeros !== 15) break
      index += 15
      continue
    }
    index += zeros
    if (index > 63) throw damagedJpeg()
    const place = ZIGZAG[index]!
    coefficients[place] = Math.imul(reader.signed(size), quantization[place]!)
  }
  inverseTransform(coefficients, plane.samples, (row * plane.stride + column) * 8, plane.stride)
}

function interleave({ width, height, components }: JpegFrame, planes: readonly Plane[]): Uint8Array {
  const count = planes.length
  const { most, down } = factorsOf(components)
  const output = new Uint8Array(width * height * count)
  for (const [index, { samples, stride }] of planes.entries()) {
    const wide = most / components[index]!.across
    const high = down / components[index]!.down
    for (let y = 0; y < height; y++) {
      const row = Math.floor(y / high) * stride
      let to = y * width * count + index
      for (let x = 0; x < width; x++, to += count) output[to] = samples[row + (wide === 1 ? x : Math.floor(x / wide))]!
    }
  }
  return output
}
